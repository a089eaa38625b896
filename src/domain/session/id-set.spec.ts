import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { deepFreeze } from '../../core/json.js';
import { memoryOf } from '../../core/json.js';
import { EMPTY_IDS, hasId, type IdSet, withIds } from './id-set.js';

const of = (ids: readonly string[], set: IdSet = EMPTY_IDS): IdSet =>
  ids.reduce((before, id) => withIds(before, [id]), set);
const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `id-${from + n}`);

describe('a set of ids', () => {
  it('knows what was added and nothing else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 500 }), fc.string(), (ids, other) => {
        const set = of(ids);
        for (const one of [set, withIds(EMPTY_IDS, ids)]) {
          expect(ids.every((id) => hasId(one, id))).toBe(true);
          expect(hasId(one, other)).toBe(ids.includes(other));
        }
      }),
    );
  });

  it('stays as it was when others grow from it', () => {
    fc.assert(
      fc.property(fc.nat({ max: 700 }), fc.nat({ max: 200 }), (size, more) => {
        const set = deepFreeze(of(numbered(0, size)));
        const runs = set.runs.map((run) => run.size);
        const one = of(numbered(1_000, 1_000 + more), set);
        const other = of(numbered(2_000, 2_000 + more), set);
        expect(set.runs.map((run) => run.size)).toEqual(runs);
        for (const id of numbered(1_000, 1_000 + more)) {
          expect(hasId(one, id)).toBe(true);
          expect(hasId(set, id) || hasId(other, id)).toBe(false);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('weighs what each id takes', () => {
    const [some, more] = [memoryOf(of(numbered(0, 100))), memoryOf(of(numbered(0, 1_000)))];
    expect(more).toBeGreaterThan(9 * some);
    expect(more).toBeLessThan(12 * some);
  });

  it('keeps few runs, each at least twice as large as the next', () => {
    const { runs } = of(numbered(0, 20_000));
    expect(runs.length).toBeLessThanOrEqual(Math.log2(20_000 / 64) + 1);
    runs.slice(1).forEach((run, index) => {
      expect(runs[index]!.size).toBeGreaterThanOrEqual(2 * run.size);
    });
  });

  it('moves an id O(log n) times, so that a long session costs no more than its length', () => {
    let moved = 0;
    let set = EMPTY_IDS;
    for (const id of numbered(0, 50_000)) {
      const next = withIds(set, [id]);
      if (next.tail.length === 0) moved += next.runs.at(-1)!.size;
      set = next;
    }
    expect(moved).toBeLessThan(50_000 * Math.log2(50_000 / 64) + 50_000);
  });
});
