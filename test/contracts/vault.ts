import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyedHash } from '../../src/core/keyed-hash.js';
import type { PersonId } from '../../src/core/vault/port.js';
import type { ArchivableVault } from '../../src/vault/archive.js';
import type { PersonRef } from '../../src/vault/port.js';
import { sweepErased } from '../support/sweep-erased.js';
import { archiveContract } from './vault-archive.js';
import { aChunk, audioContract } from './vault-audio.js';
import { filesContract } from './vault-files.js';
import { aRead, readsContract } from './vault-reads.js';
import { shortLivedContract } from './vault-short-lived.js';

/** Where a suite's vaults live: every `open` is another instance on the same data, as another process would be. */
export interface VaultHarness {
  /** @param options `next` a DATA_KEY to change to, the one it was started with being the former */
  open(options?: { readonly next?: Buffer }): Promise<ArchivableVault>;
  /** Makes the person's key vanish as a fault would, without a tombstone. */
  loseKey(person: PersonId): Promise<void>;
  /** Changes what is stored of the person's key as a fault would. */
  damageKey(person: PersonId): Promise<void>;
  /** Leaves an erasure as a crash after its first step does. */
  beginErasure(person: PersonId): Promise<void>;
  remove(): Promise<void>;
}

/** Makes an empty vault under the given DATA_KEY. */
export type StartVault = (dataKey: Buffer) => Promise<VaultHarness>;

const aPerson = () => randomUUID() as PersonId;
const aHash = () => randomBytes(32).toString('hex') as KeyedHash;
const reference = (person: PersonId): PersonRef => ({
  person,
  kind: 'candidate',
  organisationId: randomUUID(),
});

/** What every vault must satisfy. */
export function vaultContract(name: string, start: StartVault): void {
  describe(`vault: ${name}`, () => {
    let harness: VaultHarness;
    let opened: ArchivableVault[];
    const open = async () => {
      const vault = await harness.open();
      opened.push(vault);
      return vault;
    };

    beforeEach(async () => {
      harness = await start(randomBytes(32));
      opened = [];
    });
    afterEach(async () => {
      await Promise.all(opened.map((vault) => vault.close()));
      await harness.remove();
    });

    describe('keys', () => {
      it('makes a random key of 32 bytes and answers the stored one from then on', async () => {
        const vault = await open();
        const person = aPerson();
        const first = await vault.keys.create(person);
        const other = await vault.keys.create(aPerson());
        expect(first.kind === 'key' && first.key.length).toBe(32);
        expect(await vault.keys.create(person)).toEqual(first);
        expect(await vault.keys.get(person)).toEqual(first);
        expect(other).not.toEqual(first);
      });

      it('makes one key, however many instances make it at once', async () => {
        const vaults = [await open(), await open()];
        for (let round = 0; round < 5; round++) {
          const person = aPerson();
          const made = await Promise.all([...vaults, ...vaults].map((vault) => vault.keys.create(person)));
          expect(new Set(made.map((key) => key.kind === 'key' && key.key.toString('hex'))).size).toBe(1);
          expect(await vaults[1]!.keys.get(person)).toEqual(made[0]);
        }
      });

      it('keeps keys over a restart', async () => {
        const former = await open();
        const person = aPerson();
        const key = await former.keys.create(person);
        await former.close();
        expect(await (await open()).keys.get(person)).toEqual(key);
      });

      it('distinguishes a person who never had a key from an erased one', async () => {
        const vault = await open();
        const person = aPerson();
        expect(await vault.keys.get(person)).toBeNull();
        await vault.keys.create(person);
        await vault.keys.erase(person);
        expect(await vault.keys.get(person)).toEqual({ kind: 'erased' });
      });

      it('answers a key that vanished with null, never as an erasure', async () => {
        const former = await open();
        const person = aPerson();
        await former.keys.create(person);
        await harness.loseKey(person);
        expect(await (await open()).keys.get(person)).toBeNull();
      });

      it('never makes a key again for an erased person', async () => {
        const vault = await open();
        const person = aPerson();
        await vault.keys.create(person);
        await vault.keys.erase(person);
        await vault.keys.erase(person);
        expect(await vault.keys.create(person)).toEqual({ kind: 'erased' });
        const unborn = aPerson();
        await vault.keys.erase(unborn);
        expect(await vault.keys.create(unborn)).toEqual({ kind: 'erased' });
        expect(await (await open()).keys.get(person)).toEqual({ kind: 'erased' });
      });

      it('ends with the person erased, whichever of making and erasing comes first', async () => {
        const vaults = [await open(), await open()] as const;
        for (let round = 0; round < 10; round++) {
          const person = aPerson();
          await Promise.all([vaults[0].keys.create(person), vaults[1].keys.erase(person)]);
          await sleep(0);
          expect(await (await open()).keys.get(person)).toEqual({ kind: 'erased' });
          expect(await vaults[1].keys.get(person)).toEqual({ kind: 'erased' });
        }
      });

      it('gives no key once an erasure has answered, whatever was read while it ran', async () => {
        const vault = await open();
        for (let round = 0; round < 10; round++) {
          const person = aPerson();
          await vault.keys.create(person);
          let erased = false;
          const readings: Promise<unknown>[] = [];
          const read = async (): Promise<void> => {
            while (!erased) {
              vault.keys.peek?.(person);
              readings.push(vault.keys.get(person));
              await sleep(0);
            }
          };
          const reading = read();
          await vault.keys.erase(person);
          const answers = [vault.keys.peek?.(person)?.kind, (await vault.keys.get(person))?.kind];
          erased = true;
          await reading;
          await Promise.all(readings);
          answers.push(vault.keys.peek?.(person)?.kind);
          expect(answers).not.toContain('key');
          expect(answers[1]).toBe('erased');
        }
      });

      it('uses no key later than 1 s after its erasure by another instance', async () => {
        const user = await open();
        const eraser = await open();
        const person = aPerson();
        await user.keys.create(person);
        const polls: { at: number; kind: string | undefined }[] = [];
        const poll = async () => {
          const key = user.keys.peek?.(person) ?? (await user.keys.get(person));
          polls.push({ at: performance.now(), kind: key?.kind });
        };
        await poll();
        await eraser.keys.erase(person);
        const erasedAt = performance.now();
        expect(await eraser.keys.get(person)).toEqual({ kind: 'erased' });
        while (performance.now() < erasedAt + 1_100) {
          await poll();
          await sleep(5);
        }
        expect(polls.filter(({ at, kind }) => at > erasedAt + 1_000 && kind !== 'erased')).toEqual([]);
        expect(polls.at(-1)?.kind).toBe('erased');
      });

      it('refuses an id that could name anything else than a person', async () => {
        const vault = await open();
        for (const id of ['', '..', '../x', 'a/b', 'a\\b', 'a\0b', 'é', 'x'.repeat(129)])
          await expect(vault.keys.create(id as PersonId)).rejects.toThrow('person id');
      });

      it('refuses a read whose id or time could place it among those of another evaluation', async () => {
        const vault = await open();
        const first = { limit: 1, before: null };
        for (const id of ['', 'a b', 'a!', 'a\0b', 'é', 'x'.repeat(129)]) {
          await expect(vault.reads.record([aRead(id)])).rejects.toThrow(RangeError);
          await expect(vault.reads.record([aRead('e'), aRead('e', { id })])).rejects.toThrow(RangeError);
          await expect(vault.reads.list(id, first)).rejects.toThrow(RangeError);
        }
        const at = '2026-01-01T00:00:00Z';
        await expect(vault.reads.record([aRead('e', { at })])).rejects.toThrow(RangeError);
        await expect(vault.reads.list('e', { limit: 1, before: { at, id: 'i' } })).rejects.toThrow(
          RangeError,
        );
        expect(await vault.reads.list('e', first)).toEqual([]);
      });
    });

    describe('identities', () => {
      it('swaps only from the stored value', async () => {
        const vault = await open();
        const [hash, first, second] = [aHash(), aPerson(), aPerson()];
        expect(await vault.identities.get(hash)).toBeNull();
        expect(await vault.identities.swap(hash, first, second)).toBe(false);
        expect(await vault.identities.swap(hash, null, first)).toBe(true);
        expect(await vault.identities.swap(hash, null, second)).toBe(false);
        expect(await vault.identities.get(hash)).toBe(first);
        expect(await vault.identities.swap(hash, first, second)).toBe(true);
        expect(await (await open()).identities.get(hash)).toBe(second);
      });

      it('lets one of many win, and all see who', async () => {
        const vaults = [await open(), await open()] as const;
        const hash = aHash();
        const persons = Array.from({ length: 8 }, aPerson);
        const won = await Promise.all(
          persons.map((person, index) => vaults[index % 2 === 0 ? 0 : 1].identities.swap(hash, null, person)),
        );
        const winners = persons.filter((_, index) => won[index]);
        expect(winners).toHaveLength(1);
        for (const vault of vaults) expect(await vault.identities.get(hash)).toBe(winners[0]);
      });

      it('go with the person, and do not come back', async () => {
        const vault = await open();
        const [erased, other] = [aPerson(), aPerson()];
        const [own, second, passedOn, foreign] = [aHash(), aHash(), aHash(), aHash()];
        await vault.identities.swap(own, null, erased);
        await vault.identities.swap(second, null, erased);
        await vault.identities.swap(passedOn, null, erased);
        await vault.identities.swap(passedOn, erased, other);
        await vault.identities.swap(foreign, null, other);
        await vault.keys.erase(erased);
        expect(await vault.identities.get(own)).toBeNull();
        expect(await vault.identities.get(second)).toBeNull();
        expect(await vault.identities.get(passedOn)).toBe(other);
        expect(await vault.identities.get(foreign)).toBe(other);
        expect(await vault.identities.swap(own, null, erased)).toBe(false);
        expect(await vault.identities.get(own)).toBeNull();
        expect(await vault.identities.swap(own, null, other)).toBe(true);
      });
    });

    describe('carriers', () => {
      it('lists every person once, under that hash alone', async () => {
        const vault = await open();
        const hash = 'ab' as KeyedHash;
        const longer = 'abc' as KeyedHash;
        const [first, second, third] = [aPerson(), aPerson(), aPerson()].map(reference) as [
          PersonRef,
          PersonRef,
          PersonRef,
        ];
        expect(await vault.carriers.list(hash)).toEqual([]);
        await Promise.all([vault.carriers.add(hash, first), vault.carriers.add(hash, first)]);
        await vault.carriers.add(hash, second);
        await vault.carriers.add(longer, third);
        const listed = await (await open()).carriers.list(hash);
        expect(listed).toHaveLength(2);
        expect(listed).toEqual(expect.arrayContaining([first, second]));
        expect(await vault.carriers.list(longer)).toEqual([third]);
      });

      it('go with the person, and do not come back', async () => {
        const vault = await open();
        const [hash, other] = [aHash(), aHash()];
        const [erased, staying] = [reference(aPerson()), reference(aPerson())];
        for (const ref of [erased, staying]) await vault.carriers.add(hash, ref);
        await vault.carriers.add(other, erased);
        await vault.keys.erase(erased.person);
        await vault.carriers.add(hash, erased);
        expect(await vault.carriers.list(hash)).toEqual([staying]);
        expect(await vault.carriers.list(other)).toEqual([]);
      });
    });

    describe('secrets', () => {
      it('are made once and the same for all, also after a restart', async () => {
        const vaults = [await open(), await open()];
        const made = await Promise.all(
          [...vaults, ...vaults].map((vault) => vault.secret('one', () => randomBytes(32))),
        );
        expect(new Set(made.map((secret) => secret.toString('hex'))).size).toBe(1);
        const reopened = await open();
        const again = await reopened.secret('one', () => {
          throw new Error('it was made before');
        });
        expect(again).toEqual(made[0]);
        expect(await reopened.secret('two', () => randomBytes(32))).not.toEqual(made[0]);
      });

      it('cannot be changed through what was handed out', async () => {
        const vault = await open();
        const secret = await vault.secret('one', () => Buffer.from('unchanged'));
        secret.fill(0);
        const again = await vault.secret('one', () => Buffer.alloc(1));
        expect(again.toString()).toBe('unchanged');
        again.fill(0);
        expect((await vault.secret('one', () => Buffer.alloc(1))).toString()).toBe('unchanged');
      });
    });

    describe('sweeps', () => {
      it('have a cursor that changes from exactly what is expected, in every process', async () => {
        const [{ sweeps }, other] = [await open(), (await open()).sweeps];
        const [first, second] = [
          { after: 'person session', at: 1_750_000_000_000 },
          { after: null, at: 0 },
        ];
        expect(await sweeps.cursor('one')).toBeNull();
        expect(await sweeps.move('one', first, second)).toBe(false);
        expect(await sweeps.move('one', null, first)).toBe(true);
        expect(await other.move('one', null, second)).toBe(false);
        expect(await other.cursor('one')).toEqual(first);
        expect(await other.move('one', first, second)).toBe(true);
        expect(await (await open()).sweeps.cursor('one')).toEqual(second);
        expect(await sweeps.cursor('two')).toBeNull();
      });

      it('walk all erased persons in parts, and touch no other person', async () => {
        const vault = await open();
        const [erased, living] = [[aPerson(), aPerson(), aPerson()], aPerson()];
        for (const person of [...erased, living]) await vault.keys.create(person);
        for (const person of erased) await vault.keys.erase(person);
        const key = await vault.keys.get(living);
        expect(await sweepErased(vault)).toBeLessThanOrEqual(erased.length + 1);
        for (const person of erased) expect(await vault.keys.get(person)).toEqual({ kind: 'erased' });
        expect(await (await open()).keys.get(living)).toEqual(key);
      });
    });

    audioContract(() => start(randomBytes(32)));

    filesContract(() => start(randomBytes(32)));

    readsContract(() => start(randomBytes(32)));

    shortLivedContract(() => start(randomBytes(32)));

    archiveContract(start);

    it('answers nothing once it is closed', async () => {
      const vault = await open();
      await vault.close();
      await vault.close();
      await expect(vault.keys.get(aPerson())).rejects.toThrow('closed');
      await expect(vault.identities.get(aHash())).rejects.toThrow('closed');
      const of = { person: aPerson(), trialSessionId: randomUUID() };
      await expect(vault.audio.state(of)).rejects.toThrow('closed');
      await expect(vault.audio.append(of, 0, aChunk(1, 1))).rejects.toThrow('closed');
      await expect(vault.audio.discard(of, 1)).rejects.toThrow('closed');
      const file = { person: aPerson(), fileId: randomUUID() };
      await expect(vault.files.size(file)).rejects.toThrow('closed');
      await expect(vault.files.append(file, 0, randomBytes(1))).rejects.toThrow('closed');
      await expect(vault.files.discard(file)).rejects.toThrow('closed');
      await expect(vault.claims.claim(aHash(), aPerson())).rejects.toThrow('closed');
      await expect(vault.claims.move(aHash(), aPerson(), aPerson())).rejects.toThrow('closed');
      await expect(vault.reads.record([aRead('e')])).rejects.toThrow('closed');
      await expect(vault.reads.list('e', { limit: 1, before: null })).rejects.toThrow('closed');
      await expect(vault.sweeps.cursor('one')).rejects.toThrow('closed');
      await expect(sweepErased(vault)).rejects.toThrow('closed');
    });
  });
}
