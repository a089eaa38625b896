import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { failCommand } from '../../../test/support/mongodb/faults.js';
import {
  missingForMongoServer,
  type MongoServer,
  startMongoServer,
} from '../../../test/support/mongodb/server.js';
import {
  aHash,
  aPerson,
  entriesOf,
  introduce,
  type Known,
  VaultDatabase,
} from '../../../test/support/mongodb/vaults.js';
import { sweepErased } from '../../../test/support/sweep-erased.js';
import { VaultUnavailable } from '../../core/errors.js';
import type { ArchivableVault, VaultEntry } from '../archive.js';

const lack = missingForMongoServer();
const COMMANDS = ['find', 'insert', 'update', 'delete', 'createIndexes'];
/** No call has more commands. */
const MAX = 60;

(lack === null ? describe : describe.skip)('MongoDB vault, cut off after each of its commands', () => {
  let server: MongoServer;
  let database: VaultDatabase;
  let vault: ArchivableVault;
  beforeAll(async () => (server = await startMongoServer({ memory: true })));
  afterAll(() => server.stop());
  beforeEach(async () => {
    database = new VaultDatabase(`${server.url}/cut_off`);
    vault = await database.open();
  });
  afterEach(() => database.drop());

  /** Lets the vault's next `count` commands through and no more. @returns whether the call ended well */
  const cut = async (count: number, call: () => Promise<unknown>): Promise<boolean> => {
    const fault = { failCommands: COMMANDS, appName: 'assay-vault', errorCode: 14_031 };
    const end = await failCommand(server.url, fault, { skip: count });
    try {
      await call();
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(VaultUnavailable);
      return false;
    } finally {
      await end();
    }
  };
  /** Does the same again and again, each time cut off one command later, until it goes through. */
  const eachCut = async (round: (count: number) => Promise<boolean>): Promise<void> => {
    let count = 0;
    while (!(await round(count))) if (++count > MAX) throw new Error('It never went through.');
    // It was cut at least once between its first and its last command.
    expect(count).toBeGreaterThan(1);
  };

  const expectAlive = async (known: Known) => {
    expect(await vault.keys.get(known.person)).toEqual(known.key);
    expect(await vault.identities.get(known.identity)).toBe(known.person);
    expect(await vault.carriers.list(known.carrier)).toEqual([known.ref]);
  };
  const expectErased = async (known: Known) => {
    expect(await vault.keys.create(known.person)).toEqual({ kind: 'erased' });
    expect(await vault.identities.get(known.identity)).toBeNull();
    expect(await vault.carriers.list(known.carrier)).toEqual([]);
  };

  for (const next of ['open', 'call', 'copy'] as const)
    it(`an erasure has not begun, or goes on to its end at the next ${next}`, async () => {
      const eraser = await database.open();
      await eachCut(async (count) => {
        const known = await introduce(vault);
        const through = await cut(count, () => eraser.keys.erase(known.person));
        const begun = (await database.holding(known.person)).includes('erased');
        if (begun) await expectErased(known);
        else await expectAlive(known);
        if (next === 'call') await eraser.keys.erase(known.person);
        else if (next === 'copy') await eraser.put({ kind: 'erased', person: known.person });
        else await (await database.open()).close();
        if (begun || next !== 'open') {
          expect(await database.holding(known.person)).toEqual(['erased']);
          expect(await database.collections.erased.countDocuments({ pending: true })).toBe(0);
        } else await expectAlive(known);
        return through;
      });
    });

  it('whatever a call of a dead process left of an erased person goes at the next sweep', async () => {
    const calls: ((known: Known) => Promise<unknown>)[] = [
      ({ person }) => vault.keys.create(person),
      ({ person, identity }) => vault.identities.swap(identity, null, person),
      ({ carrier, ref }) => vault.carriers.add(carrier, ref),
    ];
    for (const call of calls)
      await eachCut(async (count) => {
        const person = aPerson();
        const ref = { person, kind: 'member', organisationId: 'o' } as const;
        const known = { person, ref, identity: aHash(), carrier: aHash(), key: { kind: 'erased' } as const };
        const through = await cut(count, () => call(known));
        // As if the erasure had come between the last two steps.
        await database.collections.erased.insertOne({ _id: person });
        await expectErased(known);
        await sweepErased(await database.open());
        expect(await database.holding(person)).toEqual(['erased']);
        return through;
      });
  });

  it('a start asks the same, however many were erased before it', async () => {
    const commandsOfOpen = async (): Promise<number> => {
      for (let count = 0; ; count++) if (await cut(count, () => database.open())) return count;
    };
    const before = await commandsOfOpen();
    const erased = Array.from({ length: 1_000 }, () => ({ _id: aPerson() }));
    await database.collections.erased.insertMany(erased);
    expect(await commandsOfOpen()).toBe(before);
  });

  it('a key or an identity stands or does not, and the same call again says so', async () => {
    await eachCut(async (count) => {
      const person = aPerson();
      const through = await cut(count, () => vault.keys.create(person));
      const key = await vault.keys.create(person);
      expect(key.kind).toBe('key');
      expect(await (await database.open()).keys.get(person)).toEqual(key);
      return through;
    });
    await eachCut(async (count) => {
      const [hash, first, second] = [aHash(), aPerson(), aPerson()];
      await vault.identities.swap(hash, null, first);
      const through = await cut(count, () => vault.identities.swap(hash, first, second));
      const standing = (await vault.identities.get(hash))!;
      expect([first, second]).toContain(standing);
      expect(await vault.identities.swap(hash, standing, first)).toBe(true);
      return through;
    });
  });

  it('a secret is the same for all afterwards', async () => {
    await eachCut(async (count) => {
      const name = `secret-${count}`;
      const through = await cut(count, () => vault.secret(name, () => randomBytes(32)));
      const secret = await vault.secret(name, () => randomBytes(32));
      expect(await (await database.open()).secret(name, () => Buffer.alloc(1))).toEqual(secret);
      return through;
    });
  });

  it('a copy goes on where it was', async () => {
    for (let n = 0; n < 2; n++) await introduce(vault);
    await vault.keys.erase(aPerson());
    await vault.secret('one', () => randomBytes(32));
    const entries = await entriesOf(vault);
    const copy = new VaultDatabase(`${server.url}/cut_off_copy`, database.dataKey);
    try {
      const target = await copy.open();
      const putAll = async (all: readonly VaultEntry[]) => {
        for (const entry of all) await target.put(entry);
      };
      let through = false;
      // Each round gets a little further, since entries that are stored already take fewer commands.
      for (let count = 0; !through && count < MAX; count++) through = await cut(count, () => putAll(entries));
      expect(through).toBe(true);
      expect(await entriesOf(target)).toEqual(entries);
    } finally {
      await copy.drop();
    }
  });

  it('a change of DATA_KEY loses nothing, and is gone on with', async () => {
    const known = [await introduce(vault), await introduce(vault)];
    const erased = aPerson();
    await vault.keys.erase(erased);
    const secret = await vault.secret('one', () => randomBytes(32));
    await database.closeVaults();
    let former = database.dataKey;
    await eachCut(async (count) => {
      const next = randomBytes(32);
      const through = await cut(count, () => database.open(next, former));
      await database.closeVaults();
      // Until it has begun the former key opens it, from then on both, and at its end the next one.
      const alone = await Promise.all(
        [former, next].map(async (key) =>
          database.open(key).then(
            () => true,
            () => false,
          ),
        ),
      );
      expect(alone).not.toEqual([true, true]);
      if (through) expect(alone).toEqual([false, true]);
      const renewed = await database.open(next, former);
      for (const { person, key } of known) expect(await renewed.keys.get(person)).toEqual(key);
      expect(await renewed.keys.get(erased)).toEqual({ kind: 'erased' });
      expect(await renewed.secret('one', () => Buffer.alloc(1))).toEqual(secret);
      await database.closeVaults();
      await expect(database.open(former)).rejects.toThrow('another DATA_KEY');
      former = next;
      return through;
    });
  });

  it('takes no write as done that may not survive a failover', async () => {
    const known = await introduce(vault);
    const entry = { kind: 'identity', hash: aHash(), person: known.person } as const;
    const calls: Readonly<Record<string, readonly (() => Promise<unknown>)[]>> = {
      update: [
        () => vault.keys.erase(aPerson()),
        () => vault.identities.swap(known.identity, known.person, aPerson()),
        () => database.open(randomBytes(32), database.dataKey),
      ],
      delete: [() => vault.keys.erase(aPerson())],
      insert: [
        () => vault.identities.swap(aHash(), null, aPerson()),
        () => vault.carriers.add(aHash(), known.ref),
        () => vault.put(entry),
        () => vault.keys.create(aPerson()),
        () => vault.keys.erase(aPerson()),
        () => vault.secret('new', () => randomBytes(32)),
      ],
    };
    const writeConcernError = { code: 64, codeName: 'WriteConcernFailed', errmsg: 'waiting timed out' };
    for (const [command, mine] of Object.entries(calls)) {
      const fault = { failCommands: [command], appName: 'assay-vault', writeConcernError };
      const end = await failCommand(server.url, fault);
      try {
        for (const call of mine) await expect(call()).rejects.toBeInstanceOf(VaultUnavailable);
      } finally {
        await end();
      }
    }
  });
});
