import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StoredFingerprints } from './stored-fingerprints.js';

const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const hash = fc.oneof(
  bytes.map((all) => Buffer.from(all).toString('hex')),
  // Few, so that two sets share some; the largest ones too.
  fc.integer({ min: 0, max: 30 }).map((n) => `${n % 2 ? 'ffffffff' : '00000000'}${String(n).padStart(12, '0')}`),
); // prettier-ignore
const hashes = fc.array(hash, { maxLength: 60 }).map((all) => new Set(all));

/** By the digits that are stored. */
const stored = (all: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...all].map((one) => one.slice(0, 16)));

describe('stored fingerprints', () => {
  it('share what both have, whichever is asked', () => {
    fc.assert(
      fc.property(hashes, hashes, (a, b) => {
        const [one, other] = [StoredFingerprints.from(stored(a)), StoredFingerprints.from(stored(b))];
        const shared = [...stored(a)].filter((hash) => stored(b).has(hash)).length;
        expect(one.sharedWith(other)).toBe(shared);
        expect(other.sharedWith(one)).toBe(shared);
        expect(one.sharedWith(one)).toBe(one.size);
      }),
    );
  });

  it('are the same bytes in whatever order they come, and are read back', () => {
    fc.assert(
      fc.property(hashes, (all) => {
        const made = StoredFingerprints.from(all);
        expect(made.bytes).toEqual(StoredFingerprints.from(new Set([...all].reverse())).bytes);
        expect(made.size).toBe(all.size);
        expect(StoredFingerprints.read(made.bytes)?.bytes).toEqual(made.bytes);
      }),
    );
  });

  it('are not read from what is cut off, empty or of another form', () => {
    const { bytes } = StoredFingerprints.from(new Set(['0123456789abcdef0123', 'f'.repeat(20)]));
    for (const broken of [bytes.subarray(0, -1), Buffer.alloc(0), Buffer.concat([Buffer.of(9), bytes.subarray(1)])])
      expect(StoredFingerprints.read(broken)).toBeNull(); // prettier-ignore
  });
});
