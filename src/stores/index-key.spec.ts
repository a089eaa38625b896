import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  BEHIND,
  encodeId,
  encodeKey,
  encodePlace,
  EXACT_BYTES,
  MAX_KEY_PARTS,
  MAX_PART_BYTES,
} from './index-key.js';
import type { IndexKey } from './read-store.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('\0', 'a', 'ÿ', '💡'), maxLength: 4 }),
);
const part = fc.oneof(text, fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 }));
const key: fc.Arbitrary<IndexKey> = fc.array(part, { maxLength: MAX_KEY_PARTS });
const long = fc
  .tuple(fc.constantFrom('', '\0', 'b'), fc.nat({ max: 600 }), fc.string({ maxLength: 3 }))
  .map(([first, count, last]) => `${first}${'a'.repeat(count)}${last}`);

function compare(a: IndexKey, b: IndexKey): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x = 0, y = 0] = [a[i], b[i]];
    if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1;
    const order =
      typeof x === 'number'
        ? Math.sign(x - Number(y))
        : Buffer.compare(Buffer.from(x), Buffer.from(String(y)));
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

describe('an encoded index key', () => {
  it('has the order of the key', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Buffer.compare(encodeKey(a), encodeKey(b))).toBe(compare(a, b));
      }),
      { numRuns: 2_000 },
    );
  });

  it('lies between its prefixes and what is behind them, and in the range of no other key', () => {
    const inRange = (a: IndexKey, id: string, b: IndexKey): boolean => {
      const [entry, lowest] = [Buffer.concat([encodeKey(a), encodeId(id)]), encodeKey(b)];
      return Buffer.compare(lowest, entry) <= 0 && Buffer.compare(entry, Buffer.concat([lowest, BEHIND])) < 0;
    };
    fc.assert(
      fc.property(key, text, key, (a, id, b) => {
        expect(inRange(a, id, b)).toBe(b.length <= a.length && compare(a.slice(0, b.length), b) === 0);
      }),
      { numRuns: 2_000 },
    );
    expect(inRange(['\0'], 'id', [''])).toBe(false);
    const whole = 'a'.repeat(EXACT_BYTES);
    expect(inRange([`${whole}b`], 'id', [whole])).toBe(false);
    expect(encodeKey(['a', 1]).subarray(0, encodeKey(['a']).length)).toEqual(encodeKey(['a']));
  });

  it('sorts before every longer one, whatever the id behind it', () => {
    fc.assert(
      fc.property(
        key.filter((k) => k.length < MAX_KEY_PARTS),
        part,
        text,
        text,
        (k, more, id, other) => {
          const shorter = Buffer.concat([encodeKey(k), encodeId(id)]);
          const longer = Buffer.concat([encodeKey([...k, more]), encodeId(other)]);
          expect(Buffer.compare(shorter, longer)).toBe(-1);
        },
      ),
    );
  });

  it('stays short, tells long texts apart, and orders them by what it keeps of them', () => {
    fc.assert(
      fc.property(long, long, (a, b) => {
        const [x, y] = [encodeKey([a]), encodeKey([b])];
        expect(Math.max(x.length, y.length)).toBeLessThanOrEqual(MAX_PART_BYTES);
        expect(x.equals(y)).toBe(a === b);
        // A zero byte takes two, so this much is certainly kept.
        const kept = (s: string): string =>
          Buffer.from(s)
            .subarray(0, EXACT_BYTES - 2)
            .toString('latin1');
        if (kept(a) !== kept(b)) expect(Buffer.compare(x, y)).toBe(compare([a], [b]));
      }),
      { numRuns: 1_000 },
    );
  });

  it('makes a place with what comes before it and the id behind it', () => {
    const before = Buffer.from('index');
    fc.assert(
      fc.property(key, fc.oneof(text, long), (k, id) => {
        expect(encodePlace(before, k, id)).toEqual(Buffer.concat([before, encodeKey(k), encodeId(id)]));
      }),
    );
  });

  it('fits the limit of the embedded store with every part at its longest', () => {
    const longest = Array.from({ length: MAX_KEY_PARTS }, (_, i) => `${i}${'x'.repeat(1_000)}`);
    const names = 'v'.repeat(80) + '.v123456789.g123456789012345\0' + 'i'.repeat(60) + '\0';
    const place = encodePlace(Buffer.from(names), longest, 'y'.repeat(1_000));
    expect(place.length).toBeLessThanOrEqual(1_978);
  });

  it('is refused where no order is certain', () => {
    for (const bad of [0.5, Number.NaN, Infinity, 2 ** 53]) expect(() => encodeKey([bad])).toThrow(TypeError);
    expect(() => encodeKey([null as never])).toThrow(TypeError);
    expect(encodeKey([-0])).toEqual(encodeKey([0]));
  });
});
