import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aChunk } from '../../../test/contracts/vault-audio.js';
import { aRead } from '../../../test/contracts/vault-reads.js';
import type { KeyedHash } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import type { VaultEntry } from '../archive.js';
import { changing, wrappedBy, WrappingKey } from '../data-key.js';
import { copyVault, erasedIn, eraseIn, unknownTo } from './backup.js';
import { ChunkErasures } from './chunk-entries.js';
import { Environment } from './environment.js';
import { KeyFiles } from './key-files.js';
import { digestShards } from './key-shards.js';
import { ErasureMarks } from './keys.js';
import { LookUpEnvironment } from './look-up-environment.js';
import { openEmbeddedVault } from './vault.js';

describe('a copy of the embedded vault', () => {
  const dataKey = randomBytes(32);
  const [one, other] = [randomUUID(), randomUUID()] as [PersonId, PersonId];
  let root: string;
  let folder: string;
  let copy: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'assay-vault-copy-'));
    [folder, copy] = [join(root, 'vault'), join(root, 'copy')];
    const vault = await openEmbeddedVault(folder, dataKey);
    await vault.secret('shared', () => randomBytes(32));
    for (const person of [one, other]) {
      const hash = person.replaceAll('-', '').repeat(2) as KeyedHash;
      await vault.keys.create(person);
      await vault.identities.swap(hash, null, person);
      await vault.carriers.add(hash, { person, kind: 'candidate', organisationId: 'o' });
      await vault.audio.append({ person, trialSessionId: 's' }, 0, aChunk(1, 1));
    }
    await vault.close();
  });
  afterEach(() => rm(root, { recursive: true }));

  const entriesOf = async (path: string): Promise<VaultEntry[]> => {
    const vault = await openEmbeddedVault(path, dataKey);
    try {
      const entries: VaultEntry[] = [];
      for await (const entry of vault.entries()) entries.push(entry);
      return entries;
    } finally {
      await vault.close();
    }
  };

  /** The parts of an erasure, which a copy may fall between. */
  const steps: Record<string, (person: PersonId) => Promise<void>> = {
    'its mark in the look-ups': async (person) => {
      const environment = await LookUpEnvironment.openIn(folder);
      await new ErasureMarks(environment).begin(person);
      await environment.close();
    },
    'the end of its mark': async (person) => {
      const environment = await LookUpEnvironment.openIn(folder);
      const lookUps = new ErasureMarks(environment);
      await lookUps.begin(person);
      await lookUps.end(person);
      await environment.close();
    },
    'its tombstone': (person) => new KeyFiles(folder, new WrappingKey(dataKey)).makeTombstone(person),
    'its key’s end': async (person) => {
      const files = new KeyFiles(folder, new WrappingKey(dataKey));
      await files.makeTombstone(person);
      await files.destroy(person);
    },
    'its audio’s end': async (person) => {
      await steps['its tombstone']?.(person);
      const environment = Environment.openChunks(folder);
      await new ChunkErasures(() => environment).erase(person);
      await environment.close();
    },
  };

  it('holds what the vault holds, and nothing of a key on its way', async () => {
    await copyVault(folder, copy);
    expect(await entriesOf(copy)).toEqual(await entriesOf(folder));
    expect(await digestShards(join(copy, 'keys'))).toEqual(await digestShards(join(folder, 'keys')));
    expect(readdirSync(join(copy, 'made'))).toEqual([]);
  });

  it('holds whom commands were first for and who read evaluations, also of somebody erased', async () => {
    const vault = await openEmbeddedVault(folder, dataKey);
    const hash = 'ab'.repeat(32) as KeyedHash;
    const read = aRead('evaluation', { actor: { type: 'candidate', id: one } });
    await vault.claims.claim(hash, one);
    await vault.reads.record([read]);
    await vault.keys.erase(one);
    await vault.close();
    await copyVault(folder, copy);
    await eraseIn(copy, [one, other]);
    const copied = await openEmbeddedVault(copy, dataKey);
    expect(await copied.claims.claim(hash, other)).toBe(one);
    expect(await copied.reads.list('evaluation', { limit: 9, before: null })).toEqual([read]);
    await copied.close();
  });

  it.each(Object.keys(steps))(
    'in which of an erasure only %s is seen holds nothing of the person',
    async (step) => {
      await steps[step]?.(one);
      await copyVault(folder, copy);
      const entries = await entriesOf(copy);
      const of = (person: PersonId) =>
        entries.filter((entry) => JSON.stringify(entry).includes(person)).map(({ kind }) => kind);
      expect(of(one)).toEqual(['erased']);
      expect(of(other)).toEqual(['key', 'identity', 'carrier', 'audio_end', 'audio']);
      expect((await digestShards(join(copy, 'keys'))).files).toBe(1);
    },
  );

  it('takes tombstones without any key, and stays as it is when they come again', async () => {
    await copyVault(folder, copy);
    const stranger = randomUUID() as PersonId;
    expect(await eraseIn(copy, [one, stranger])).toBe(2);
    expect(await erasedIn(copy)).toEqual(new Set([one, stranger]));
    expect(unknownTo(copy, [one, other, 'nobody' as PersonId])).toEqual(['nobody']);
    const entries = await entriesOf(copy);
    expect(await eraseIn(copy, [one, stranger])).toBe(0);
    expect(await entriesOf(copy)).toEqual(entries);
    expect(entries.filter(({ kind }) => kind === 'key')).toHaveLength(1);
  });

  const uses: Record<string, () => Promise<unknown>> = {
    'a copy': () => copyVault(folder, copy),
    'an erasure': () => eraseIn(folder, [one]),
    'an opening': () => openEmbeddedVault(folder, dataKey),
  };
  it.each(Object.keys(uses))(
    'leaves no environment open if a second one cannot be opened, as by %s of a damaged vault',
    async (use) => {
      writeFileSync(join(folder, 'audio', 'data.mdb'), randomBytes(8_192));
      await expect(uses[use]?.()).rejects.toThrow(/vault's audio/);
      // Each open environment has a claim in its folder.
      expect(readdirSync(join(folder, 'look-ups')).filter((name) => name.startsWith('open.'))).toEqual([]);
    },
  );

  it('is made of a vault that may only be read, as its erasures are read, and makes no file beside it', async () => {
    const vault = await openEmbeddedVault(folder, dataKey);
    await vault.keys.erase(one);
    await vault.close();
    // As in a backup.
    for (const file of ['lock.mdb', 'mapped'])
      for (const environment of ['look-ups', 'audio']) rmSync(join(folder, environment, file));
    const listed = (): string[] => readdirSync(folder, { recursive: true }).map(String).sort();
    chmodSync(root, 0o777);
    for (const file of listed()) chmodSync(join(folder, file), 0o555);
    chmodSync(folder, 0o555);
    const before = listed();
    const isRoot = process.geteuid?.() === 0;
    // Any user but root, who may write to a read-only file.
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await erasedIn(folder)).toEqual(new Set([one]));
      await copyVault(folder, copy);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(listed()).toEqual(before);
    expect(await erasedIn(copy)).toEqual(new Set([one]));
    for (const name of ['', ...listed()]) chmodSync(join(folder, name), 0o755);
  });

  it('is not made while DATA_KEY is being changed', async () => {
    const environment = await LookUpEnvironment.openIn(folder);
    environment.transactNow(({ put }) =>
      put(['vault'], changing(new WrappingKey(dataKey), new WrappingKey(randomBytes(32)))),
    );
    await environment.close();
    await expect(copyVault(folder, copy)).rejects.toThrow(/DATA_KEY is being changed/);
  });

  it('is not made if DATA_KEY is changed while it is being copied', async () => {
    const environment = await LookUpEnvironment.openIn(folder);
    const copying = copyVault(folder, copy).catch((error: unknown) => error);
    // The copy has read by then which key wraps the vault.
    while (!existsSync(copy)) await new Promise((resolve) => setImmediate(resolve));
    environment.transactNow(({ put }) => put(['vault'], wrappedBy(new WrappingKey(randomBytes(32)))));
    await environment.close();
    expect(await copying).toMatchObject({ message: expect.stringContaining('DATA_KEY is being changed') });
  });
});
