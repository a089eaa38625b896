import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aSession, fillTurns } from '../../../test/contracts/vault-audio.js';
import { type VaultHarness, vaultContract } from '../../../test/contracts/vault.js';
import { StoreUnusable } from '../../core/errors.js';
import type { KeyedHash } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import type { VaultEntry } from '../archive.js';
import { wrappedBy, WrappingKey } from '../data-key.js';
import type { Vault } from '../port.js';
import { ensureWrapped } from './data-key.js';
import { KeyFiles } from './key-files.js';
import { ErasureMarks } from './keys.js';
import { LookUpEnvironment } from './look-up-environment.js';
import { openEmbeddedVault } from './vault.js';

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );

const fileOf = (folder: string, kind: 'keys' | 'erased', person: PersonId): string | undefined => {
  const found = filesIn(join(folder, kind)).find((name) => name.endsWith(person));
  return found && join(folder, kind, found);
};

vaultContract('embedded', async (dataKey): Promise<VaultHarness> => {
  const folder = join(mkdtempSync(join(tmpdir(), 'assay-vault-')), 'vault');
  return {
    open: ({ next } = {}) =>
      next
        ? openEmbeddedVault(folder, next, { previousDataKey: dataKey })
        : openEmbeddedVault(folder, dataKey),
    loseKey: async (person) => rmSync(fileOf(folder, 'keys', person)!),
    damageKey: async (person) => truncateSync(fileOf(folder, 'keys', person)!, 10),
    beginErasure: async (person) => {
      const environment = await LookUpEnvironment.openIn(folder);
      await new ErasureMarks(environment).begin(person);
      await environment.close();
    },
    remove: async () => rmSync(join(folder, '..'), { recursive: true }),
  };
});

describe('embedded vault', () => {
  const dataKey = randomBytes(32);
  const person = randomUUID() as PersonId;
  let root: string;
  let folder: string;
  let opened: Vault[];
  const open = async (key = dataKey, previousDataKey?: Buffer) => {
    const vault = await openEmbeddedVault(folder, key, previousDataKey && { previousDataKey });
    opened.push(vault);
    return vault;
  };
  const closeAll = async () => {
    for (const vault of opened.splice(0)) await vault.close();
  };
  const contents = () =>
    new Map(filesIn(folder).map((name) => [name, readFileSync(join(folder, name), 'hex')]));
  const stored = () => new Map([...contents()].filter(([name]) => !name.endsWith('lock.mdb')));

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-vault-'));
    folder = join(root, 'vault');
    opened = [];
  });
  afterEach(async () => {
    await closeAll();
    rmSync(root, { recursive: true });
  });

  it('is closed to everybody else', async () => {
    const vault = await open();
    await vault.keys.create(person);
    await vault.keys.erase(randomUUID() as PersonId);
    for (const name of [
      folder,
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((n) => join(folder, n)),
    ]) {
      const stat = statSync(name);
      expect([name, (stat.mode & 0o777).toString(8)]).toEqual([name, stat.isDirectory() ? '700' : '600']);
    }
  });

  it('stores keys and secrets wrapped only, and audio sealed', async () => {
    const vault = await open();
    const [chunk] = await fillTurns(vault, await aSession(vault), [1]);
    const key = await vault.keys.create(person);
    const secret = await vault.secret('one', () => randomBytes(32));
    const everything = [...contents().values()].join('\n');
    const texts = [...contents().values()]
      .map((hex) => Buffer.from(hex, 'hex').toString('latin1'))
      .join('\n');
    const heard = Buffer.from(chunk!.pcm.subarray(0, 32));
    for (const bytes of [key.kind === 'key' ? key.key : secret, secret, dataKey, heard]) {
      expect(everything).not.toContain(bytes.toString('hex'));
      expect(texts).not.toContain(bytes.toString('base64'));
    }
  });

  it('leaves no draft of a key, and removes those of processes that died, but none that is being written', async () => {
    const made = join(folder, 'made');
    const vaults = [await open(), await open()];
    await Promise.all(vaults.map((vault) => vault.keys.create(person)));
    expect(readdirSync(made)).toEqual([]);
    for (const [name, minutes] of [
      ['left', 61],
      ['fresh', 59],
    ] as const) {
      writeFileSync(join(made, name), '');
      const at = Date.now() / 1_000 - minutes * 60;
      utimesSync(join(made, name), at, at);
    }
    await open();
    expect(readdirSync(made)).toEqual(['fresh']);
  });

  it('keeps one form of a key, that of the archive, if the same key comes in another one', async () => {
    const vault = await openEmbeddedVault(folder, dataKey);
    opened.push(vault);
    const key = await vault.keys.create(person);
    if (key.kind === 'erased') throw new Error('Nobody was erased.');
    const wrapped = new WrappingKey(dataKey).wrap(key.key, person);
    await vault.put({ kind: 'key', person, wrapped });
    const entries: VaultEntry[] = [];
    for await (const entry of vault.entries()) entries.push(entry);
    expect(entries).toEqual([{ kind: 'key', person, wrapped }]);
    const file = readFileSync(fileOf(folder, 'keys', person)!);
    expect(file.filter((byte) => byte !== 0).length).toBeLessThanOrEqual(wrapped.length);
  });

  describe('erasure', () => {
    it('overwrites the key where it lay, removes it and leaves a tombstone', async () => {
      const vault = await open();
      await vault.keys.create(person);
      const path = fileOf(folder, 'keys', person)!;
      // A second name shows what became of the bytes themselves.
      linkSync(path, join(root, 'witness'));
      await vault.keys.erase(person);
      expect(existsSync(path)).toBe(false);
      expect(fileOf(folder, 'erased', person)).toBeDefined();
      const left = readFileSync(join(root, 'witness'));
      expect(left.every((byte) => byte === 0)).toBe(true);
    });

    it('stands against a key that a restore brought back', async () => {
      const vault = await open();
      await vault.keys.create(person);
      const path = fileOf(folder, 'keys', person)!;
      const backup = readFileSync(path);
      await vault.keys.erase(person);
      writeFileSync(path, backup);
      expect(await (await open()).keys.get(person)).toEqual({ kind: 'erased' });
      expect(await vault.keys.create(person)).toEqual({ kind: 'erased' });
    });

    it('is gone through with at the next start where a crash cut it off', async () => {
      const vault = await open();
      const hash = 'aa' as KeyedHash;
      await vault.keys.create(person);
      await vault.identities.swap(hash, null, person);
      await closeAll();
      // The state after the first step.
      const environment = await LookUpEnvironment.openIn(folder);
      await environment.transact(({ put }) => put(['erasing', person], person));
      await environment.close();
      const restarted = await open();
      expect(await restarted.keys.get(person)).toEqual({ kind: 'erased' });
      expect(fileOf(folder, 'keys', person)).toBeUndefined();
      await closeAll();
      const again = await LookUpEnvironment.openIn(folder);
      expect([...again.walk(['erasing'])]).toEqual([]);
      await again.close();
    });
  });

  describe('a damaged vault', () => {
    it('reports a flipped key file as a fault, never as missing or erased', async () => {
      const vault = await open();
      await vault.keys.create(person);
      const path = fileOf(folder, 'keys', person)!;
      const bytes = readFileSync(path);
      for (const at of [0, 20, 60]) {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
        writeFileSync(path, flipped);
        await expect((await open()).keys.get(person)).rejects.toThrow(StoreUnusable);
      }
      truncateSync(path, 10);
      await expect((await open()).keys.get(person)).rejects.toThrow(person);
    });

    it('lists no archive without a secret that it cannot open, and has none of another vault take its place', async () => {
      const vault = await openEmbeddedVault(folder, dataKey);
      opened.push(vault);
      const entriesOf = async () => {
        const entries: VaultEntry[] = [];
        for await (const entry of vault.entries()) entries.push(entry);
        return entries;
      };
      await vault.secret('one', () => randomBytes(32));
      const [secret] = await entriesOf();
      const environment = await LookUpEnvironment.openIn(folder);
      const damaged = randomBytes(68).toString('base64');
      await environment.transact(({ put }) => put(['secret', 'one'], damaged));
      await expect(entriesOf()).rejects.toThrow('secret one');
      await expect(vault.put(secret!)).rejects.toThrow(StoreUnusable);
      expect(environment.get(['secret', 'one'])).toBe(damaged);
      await environment.close();
    });

    it("refuses a key under another person's name", async () => {
      const vault = await open();
      const other = randomUUID() as PersonId;
      await vault.keys.create(person);
      await vault.keys.create(other);
      writeFileSync(fileOf(folder, 'keys', person)!, readFileSync(fileOf(folder, 'keys', other)!));
      await expect((await open()).keys.get(person)).rejects.toThrow(StoreUnusable);
    });

    it('refuses look-ups that are cut, overwritten or gone', async () => {
      const vault = await open();
      await vault.keys.create(person);
      await vault.identities.swap('aa' as KeyedHash, null, person);
      await closeAll();
      const path = join(folder, 'look-ups', 'data.mdb');
      const whole = readFileSync(path);
      for (const damaged of [whole.subarray(0, 9000), Buffer.alloc(whole.length), Buffer.from('no store')]) {
        writeFileSync(path, damaged);
        await expect(open()).rejects.toThrow(StoreUnusable);
      }
      rmSync(join(folder, 'look-ups'), { recursive: true });
      await expect(open()).rejects.toThrow('look-ups are lost');
      expect(existsSync(path)).toBe(false);
      // Made again, and empty.
      await (await LookUpEnvironment.openIn(folder)).close();
      await expect(open()).rejects.toThrow('look-ups are lost');
    });

    it.each(['keys', 'erased', 'audio'])(
      'refuses a vault without its %s, and makes no empty one',
      async (part) => {
        const vault = await open();
        await vault.keys.create(person);
        await closeAll();
        const path = join(folder, part);
        rmSync(path, { recursive: true });
        await expect(open()).rejects.toThrow(path);
        await expect(open()).rejects.toThrow('restore the whole vault from its backup');
        expect(existsSync(path)).toBe(false);
      },
    );

    it('is made although a process ended while it made its parts', async () => {
      await (await LookUpEnvironment.openIn(folder)).close();
      mkdirSync(join(folder, 'keys'));
      const vault = await open();
      await vault.keys.create(person);
      await closeAll();
      expect(await (await open()).keys.get(person)).toMatchObject({ kind: 'key' });
    });

    it('refuses audio that is cut or overwritten, and says which', async () => {
      const vault = await open();
      await fillTurns(vault, await aSession(vault), [1, 1]);
      await closeAll();
      const path = join(folder, 'audio', 'data.mdb');
      const whole = readFileSync(path);
      for (const damaged of [whole.subarray(0, 9000), Buffer.alloc(whole.length), Buffer.from('no store')]) {
        writeFileSync(path, damaged);
        await expect(open()).rejects.toThrow(
          /^The vault's audio in .* is damaged .* restore the last backup/,
        );
        await expect(open()).rejects.toThrow(StoreUnusable);
      }
    });

    it('refuses one that a newer version wrote', async () => {
      await open();
      await closeAll();
      const environment = await LookUpEnvironment.openIn(folder);
      await environment.transact(({ get, put }) =>
        put(['vault'], { ...(get(['vault']) as object), format: 2 }),
      );
      await environment.close();
      await expect(open()).rejects.toThrow('newer version');
    });
  });

  describe('DATA_KEY', () => {
    const former = randomBytes(32);
    const persons = Array.from({ length: 20 }, () => randomUUID() as PersonId);
    const fill = async () => {
      const vault = await open(former);
      const keys = await Promise.all(persons.map((id) => vault.keys.create(id)));
      await vault.keys.erase(person);
      const secret = await vault.secret('one', () => randomBytes(32));
      await closeAll();
      return { keys, secret };
    };
    const unmade = () => {
      throw new Error('it was made before');
    };

    it('has 32 bytes', async () => {
      await expect(open(randomBytes(31))).rejects.toThrow('DATA_KEY must be 32 bytes');
      await expect(open(dataKey, randomBytes(16))).rejects.toThrow('DATA_KEY_PREVIOUS must be 32 bytes');
    });

    it('is that of the process that was first, where two make a vault at once', () => {
      const [own, other] = [dataKey, former].map((key) => new WrappingKey(key)) as [WrappingKey, WrappingKey];
      const written: unknown[] = [];
      const inside = { get: () => wrappedBy(other), put: (key: unknown) => written.push(key) };
      const environment = {
        get: () => undefined,
        transactNow: (effect: (within: typeof inside) => unknown) => effect(inside),
      } as unknown as Parameters<typeof ensureWrapped>[0];
      const files = new KeyFiles(folder, own);
      expect(() => ensureWrapped(environment, files, own, null, true)).toThrow(/another DATA_KEY/);
      expect(written).toEqual([]);
    });

    it('is refused at the start if it is another, and nothing is written', async () => {
      await fill();
      const before = stored();
      await expect(open()).rejects.toThrow(StoreUnusable);
      await expect(open(dataKey, randomBytes(32))).rejects.toThrow('another DATA_KEY');
      expect(stored()).toEqual(before);
    });

    it('can be changed: everything is wrapped afresh, and the former key opens nothing', async () => {
      const { keys, secret } = await fill();
      const vault = await open(dataKey, former);
      await closeAll();
      expect(vault).toBeDefined();
      await expect(open(former)).rejects.toThrow('another DATA_KEY');
      const renewed = await open();
      expect(await Promise.all(persons.map((id) => renewed.keys.get(id)))).toEqual(keys);
      expect(await renewed.secret('one', unmade)).toEqual(secret);
      expect(await renewed.keys.get(person)).toEqual({ kind: 'erased' });
      // Nothing wrapped by the former key is left in any key file.
      const formerMark = readFileSync(fileOf(folder, 'keys', persons[0]!)!).subarray(0, 8);
      const marks = persons.map((id) => readFileSync(fileOf(folder, 'keys', id)!));
      expect(marks.every((bytes) => bytes.subarray(0, 512).every((byte) => byte === 0))).toBe(true);
      expect(formerMark).toEqual(Buffer.alloc(8));
    });

    it('may be said to have changed more than once, by two starts at once, and changed again', async () => {
      const { keys, secret } = await fill();
      await Promise.all([open(dataKey, former), open(dataKey, former)]);
      await closeAll();
      await open(dataKey, former);
      await closeAll();
      const third = randomBytes(32);
      const vault = await open(third, dataKey);
      expect(await Promise.all(persons.map((id) => vault.keys.get(id)))).toEqual(keys);
      expect(await vault.secret('one', unmade)).toEqual(secret);
    });

    it.each(['begun', 'ended'])(
      'can be changed by a start though another has %s it meanwhile',
      async (what) => {
        const { keys, secret } = await fill();
        const [own, other] = [await LookUpEnvironment.openIn(folder), await LookUpEnvironment.openIn(folder)];
        const [current, before] = [new WrappingKey(dataKey), new WrappingKey(former)];
        const start = (environment: LookUpEnvironment, files = new KeyFiles(folder, current)) =>
          ensureWrapped(environment, files, current, before, false);
        const transactNow = own.transactNow.bind(own);
        jest.spyOn(own, 'transactNow').mockImplementationOnce((...step) => {
          const files = new KeyFiles(folder, current);
          if (what === 'begun') files.persons = () => unmade();
          const otherStart = () => start(other, files);
          if (what === 'begun') expect(otherStart).toThrow('made before');
          else expect(otherStart()).toBe(true);
          return transactNow(...step);
        });
        expect(start(own)).toBe(true);
        await Promise.all([own.close(), other.close()]);
        const vault = await open();
        expect(await Promise.all(persons.map((id) => vault.keys.get(id)))).toEqual(keys);
        expect(await vault.secret('one', unmade)).toEqual(secret);
      },
    );

    it('is changed to the end where the change was cut off', async () => {
      const { keys, secret } = await fill();
      const obstacle = fileOf(folder, 'keys', persons[7]!)!;
      const whole = readFileSync(obstacle);
      writeFileSync(obstacle, Buffer.alloc(whole.length));
      await expect(open(dataKey, former)).rejects.toThrow(persons[7]);
      writeFileSync(obstacle, whole);
      // Half way, neither key alone opens it, and it cannot be changed to a third.
      await expect(open(former)).rejects.toThrow('another DATA_KEY');
      await expect(open(dataKey)).rejects.toThrow('DATA_KEY_PREVIOUS');
      await expect(open(randomBytes(32), dataKey)).rejects.toThrow('cut off');
      const vault = await open(dataKey, former);
      expect(await Promise.all(persons.map((id) => vault.keys.get(id)))).toEqual(keys);
      expect(await vault.secret('one', unmade)).toEqual(secret);
      await closeAll();
      await open(dataKey);
    });

    it('keeps a key readable while it is wrapped afresh', async () => {
      const { keys } = await fill();
      const path = fileOf(folder, 'keys', persons[0]!)!;
      const old = readFileSync(path);
      await open(dataKey, former);
      await closeAll();
      const renewed = readFileSync(path);
      // Cut off after the new form was written and before the old one was overwritten; and while it was written.
      const both = Buffer.concat([old.subarray(0, 512), renewed.subarray(512)]);
      const torn = Buffer.from(both);
      torn.fill(0, 540);
      for (const content of [both, torn]) {
        writeFileSync(path, content);
        const environment = await LookUpEnvironment.openIn(folder);
        await environment.transact(({ get, put }) => {
          const standing = get(['vault']) as object;
          put(['vault'], { ...standing, former: new WrappingKey(former).check });
        });
        await environment.close();
        const vault = await open(dataKey, former);
        expect(await vault.keys.get(persons[0]!)).toEqual(keys[0]);
        await closeAll();
        expect(
          readFileSync(path)
            .subarray(0, 512)
            .every((byte) => byte === 0),
        ).toBe(true);
      }
    });
  });
});
