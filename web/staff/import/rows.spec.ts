import { describe, expect, it } from '@jest/globals';
import { faultsOf, textOf } from './rows.js';

const of = (path: string, rule: string, message: string) => ({ path, rule, message });

describe('the faults of a file', () => {
  it('have a row, a column and what is wrong, in the order of the rows', () => {
    expect(
      faultsOf([
        of('rows[12].candidateEmail', 'email', 'Row 12, candidateEmail: must be an e-mail address.'),
        of('rows[3].a.b]', 'header', 'Row 3, a.b]: unknown column.'),
        of('csv', 'more', '7 more faults are not named here.'),
      ]),
    ).toEqual([
      { row: null, column: null, rule: 'more', sentence: '7 more faults are not named here.' },
      { row: 3, column: 'a.b]', rule: 'header', sentence: 'unknown column.' },
      { row: 12, column: 'candidateEmail', rule: 'email', sentence: 'must be an e-mail address.' },
    ]);
  });
});

describe('the text of a file', () => {
  it('is UTF-8, with or without a mark, or UTF-16 with one, and no other', () => {
    const encoded = (text: string) => new TextEncoder().encode(text);
    expect(textOf(encoded('\uFEFFname\r\n李雷 😀'))).toBe('name\r\n李雷 😀');
    expect(textOf(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x4e, 0x67))).toBe('a李');
    expect(textOf(Uint8Array.of(0xfe, 0xff, 0, 0x61, 0x67, 0x4e))).toBe('a李');
    expect(textOf(Uint8Array.of(0x4a, 0xfc))).toBeNull();
    expect(textOf(Uint8Array.of(0xff, 0xfe, 0x4a))).toBeNull();
    expect(textOf(encoded('PK\0'))).toBeNull();
  });
});
