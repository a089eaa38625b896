import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decrypt } from '../../core/gcm.js';
import { KeyedHasher, type KeyedHash } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import { WrappingKey } from '../data-key.js';
import type { Vault } from '../port.js';
import { copyVault } from './backup.js';
import { ErasureMarks } from './keys.js';
import { LookUpEnvironment } from './look-up-environment.js';
import { openEmbeddedVault } from './vault.js';

const BASE64 = /^[A-Za-z0-9+/]+=*/;

/** Every byte of a vault's files, and all content that a key in these files opens, in freed pages of LMDB too. */
const everything = (folder: string): string => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
  const keysFile = join(folder, 'look-ups', 'keys');
  const keys = existsSync(keysFile) ? readFileSync(keysFile) : Buffer.alloc(0);
  const opened: string[] = [];
  for (let at = 0; at < keys.length; at += 64) {
    const [id, key] = [keys.subarray(at, at + 8), keys.subarray(at + 8, at + 40)];
    if (id.every((byte) => byte === 0)) continue;
    const beginning = id.toString('base64').slice(0, 10);
    for (const text of files) {
      for (let from = text.indexOf(beginning); from >= 0; from = text.indexOf(beginning, from + 1)) {
        const sealed = Buffer.from(BASE64.exec(text.slice(from, from + 100_000))?.[0] ?? '', 'base64');
        const plain = decrypt(key, sealed.subarray(8), Buffer.from(`bucket ${Math.floor(at / 128)}`));
        if (plain) opened.push(plain.toString('latin1'));
      }
    }
  }
  return [...files, ...opened].join('\n');
};

describe('in the files of a vault', () => {
  const dataKey = randomBytes(32);
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'assay-gone-'))));
  afterEach(() => rm(folder, { recursive: true }));

  interface Known {
    readonly person: PersonId;
    readonly hashes: readonly KeyedHash[];
  }

  const register = async (vault: Vault, hasher: KeyedHasher, email: string): Promise<Known> => {
    const person = randomUUID() as PersonId;
    const identity = hasher.identityHash('o', email);
    const carrier = hasher.emailHash(email);
    await vault.keys.create(person);
    await vault.identities.swap(identity, null, person);
    await vault.carriers.add(carrier, { person, kind: 'candidate', organisationId: 'o' });
    return { person, hashes: [identity, carrier] };
  };

  const fill = async (count: number): Promise<Known[]> => {
    const vault = await openEmbeddedVault(folder, dataKey);
    const hasher = await KeyedHasher.of(vault);
    const known: Known[] = [];
    for (let one = 0; one < count; one++)
      known.push(await register(vault, hasher, `candidate.${one}@example.org`));
    await vault.close();
    return known;
  };

  const found = (hashes: readonly string[], where = folder): readonly string[] => {
    const all = everything(where);
    return hashes.filter(
      (hash) => all.includes(hash) || all.includes(Buffer.from(hash, 'hex').toString('latin1')),
    );
  };

  it('nothing confirms the address of somebody erased, whoever holds every key', async () => {
    const known = await fill(60);
    const gone = known.filter((_, index) => index % 7 === 0);
    const hashesOf = (people: readonly Known[]) => people.flatMap(({ hashes }) => hashes);
    expect(found(hashesOf(known))).toEqual(hashesOf(known));
    const vault = await openEmbeddedVault(folder, dataKey);
    const other = await openEmbeddedVault(folder, dataKey);
    for (const { person } of gone) await vault.keys.erase(person);
    // Once the erasures have ended, while another handle has the vault open; and also after the next write.
    expect(found(hashesOf(gone))).toEqual([]);
    const hasher = await KeyedHasher.of(other);
    const later = await register(other, hasher, 'later@example.org');
    expect(found(hashesOf(gone))).toEqual([]);
    for (const { person, hashes } of known) {
      const stays = gone.every((one) => one.person !== person);
      expect(await other.identities.get(hashes[0]!)).toBe(stays ? person : null);
      expect(await vault.carriers.list(hashes[1]!)).toHaveLength(stays ? 1 : 0);
    }
    expect(await vault.identities.get(later.hashes[0]!)).toBe(later.person);
    await vault.close();
    await other.close();
  });

  it('nothing is left of an erasure that was cut off, once the vault is opened again', async () => {
    const [one] = (await fill(5)) as [Known];
    const environment = await LookUpEnvironment.openIn(folder);
    await new ErasureMarks(environment).begin(one.person);
    await environment.close();
    await (await openEmbeddedVault(folder, dataKey)).close();
    expect(found(one.hashes)).toEqual([]);
  });

  it('nor in a copy that is made of the vault while people are erased', async () => {
    const known = await fill(12);
    const copy = join(folder, 'copy');
    const vault = await openEmbeddedVault(folder, dataKey);
    const erasing = (async () => {
      for (const { person } of known.slice(1)) await vault.keys.erase(person);
    })();
    await copyVault(folder, copy);
    await erasing;
    await vault.close();
    const copied = await openEmbeddedVault(copy, dataKey);
    expect(await copied.identities.get(known[0]!.hashes[0]!)).toBe(known[0]!.person);
    for (const { person } of known.slice(1)) await copied.keys.erase(person);
    await copied.close();
    expect(
      found(
        known.slice(1).flatMap(({ hashes }) => hashes),
        copy,
      ),
    ).toEqual([]);
  });

  it('a former DATA_KEY opens nothing', async () => {
    await fill(20);
    const former = new WrappingKey(dataKey);
    const beginning = former.wrap(Buffer.alloc(32), 'any').subarray(0, 8);
    const wrapped = (): boolean => {
      const all = everything(folder);
      return [beginning.toString('latin1'), beginning.toString('base64').slice(0, 10)].some((text) =>
        all.includes(text),
      );
    };
    expect(wrapped()).toBe(true);
    const vault = await openEmbeddedVault(folder, randomBytes(32), { previousDataKey: dataKey });
    expect(wrapped()).toBe(false);
    await register(vault, await KeyedHasher.of(vault), 'later@example.org');
    expect(wrapped()).toBe(false);
    await vault.close();
  });
});
