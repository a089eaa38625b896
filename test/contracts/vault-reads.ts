import { describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type { KeyedHash } from '../../src/core/keyed-hash.js';
import { newId } from '../../src/core/random.js';
import type { PersonId } from '../../src/core/vault/port.js';
import type { Vault, ReadEntry, ReadPlace } from '../../src/vault/port.js';
import { type AudioHarness, vaultsOf } from './vault-audio.js';

const aPerson = () => randomUUID() as PersonId;
const aHash = () => randomBytes(32).toString('hex') as KeyedHash;

export const aRead = (evaluationId: string, more: Partial<ReadEntry> = {}): ReadEntry => ({
  id: newId(),
  evaluationId,
  organisationId: randomUUID(),
  actor: { type: 'staff', id: 'auth0|ada' },
  at: new Date(1_750_000_000_000).toISOString(),
  ...more,
});

const at = (milliseconds: number): string => new Date(1_750_000_000_000 + milliseconds).toISOString();

/** What a vault's record of first persons and of reads must satisfy. */
export function readsContract(start: () => Promise<AudioHarness>): void {
  describe('claims and reads', () => {
    const open = vaultsOf(start);

    const idsOf = async (
      vault: Vault,
      evaluationId: string,
      limit = 100,
      before: ReadPlace | null = null,
    ): Promise<readonly string[]> =>
      (await vault.reads.list(evaluationId, { limit, before })).map(({ id }) => id);

    it('a claim is answered with the person who claimed it first', async () => {
      const vault = await open();
      const [hash, first, second] = [aHash(), aPerson(), aPerson()];
      expect(await vault.claims.claim(hash, first)).toBe(first);
      expect(await vault.claims.claim(hash, second)).toBe(first);
      expect(await vault.claims.claim(hash, first)).toBe(first);
      expect(await (await open()).claims.claim(hash, second)).toBe(first);
      expect(await vault.claims.claim(aHash(), second)).toBe(second);
    });

    it('one of many concurrent claims succeeds, and each of them is answered with its person', async () => {
      const vaults = [await open(), await open()] as const;
      const hash = aHash();
      const persons = Array.from({ length: 8 }, aPerson);
      const answers = await Promise.all(
        persons.map((person, index) => vaults[index % 2 === 0 ? 0 : 1].claims.claim(hash, person)),
      );
      expect(new Set(answers).size).toBe(1);
      expect(persons).toContain(answers[0]);
    });

    it('a claim moves only from the person who holds it', async () => {
      const vault = await open();
      const [hash, first, second, third] = [aHash(), aPerson(), aPerson(), aPerson()];
      expect(await vault.claims.move(hash, first, second)).toBe(false);
      await vault.claims.claim(hash, first);
      expect(await vault.claims.move(hash, second, third)).toBe(false);
      expect(await vault.claims.move(hash, first, second)).toBe(true);
      expect(await vault.claims.move(hash, first, third)).toBe(false);
      expect(await (await open()).claims.claim(hash, third)).toBe(second);
    });

    it('a claim outlives the erasure of its person, and is no way to find anybody by', async () => {
      const vault = await open();
      const [hash, erased, other] = [aHash(), aPerson(), aPerson()];
      await vault.keys.create(erased);
      await vault.identities.swap(hash, null, other);
      await vault.claims.claim(hash, erased);
      await vault.keys.erase(erased);
      const reopened = await open();
      expect(await reopened.claims.claim(hash, other)).toBe(erased);
      expect(await reopened.identities.get(hash)).toBe(other);
      const later = aHash();
      expect(await reopened.claims.claim(later, erased)).toBe(erased);
      expect(await reopened.claims.claim(later, other)).toBe(erased);
    });

    it('reads are listed newest first, by time and then by id, each evaluation’s alone', async () => {
      const vault = await open();
      const [evaluation, other] = [randomUUID(), randomUUID()];
      const reads = [at(5), at(3), at(5), at(4)].map((time) => aRead(evaluation, { at: time }));
      await vault.reads.record([...reads, aRead(other), aRead(`${evaluation}0`)]);
      const [first, oldest, last, middle] = reads as [ReadEntry, ReadEntry, ReadEntry, ReadEntry];
      const expected = [last, first, middle, oldest];
      expect(await vault.reads.list(evaluation, { limit: 100, before: null })).toEqual(expected);
      expect(await (await open()).reads.list(evaluation, { limit: 100, before: null })).toEqual(expected);
      expect(await idsOf(vault, randomUUID())).toEqual([]);
      expect(await idsOf(vault, other)).toHaveLength(1);
    });

    it('reads are listed page by page, whatever comes meanwhile', async () => {
      const vault = await open();
      const evaluation = randomUUID();
      const reads = Array.from({ length: 7 }, (_, index) => aRead(evaluation, { at: at(index >> 1) }));
      await vault.reads.record(reads);
      const seen: string[] = [];
      for (let before: ReadPlace | null = null; ;) {
        const page: readonly ReadEntry[] = await vault.reads.list(evaluation, { limit: 3, before });
        seen.push(...page.map(({ id }) => id));
        before = page.at(-1) ?? null;
        if (page.length < 3) break;
        await vault.reads.record([aRead(evaluation, { at: at(100) })]);
      }
      expect(seen).toEqual(reads.map(({ id }) => id).reverse());
      // A cursor may be a place at which no read is stored.
      expect(await idsOf(vault, evaluation, 100, { at: at(1), id: '0' })).toEqual(seen.slice(-2));
    });

    it('reads that are recorded again, alone or beside new ones, are listed once and unchanged', async () => {
      const vaults = [await open(), await open()] as const;
      const evaluation = randomUUID();
      const [first, second] = [
        aRead(evaluation),
        aRead(evaluation, { actor: { type: 'operator', id: 'root' } }),
      ];
      await vaults[0].reads.record([first]);
      await vaults[1].reads.record([{ ...first, actor: { type: 'candidate', id: 'x' } }, second]);
      expect(await vaults[0].reads.list(evaluation, { limit: 9, before: null })).toEqual([second, first]);
      await Promise.all(vaults.map((vault) => vault.reads.record([second, first])));
      await vaults[0].reads.record([]);
      expect(await vaults[1].reads.list(evaluation, { limit: 9, before: null })).toEqual([second, first]);
    });

    it('reads stay when their candidate is erased', async () => {
      const vault = await open();
      const [person, evaluation] = [aPerson(), randomUUID()];
      await vault.keys.create(person);
      const read = aRead(evaluation, { actor: { type: 'candidate', id: person } });
      await vault.reads.record([read]);
      await vault.keys.erase(person);
      expect(await (await open()).reads.list(evaluation, { limit: 9, before: null })).toEqual([read]);
    });
  });
}
