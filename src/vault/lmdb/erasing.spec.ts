import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { aChunk } from '../../../test/contracts/vault-audio.js';
import { sweepErased } from '../../../test/support/sweep-erased.js';
import type { KeyedHash } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import type { ArchivableVault, VaultEntry } from '../archive.js';
import { WrappingKey } from '../data-key.js';
import { Environment } from './environment.js';
import { KeyFiles } from './key-files.js';
import { openEmbeddedVault } from './vault.js';

type Sync = FileHandle['sync'];

/** Calls `before` with its path before any file or folder of this process is synced. @returns what ends it */
const onSync = async (before: (path: string) => Promise<void> | void): Promise<() => void> => {
  const handle = await openFile(tmpdir(), 'r');
  const prototype = Object.getPrototypeOf(handle) as { sync: Sync };
  await handle.close();
  const { sync } = prototype;
  prototype.sync = async function (this: FileHandle) {
    await before(readlinkSync(`/proc/self/fd/${this.fd}`));
    return sync.call(this);
  };
  return () => void (prototype.sync = sync);
};

describe('an erasure in the embedded vault', () => {
  const dataKey = randomBytes(32);
  let folder: string;
  let vaults: ArchivableVault[];
  let person: PersonId;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-erasing-'));
    vaults = [];
    person = randomUUID() as PersonId;
  });
  afterEach(async () => {
    for (const vault of vaults) await vault.close();
    await rm(folder, { recursive: true });
  });

  const open = async (): Promise<ArchivableVault> => {
    const vault = await openEmbeddedVault(folder, dataKey);
    vaults.push(vault);
    return vault;
  };
  const filesOf = (kind: 'keys' | 'erased'): readonly string[] =>
    readdirSync(join(folder, kind), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name === person)
      .map((entry) => join(entry.parentPath, entry.name));
  const entriesOf = async (vault: ArchivableVault): Promise<VaultEntry[]> => {
    const entries: VaultEntry[] = [];
    for await (const entry of vault.entries()) entries.push(entry);
    return entries;
  };

  it('leaves no key, also where one is made at that moment', async () => {
    const [vault, other] = [await open(), await open()];
    let met = false;
    // The key is written, and has not got its name yet.
    const end = await onSync(async () => {
      if (met) return;
      met = true;
      await other.keys.erase(person);
    });
    try {
      expect(await vault.keys.create(person)).toEqual({ kind: 'erased' });
    } finally {
      end();
    }
    expect(met).toBe(true);
    expect(filesOf('keys')).toEqual([]);
    expect(filesOf('erased')).toHaveLength(1);
  });

  it('has a tombstone that stands after a power cut before it touches the key', async () => {
    const vault = await open();
    await vault.keys.create(person);
    const steps: string[] = [];
    const standing: boolean[] = [];
    const end = await onSync((path) => {
      steps.push(relative(folder, path));
      standing.push(filesOf('keys').length + filesOf('erased').length > 0);
    });
    await vault.keys.erase(person).finally(end);
    const [tombstone = ''] = filesOf('erased').map((path) => relative(folder, path));
    const key = join('keys', basename(dirname(tombstone)), person);
    const order = [tombstone, dirname(tombstone), key].map((path) => steps.indexOf(path));
    expect(order.every((place) => place >= 0)).toBe(true);
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(standing).not.toContain(false);
    expect(filesOf('keys')).toEqual([]);
  });

  it('leaves no key in memory, whenever it is asked for meanwhile', async () => {
    const vault = await open();
    await vault.keys.create(person);
    const asked: (string | undefined)[] = [];
    const end = await onSync(() => void asked.push(vault.keys.peek?.(person)?.kind));
    await vault.keys.erase(person).finally(end);
    expect(asked).toContain('erased');
    expect(vault.keys.peek?.(person)).toEqual({ kind: 'erased' });
    expect(await vault.keys.get(person)).toEqual({ kind: 'erased' });
  });

  it('is repeated by the next sweep for a key that came back', async () => {
    const vault = await open();
    await vault.keys.create(person);
    const [path = ''] = filesOf('keys');
    const key = readFileSync(path);
    await vault.keys.erase(person);
    // As from a backup, or by a process that was killed before it looked for the tombstone.
    writeFileSync(path, key);
    await sweepErased(vault);
    expect(filesOf('keys')).toEqual([]);
    expect(await vault.keys.get(person)).toEqual({ kind: 'erased' });
  });

  it('is repeated by a sweep that a stop of the process ends at the next person, and later does the rest', async () => {
    const vault = await open();
    const shard = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 2);
    let other = randomUUID() as PersonId;
    while (shard(other) !== shard(person)) other = randomUUID() as PersonId;
    for (const one of [person, other]) {
      await vault.keys.create(one);
      await vault.keys.erase(one);
    }
    const paths = [person, other].map((one) => join(folder, 'keys', shard(one), one));
    const standing = (): number => paths.filter((path) => existsSync(path)).length;
    for (const path of paths) writeFileSync(path, randomBytes(68));
    const stopping = new AbortController();
    const end = await onSync(() => stopping.abort());
    const after = await vault.sweeps.erased(null, stopping.signal).finally(end);
    expect([after, standing()]).toEqual(['', 1]);
    await sweepErased(vault);
    expect(standing()).toBe(0);
  });

  it('is repeated by the next sweep for a file that an older build left', async () => {
    const vault = await open();
    await vault.keys.create(person);
    await vault.keys.erase(person);
    const chunks = Environment.openChunks(folder);
    const left = ['file', person, 'f', 1, 1, 1, 1];
    await chunks.transact(({ put }) => put(left, Buffer.alloc(1)));
    await sweepErased(vault);
    expect(chunks.get(left)).toBeUndefined();
    await chunks.close();
  });

  it('is gone through with by an archive, if only a tombstone tells of it', async () => {
    const vault = await open();
    const hash = randomBytes(32).toString('hex') as KeyedHash;
    await vault.keys.create(person);
    await vault.identities.swap(hash, null, person);
    const files = new KeyFiles(folder, new WrappingKey(dataKey));
    await files.makeTombstone(person);
    await vault.put({ kind: 'erased', person });
    expect(await vault.identities.get(hash)).toBeNull();
    expect(filesOf('keys')).toEqual([]);
  });

  it('removes a key that came back as soon as somebody is about to make one', async () => {
    const vault = await open();
    await vault.keys.create(person);
    const [path = ''] = filesOf('keys');
    const key = readFileSync(path);
    await vault.keys.erase(person);
    writeFileSync(path, key);
    expect(await vault.keys.create(person)).toEqual({ kind: 'erased' });
    expect(filesOf('keys')).toEqual([]);
  });

  it('is gone through with by an archive, if only its look-ups tell of it', async () => {
    const vault = await open();
    await vault.keys.create(person);
    const [key] = (await entriesOf(vault)).filter(({ kind }) => kind === 'key');
    await vault.keys.erase(person);
    for (const path of filesOf('erased')) rmSync(path);
    const again = await open();
    await again.put({ kind: 'erased', person });
    expect(filesOf('erased')).toHaveLength(1);
    expect(await again.keys.get(person)).toEqual({ kind: 'erased' });
    if (key) await again.put(key);
    expect(filesOf('keys')).toEqual([]);
  });

  it('lets no audio be taken any more, by whichever way', async () => {
    const [vault, other] = [await open(), await open()];
    const of = { person, trialSessionId: randomUUID() };
    await vault.keys.create(person);
    await vault.audio.append(of, 0, aChunk(1, 1));
    const held = (await entriesOf(vault)).filter(({ kind }) => kind.startsWith('audio'));
    expect(held).toHaveLength(2);
    // The other process has just used the key, and still has it cached.
    await other.keys.get(person);
    await vault.keys.erase(person);
    await expect(other.audio.append(of, 0, aChunk(1, 1))).rejects.toThrow(/erased/);
    await expect(other.audio.append(of, 10, aChunk(1, 11))).rejects.toThrow(/erased/);
    const stranger = { ...of, trialSessionId: randomUUID() };
    await expect(other.audio.append(stranger, 0, aChunk(1, 1))).rejects.toThrow(/erased/);
    const moved = held.map((entry) => ({ ...entry, log: stranger.trialSessionId }) as VaultEntry);
    for (const entry of [...held, ...moved]) await other.put(entry);
    expect(await other.audio.state(of)).toEqual({ lastSeq: 0 });
    expect(await other.audio.state(stranger)).toEqual({ lastSeq: 0 });
    // No file has got a session's name from it either.
    const file = readFileSync(join(folder, 'audio', 'data.mdb')).toString('latin1');
    expect(file).not.toContain(stranger.trialSessionId);
  });
});
