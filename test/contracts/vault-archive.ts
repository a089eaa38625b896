import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type { KeyedHash } from '../../src/core/keyed-hash.js';
import type { PersonId, PersonKey } from '../../src/core/vault/port.js';
import type { ArchivableVault, VaultEntry } from '../../src/vault/archive.js';
import type { PersonRef, Vault } from '../../src/vault/port.js';
import { aSession, fillTurns, readTurn, sessionsOf } from './vault-audio.js';
import { aFile, fillFile, filesOf, readFile } from './vault-files.js';
import { aRead } from './vault-reads.js';
import type { StartVault, VaultHarness } from './vault.js';

const aPerson = () => randomUUID() as PersonId;
const aHash = () => randomBytes(32).toString('hex') as KeyedHash;

/** A person as a service leaves them: a key and everything that they are found by. */
interface Known {
  readonly ref: PersonRef;
  readonly key: PersonKey;
  readonly identity: KeyedHash;
  readonly carrier: KeyedHash;
}

async function introduce(vault: Vault, carrier = aHash()): Promise<Known> {
  const ref: PersonRef = { person: aPerson(), kind: 'candidate', organisationId: randomUUID() };
  const identity = aHash();
  const key = await vault.keys.create(ref.person);
  await vault.carriers.add(carrier, ref);
  await vault.identities.swap(identity, null, ref.person);
  return { ref, key, identity, carrier };
}

async function entriesOf(vault: ArchivableVault): Promise<VaultEntry[]> {
  const entries: VaultEntry[] = [];
  for await (const entry of vault.entries()) entries.push(entry);
  return entries;
}

/** Whatever the last byte was, it is another. */
const withLastByteFlipped = (bytes: Buffer): Buffer => {
  const changed = Buffer.from(bytes);
  changed[changed.length - 1]! ^= 1;
  return changed;
};

const putAll = async (vault: ArchivableVault, entries: readonly VaultEntry[]) => {
  for (const entry of entries) await vault.put(entry);
};

const personOf = (entry: VaultEntry): string | undefined => {
  if (entry.kind === 'secret' || entry.kind === 'claim' || entry.kind === 'read') return undefined;
  return entry.kind === 'carrier' ? entry.person.person : entry.person;
};

/** What it takes to carry a vault's content to another one. */
export function archiveContract(start: StartVault): void {
  describe('carried to another vault', () => {
    const dataKey = randomBytes(32);
    let harnesses: VaultHarness[];
    let opened: Vault[];
    let source: VaultHarness;
    let target: VaultHarness;
    const another = async (key = dataKey) => {
      const harness = await start(key);
      harnesses.push(harness);
      return harness;
    };
    const open = async (harness: VaultHarness) => {
      const vault = await harness.open();
      opened.push(vault);
      return vault;
    };

    beforeEach(async () => {
      harnesses = [];
      opened = [];
      source = await another();
      target = await another();
    });
    afterEach(async () => {
      await Promise.all(opened.map((vault) => vault.close()));
      await Promise.all(harnesses.map((harness) => harness.remove()));
    });

    it('is the same there, entry for entry and byte for byte, and works', async () => {
      const from = await open(source);
      const shared = aHash();
      const known = [await introduce(from, shared), await introduce(from, shared), await introduce(from)];
      const gone = await introduce(from, shared);
      await from.keys.erase(gone.ref.person);
      const secrets = await Promise.all(
        ['one', 'two'].map((name) => from.secret(name, () => randomBytes(32))),
      );

      const entries = await entriesOf(from);
      expect(entries).toHaveLength(1 + 3 + 3 + 3 + 2);
      const to = await open(target);
      expect(await entriesOf(to)).toEqual([]);
      await putAll(to, entries);
      expect(await entriesOf(to)).toEqual(entries);
      expect(await entriesOf(await open(target))).toEqual(entries);

      for (const { ref, key, identity, carrier } of known) {
        expect(await to.keys.get(ref.person)).toEqual(key);
        expect(await to.keys.create(ref.person)).toEqual(key);
        expect(await to.identities.get(identity)).toBe(ref.person);
        expect(await to.carriers.list(carrier)).toContainEqual(ref);
      }
      expect(await to.carriers.list(shared)).toHaveLength(2);
      expect(await to.keys.create(gone.ref.person)).toEqual({ kind: 'erased' });
      expect(await to.identities.get(gone.identity)).toBeNull();
      const unmade = () => {
        throw new Error('it was copied');
      };
      expect(await Promise.all(['one', 'two'].map((name) => to.secret(name, unmade)))).toEqual(secrets);
      await to.keys.erase(known[0]!.ref.person);
      expect(await to.identities.get(known[0]!.identity)).toBeNull();
      expect(await to.carriers.list(shared)).toEqual([known[1]!.ref]);
    });

    it('is listed in one order, tombstones first, whatever came first', async () => {
      const from = await open(source);
      await from.secret('b', () => randomBytes(32));
      await from.secret('a', () => randomBytes(32));
      for (let n = 0; n < 6; n++) await introduce(from);
      for (let n = 0; n < 3; n++) await from.keys.erase(aPerson());
      for (let n = 0; n < 3; n++) {
        await from.claims.claim(aHash(), aPerson());
        const evaluation = randomUUID();
        await from.reads.record([1, 2].map(() => aRead(evaluation)).reverse());
        const of = await aSession(from);
        await fillTurns(from, of, [2, 1, 2]);
        await fillTurns(from, await aSession(from, of.person), [1]);
        await fillFile(from, await aFile(from, of.person), [3, 4]);
      }
      const entries = await entriesOf(from);
      expect(await entriesOf(from)).toEqual(entries);
      const kinds = [
        'erased',
        'key',
        'identity',
        'carrier',
        'claim',
        'secret',
        'read',
        'audio_end',
        'audio',
        'file',
      ];
      const rank = (entry: VaultEntry) => {
        const hash = 'hash' in entry ? entry.hash : '';
        const name = entry.kind === 'secret' ? entry.name : personOf(entry);
        const session = 'log' in entry ? entry.log : '';
        const place = entry.kind === 'audio' || entry.kind === 'file' ? [entry.part, entry.firstSeq] : [];
        const read = entry.kind === 'read' ? [entry.entry.evaluationId, entry.entry.at, entry.entry.id] : [];
        return [kinds.indexOf(entry.kind), hash, name, session, ...place, ...read].join(' ');
      };
      const ranks = entries.map(rank);
      expect(ranks).toEqual([...ranks].sort());

      const to = await open(target);
      await putAll(to, [...entries].reverse());
      expect(await entriesOf(to)).toEqual(entries);
    });

    it('carries audio sealed as it is stored, and the end of audio that was discarded', async () => {
      const from = await open(source);
      const of = await aSession(from);
      const [, second] = await fillTurns(from, of, [1, 2, 1]);
      await from.audio.discard(of, 1);
      const emptied = await aSession(from, of.person);
      await fillTurns(from, emptied, [1]);
      await from.audio.discard(emptied, 1);
      const entries = await entriesOf(from);
      expect(entries.map(({ kind }) => kind)).toEqual(['key', 'audio_end', 'audio_end', 'audio']);
      const plain = entries.map((entry) => (entry.kind === 'audio' ? entry.sealed.toString('latin1') : ''));
      expect(plain.join('')).not.toContain(Buffer.from(second!.pcm.slice(0, 16)).toString('latin1'));

      for (const order of [entries, [...entries].reverse()]) {
        const to = await open(await another());
        await putAll(to, order);
        await putAll(to, order);
        expect(await entriesOf(to)).toEqual(entries);
        expect(await readTurn(to, of, 2)).toEqual([second]);
        expect(await sessionsOf(to)).toEqual([of]);
        // The copy continues at the sequence number at which the original ended.
        for (const [one, lastSeq] of [
          [of, 30],
          [emptied, 10],
        ] as const) {
          expect(await to.audio.state(one)).toEqual({ lastSeq });
          await fillTurns(to, one, [3]);
          expect(await to.audio.state(one)).toEqual({ lastSeq: lastSeq + 10 });
        }
      }
    });

    it('carries claims and reads, those of erased persons too', async () => {
      const from = await open(source);
      const [hash, erased, evaluation] = [aHash(), aPerson(), randomUUID()];
      await from.keys.create(erased);
      await from.claims.claim(hash, erased);
      const reads = [aRead(evaluation), aRead(evaluation, { actor: { type: 'candidate', id: erased } })];
      await from.reads.record(reads);
      await from.keys.erase(erased);
      const entries = await entriesOf(from);
      expect(entries.map(({ kind }) => kind)).toEqual(['erased', 'claim', 'read', 'read']);
      for (const order of [entries, [...entries].reverse()]) {
        const to = await open(await another());
        await putAll(to, order);
        await putAll(to, order);
        expect(await entriesOf(to)).toEqual(entries);
        expect(await to.claims.claim(hash, aPerson())).toBe(erased);
        const listed = await to.reads.list(evaluation, { limit: 9, before: null });
        expect(listed).toEqual([...reads].reverse());
      }
    });

    it('takes audio over again that was discarded here meanwhile', async () => {
      const from = await open(source);
      const of = await aSession(from);
      await fillTurns(from, of, [1, 1]);
      const entries = await entriesOf(from);
      const to = await open(target);
      await putAll(to, entries);
      await to.audio.discard(of, 1);
      expect(await entriesOf(to)).not.toEqual(entries);
      await putAll(to, entries);
      expect(await entriesOf(to)).toEqual(entries);
    });

    it('takes files over, again where they were discarded here, and opens none under another name', async () => {
      const from = await open(source);
      const of = await aFile(from);
      const content = await fillFile(from, of, [100, 1, 131_072]);
      const entries = await entriesOf(from);
      const to = await open(target);
      await putAll(to, entries);
      expect((await readFile(to, of)).equals(content)).toBe(true);
      expect(await to.files.size(of)).toBe(content.length);
      await to.files.discard(of);
      await putAll(to, entries);
      expect(await entriesOf(to)).toEqual(entries);
      const piece = entries.find((entry) => entry.kind === 'file')!;
      const other = { ...of, fileId: randomUUID() };
      await to.put({ ...piece, log: other.fileId });
      await expect(readFile(to, other)).rejects.toMatchObject({ code: 'broken_seal' });
      // Audio and files are under the same key: one never passes for the other.
      await to.put({ ...piece, kind: 'audio', log: other.fileId });
      const session = { person: of.person, trialSessionId: other.fileId };
      await expect(readTurn(to, session, 1)).rejects.toMatchObject({ code: 'broken_seal' });
      // A piece that is missing before another is a fault, not a shorter file.
      const holed = await open(await another());
      await putAll(holed, entries.filter((entry) => entry.kind !== 'file' || entry.firstSeq !== 101)); // prettier-ignore
      await expect(readFile(holed, of)).rejects.toMatchObject({ code: 'broken_seal' });
      await to.keys.erase(of.person);
      await putAll(
        to,
        entries.filter(({ kind }) => kind === 'file'),
      );
      expect(await filesOf(to)).toEqual([]);
    });

    it('opens no chunk that was moved to another place, session or person', async () => {
      const from = await open(source);
      const of = await aSession(from);
      const other = await aSession(from);
      await fillTurns(from, of, [1]);
      const entries = await entriesOf(from);
      const chunk = entries.find((entry) => entry.kind === 'audio')!;
      const moved = [
        { ...chunk, part: 2 },
        { ...chunk, firstSeq: 2 },
        { ...chunk, lastSeq: 11 },
        { ...chunk, log: randomUUID() },
        { ...chunk, person: other.person },
        { ...chunk, sealed: withLastByteFlipped(chunk.sealed) },
        { ...chunk, sealed: chunk.sealed.subarray(0, 20) },
      ];
      for (const entry of moved) {
        const to = await open(await another());
        await putAll(
          to,
          entries.filter(({ kind }) => kind === 'key'),
        );
        await to.put(entry);
        const { person, log: trialSessionId, part } = entry;
        await expect(readTurn(to, { person, trialSessionId }, part)).rejects.toMatchObject({
          code: 'broken_seal',
        });
      }
    });

    it('goes on where it was cut off, and again does nothing', async () => {
      const from = await open(source);
      for (let n = 0; n < 3; n++) await introduce(from);
      await from.keys.erase(aPerson());
      await from.secret('one', () => randomBytes(32));
      await fillTurns(from, await aSession(from), [1, 2]);
      const entries = await entriesOf(from);
      const to = await open(target);
      for (const count of [1, 3, 4, 8, entries.length - 1, entries.length]) {
        await putAll(to, entries.slice(0, count));
        expect(await entriesOf(to)).toEqual(entries.slice(0, count));
      }
      // Many at once, as a copy in a hurry puts them; from two processes.
      const second = await open(target);
      await Promise.all(entries.flatMap((entry) => [to.put(entry), second.put(entry)]));
      expect(await entriesOf(to)).toEqual(entries);
    });

    it('keeps an erased person erased, whichever comes first', async () => {
      const from = await open(source);
      const { ref, identity, carrier } = await introduce(from);
      const of = await aSession(from, ref.person);
      await fillTurns(from, of, [1]);
      const alive = await entriesOf(from);
      expect(alive.map(({ kind }) => kind)).toEqual(['key', 'identity', 'carrier', 'audio_end', 'audio']);
      const tombstone: VaultEntry = { kind: 'erased', person: ref.person };
      const orders = [
        [tombstone, ...alive],
        [...alive, tombstone],
        [alive[1]!, alive[4]!, tombstone, alive[2]!, alive[0]!, alive[3]!],
      ];
      for (const order of orders) {
        const to = await open(await another());
        await putAll(to, order);
        expect(await entriesOf(to)).toEqual([tombstone]);
        expect(await to.keys.get(ref.person)).toEqual({ kind: 'erased' });
        expect(await to.identities.get(identity)).toBeNull();
        expect(await to.carriers.list(carrier)).toEqual([]);
        expect(await sessionsOf(to)).toEqual([]);
        expect(await to.audio.state(of)).toEqual({ lastSeq: 0 });
      }
      const to = await open(await another());
      await Promise.all([tombstone, ...alive].map((entry) => to.put(entry)));
      expect(await entriesOf(to)).toEqual([tombstone]);
    });

    it('lists and takes nothing of a person whose erasure was cut off', async () => {
      const from = await open(source);
      const { ref } = await introduce(from);
      const other = await introduce(from);
      for (const { person } of [ref, other.ref]) await fillTurns(from, await aSession(from, person), [1]);
      const entries = await entriesOf(from);
      await source.beginErasure(ref.person);
      const rest = entries.filter((entry) => personOf(entry) === other.ref.person);
      const erased = [{ kind: 'erased', person: ref.person }, ...rest];
      expect(await entriesOf(from)).toEqual(erased);

      const to = await open(target);
      await target.beginErasure(ref.person);
      await putAll(to, entries);
      expect(await entriesOf(to)).toEqual(erased);
      expect((await to.keys.get(ref.person))?.kind).not.toBe('key');
      const reopened = await open(target);
      expect(await reopened.keys.get(ref.person)).toEqual({ kind: 'erased' });
      expect(await entriesOf(reopened)).toEqual(erased);
      // The erasure is gone through with at the next opening, audio included.
      const again = await open(source);
      expect((await sessionsOf(again)).map(({ person }) => person)).toEqual([other.ref.person]);
    });

    it('never takes the place of anything else', async () => {
      const from = await open(source);
      const { ref, identity, carrier } = await introduce(from);
      await from.secret('one', () => randomBytes(32));
      const of = await aSession(from, ref.person);
      await fillTurns(from, of, [1]);
      const claimed = aHash();
      await from.claims.claim(claimed, ref.person);
      const read = aRead(randomUUID());
      await from.reads.record([read]);
      const entries = await entriesOf(from);

      const to = await open(target);
      await to.claims.claim(claimed, aPerson());
      await to.reads.record([{ ...read, actor: { type: 'operator', id: 'root' } }]);
      const key = await to.keys.create(ref.person);
      await fillTurns(to, of, [1, 1]);
      const secret = await to.secret('one', () => randomBytes(32));
      const second = aPerson();
      await to.identities.swap(identity, null, second);
      await to.carriers.add(carrier, { ...ref, organisationId: 'another' });
      const before = await entriesOf(to);
      for (const entry of entries)
        await expect(to.put(entry)).rejects.toMatchObject({
          code: 'store_unusable',
          message: expect.stringContaining('copy into an empty one'),
        });
      expect(await entriesOf(to)).toEqual(before);
      expect(await to.keys.get(ref.person)).toEqual(key);
      expect(await to.secret('one', () => Buffer.alloc(1))).toEqual(secret);
      expect(await to.identities.get(identity)).toBe(second);
    });

    it('takes a read or a carrier for another one if they differ in a single field', async () => {
      const to = await open(target);
      const read = aRead(randomUUID(), { actor: { type: 'staff', id: 'a' } });
      await to.reads.record([read]);
      const hash = aHash();
      const ref: PersonRef = { person: aPerson(), kind: 'candidate', organisationId: 'one' };
      await to.keys.create(ref.person);
      await to.carriers.add(hash, ref);
      const before = await entriesOf(to);
      const others: readonly VaultEntry[] = [
        { kind: 'read', entry: { ...read, organisationId: 'another' } },
        { kind: 'read', entry: { ...read, actor: { type: 'api_key', id: 'a' } } },
        { kind: 'read', entry: { ...read, actor: { type: 'staff', id: 'b' } } },
        { kind: 'carrier', hash, person: { ...ref, kind: 'member' } },
        { kind: 'carrier', hash, person: { ...ref, organisationId: 'another' } },
      ];
      for (const entry of others) await expect(to.put(entry)).rejects.toThrow('copy into an empty one');
      expect(await entriesOf(to)).toEqual(before);
      await putAll(to, [
        { kind: 'read', entry: read },
        { kind: 'carrier', hash, person: ref },
      ]);
    });

    it('passes over the entry of an erased person, also if its place belongs to somebody else by now', async () => {
      const to = await open(target);
      const [erased, other, hash] = [aPerson(), aPerson(), aHash()];
      await to.keys.create(erased);
      await to.keys.erase(erased);
      await to.identities.swap(hash, null, other);
      await to.put({ kind: 'identity', hash, person: erased });
      expect(await to.identities.get(hash)).toBe(other);
    });

    it('ends with the vault: what is listed halfway is listed no further', async () => {
      const from = await open(source);
      for (let person = 0; person < 3; person++) await from.identities.swap(aHash(), null, aPerson());
      const listing = from.entries()[Symbol.asyncIterator]();
      expect((await listing.next()).done).toBe(false);
      await from.close();
      await expect(listing.next()).rejects.toThrow('closed');
    });

    it('takes nothing that its DATA_KEY does not open', async () => {
      const from = await open(source);
      await from.keys.create(aPerson());
      await from.secret('one', () => randomBytes(32));
      const to = await open(await another(randomBytes(32)));
      for (const entry of await entriesOf(from)) await expect(to.put(entry)).rejects.toThrow('same DATA_KEY');
      expect(await entriesOf(to)).toEqual([]);
    });

    it('comes out the same where DATA_KEY was changed in each of them meanwhile', async () => {
      const from = await open(source);
      await introduce(from);
      await from.secret('one', () => randomBytes(32));
      await putAll(await open(target), await entriesOf(from));
      const next = randomBytes(32);
      await Promise.all(opened.splice(0).map((vault) => vault.close()));
      const renewed = [await source.open({ next }), await target.open({ next })] as const;
      opened.push(...renewed);
      const entries = await entriesOf(renewed[0]);
      expect(await entriesOf(renewed[1])).not.toEqual(entries);
      await putAll(renewed[1], entries);
      expect(await entriesOf(renewed[1])).toEqual(entries);
    });

    it('says so where a key is damaged, rather than leave it out', async () => {
      const from = await open(source);
      const { ref } = await introduce(from);
      await source.damageKey(ref.person);
      await expect(entriesOf(from)).rejects.toThrow(ref.person);
    });
  });
}
