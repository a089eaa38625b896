import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countChanges, lineHashes } from './lines.js';

/** Lines that both have in order, at most: by the table of the longest common subsequence. */
const common = (a: readonly string[], b: readonly string[]): number => {
  const table = a.map(() => b.map(() => 0));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < b.length; j++)
      table[i]![j] = a[i] === b[j] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  return at(a.length - 1, b.length - 1);
};

describe('counts of changed lines', () => {
  it('are those of the shortest difference', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 24 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const shared = common(before, after);
        expect(countChanges(before, after)).toEqual({
          added: after.length - shared,
          removed: before.length - shared,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('are taken in time for files that have little in common', () => {
    const many = (prefix: string) => Array.from({ length: 100_000 }, (_, n) => `${prefix}${n}`);
    const started = performance.now();
    expect(countChanges(many('a'), many('b'))).toEqual({ added: 100_000, removed: 100_000 });
    expect(countChanges(many('a'), many('a').reverse())).toEqual({ added: 0, removed: 0 });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('know lines by hashes alone, and no line break as a change', () => {
    const hashes = lineHashes('const secret = 1;\nreturn;\n');
    expect(hashes).toHaveLength(2);
    expect(hashes.join()).not.toContain('secret');
    expect(lineHashes('const secret = 1;\r\nreturn;')).toEqual(hashes);
    expect(lineHashes('')).toEqual([]);
    expect(lineHashes('\n\n')).toHaveLength(2);
  });
});
