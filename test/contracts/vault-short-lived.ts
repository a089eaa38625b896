import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KeyedHash, KeyedHasher } from '../../src/core/keyed-hash.js';
import type { ShortLived } from '../../src/vault/port.js';
import { SealedRecords } from '../../src/vault/sealed-records.js';
import { SharedCount } from '../../src/vault/shared-count.js';
import { type AudioHarness, vaultsOf } from './vault-audio.js';

const aHash = () => randomBytes(32).toString('hex') as KeyedHash;
/** Far ahead: a server may remove what has expired by its own clock. */
const THEN = Date.UTC(2100, 0, 1);
const anEntry = (expiresAt = THEN): ShortLived => ({
  sealed: randomBytes(40).toString('base64'),
  expiresAt,
});

/** What a vault's short-lived entries must satisfy. */
export function shortLivedContract(start: () => Promise<AudioHarness>): void {
  describe('short-lived entries', () => {
    const open = vaultsOf(start);

    it('change from exactly what is expected, in every process', async () => {
      const [{ shortLived }, other] = [await open(), (await open()).shortLived];
      const [hash, first, second] = [aHash(), anEntry(), anEntry()];
      expect(await shortLived.get(hash)).toBeNull();
      expect(await shortLived.swap(hash, first, second)).toBe(false);
      expect(await shortLived.swap(hash, first, null)).toBe(false);
      expect(await shortLived.swap(hash, null, null)).toBe(true);
      expect(await shortLived.swap(hash, null, first)).toBe(true);
      expect(await other.swap(hash, null, second)).toBe(false);
      expect(await other.swap(hash, null, null)).toBe(false);
      expect(await other.get(hash)).toEqual(first);
      expect(await other.swap(hash, first, second)).toBe(true);
      expect(await shortLived.swap(hash, first, anEntry())).toBe(false);
      expect(await shortLived.swap(hash, first, null)).toBe(false);
      expect(await shortLived.swap(hash, second, null)).toBe(true);
      expect(await other.get(hash)).toBeNull();
      expect(await other.swap(hash, second, null)).toBe(false);
      expect(await other.swap(hash, null, first)).toBe(true);
      expect(await shortLived.get(aHash())).toBeNull();
    });

    it('change once, however many want to at once', async () => {
      const vaults = [await open(), await open()] as const;
      const hash = aHash();
      const [first, second] = [anEntry(), anEntry()];
      const all = (expected: ShortLived | null, entry: () => ShortLived | null) =>
        Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            vaults[index % 2 === 0 ? 0 : 1].shortLived.swap(hash, expected, entry()),
          ),
        );
      expect((await all(null, () => first)).filter(Boolean)).toHaveLength(1);
      expect((await all(first, () => second)).filter(Boolean)).toHaveLength(1);
      expect((await all(second, () => null)).filter(Boolean)).toHaveLength(1);
    });

    it('count for all processes together what they may do so often', async () => {
      const hasher = new KeyedHasher(randomBytes(32));
      let now = THEN;
      const limit = { max: 400, seconds: 600 };
      const counts = await Promise.all(
        [0, 1, 2].map(async () => {
          const records = new SealedRecords(await open(), hasher, () => now);
          return new SharedCount(records, 'tries of all', limit, () => now);
        }),
      );
      const taken = async () => {
        const waits = await Promise.all(
          counts.map(async (count) => {
            const own: number[] = [];
            while ((own.at(-1) ?? 0) === 0) {
              own.push(await count.take());
              // As requests do, of which none comes at once after the one before.
              await sleep(Math.random() * 4);
            }
            return own;
          }),
        );
        return {
          taken: waits.flat().filter((wait) => wait === 0).length,
          last: waits.map((own) => own.at(-1)),
        };
      };
      expect(await taken()).toEqual({ taken: 400, last: [600, 600, 600] });
      now += 599_001;
      expect(await taken()).toEqual({ taken: 0, last: [1, 1, 1] });
      now += 999;
      expect(await taken()).toEqual({ taken: 400, last: [600, 600, 600] });
    });

    it('outlive a restart, and are swept once they have expired', async () => {
      const former = await open();
      const hashes = [aHash(), aHash(), aHash()] as const;
      const entries = [anEntry(THEN + 1_000), anEntry(THEN + 2_000), anEntry(THEN + 2_001)] as const;
      for (const [index, hash] of hashes.entries())
        await former.shortLived.swap(hash, null, entries[index] ?? null);
      const { shortLived } = await open();
      expect(await shortLived.sweep(THEN + 999)).toBe(0);
      expect(await shortLived.sweep(THEN + 2_000)).toBe(2);
      expect(await shortLived.sweep(THEN + 2_000)).toBe(0);
      expect(await Promise.all(hashes.map((hash) => shortLived.get(hash)))).toEqual([null, null, entries[2]]);
    });
  });
}
