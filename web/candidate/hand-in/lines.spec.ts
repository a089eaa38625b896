import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lineCounts, linesOf, textOfFile } from './lines.js';

const lines = fc
  .array(fc.constantFrom('a', 'b', ''), { maxLength: 12 })
  .map((all) => all.map((one) => `${one}\n`).join(''));

describe('changed lines', () => {
  it('are shown with three around them', () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
    const after = before.replace('line 10\n', 'changed\n');
    expect(linesOf(before, after)).toEqual([
      { unchanged: 7 },
      ...[7, 8, 9].map((at) => ({ change: 'same', text: `line ${at}` })),
      { change: 'removed', text: 'line 10' },
      { change: 'added', text: 'changed' },
      ...[11, 12, 13].map((at) => ({ change: 'same', text: `line ${at}` })),
      { unchanged: 6 },
    ]);
  });

  it('are as many as the texts differ by', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { linesAdded, linesRemoved } = lineCounts(before, after);
        expect(linesAdded - linesRemoved).toBe(after.split('\n').length - before.split('\n').length);
        expect(lineCounts(before, before)).toEqual({ linesAdded: 0, linesRemoved: 0 });
      }),
    );
  });

  it('are not shown if there are too many', () => {
    expect(linesOf('', 'x\n'.repeat(2_001))).toBeNull();
  });
});

describe('the text of a file', () => {
  it('is none if it is not UTF-8, or has a zero', () => {
    expect(textOfFile(Uint8Array.of(0xff, 0xfe))).toBeNull();
    expect(textOfFile(Uint8Array.of(0x61, 0))).toBeNull();
    expect(textOfFile(new TextEncoder().encode('ä\r\n'))).toBe('ä\r\n');
  });
});
