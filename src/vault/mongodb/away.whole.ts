import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aRead } from '../../../test/contracts/vault-reads.js';
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
import { StoreUnusable, VaultUnavailable } from '../../core/errors.js';
import type { ArchivableVault } from '../archive.js';
import { openMongoVault } from './open.js';

const lack = missingForMongoServer();
/** A deadline of 3 s, and what a busy machine adds. */
const DEADLINE_MS = 4_500;

(lack === null ? describe : describe.skip)('MongoDB vault, its server away', () => {
  let dataDir: string;
  let server: MongoServer;
  let database: VaultDatabase;
  let vault: ArchivableVault;
  let known: Known;
  const read = aRead('evaluation');
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-vault-'));
    server = await startMongoServer({ dataDir });
  });
  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  });
  beforeEach(async () => {
    database = new VaultDatabase(`${server.url}/away`);
    vault = await database.open();
    known = await introduce(vault);
  });
  afterEach(() => database.drop());

  const everyCall = (): Readonly<Record<string, () => Promise<unknown>>> => ({
    create: () => vault.keys.create(aPerson()),
    get: () => vault.keys.get(aPerson()),
    erase: () => vault.keys.erase(aPerson()),
    identity: () => vault.identities.get(known.identity),
    swap: () => vault.identities.swap(aHash(), null, known.person),
    list: () => vault.carriers.list(known.carrier),
    add: () => vault.carriers.add(aHash(), known.ref),
    claim: () => vault.claims.claim(known.identity, known.person),
    record: () => vault.reads.record([read]),
    reads: () => vault.reads.list(read.evaluationId, { limit: 1, before: null }),
    secret: () => vault.secret('new', () => randomBytes(32)),
    put: () => vault.put({ kind: 'erased', person: aPerson() }),
    entries: () => entriesOf(vault),
  });
  /** Every call fails as it should, and in time. */
  const expectAway = async () => {
    const began = performance.now();
    const calls = Object.entries(everyCall());
    const results = await Promise.allSettled(calls.map(([, call]) => call()));
    expect(performance.now() - began).toBeLessThan(DEADLINE_MS);
    calls.forEach(([name], index) => {
      const result = results[index]!;
      expect([name, result]).toEqual([name, { status: 'rejected', reason: expect.any(VaultUnavailable) }]);
      expect(String('reason' in result && result.reason)).toMatch(
        /The vault at mongodb:\/\/[^ ]+ cannot answer: \w.*\.$/,
      );
    });
  };
  const back = async () => {
    const began = performance.now();
    for (;;) {
      const key = await vault.keys.get(known.person).catch(() => null);
      if (key) {
        expect(key).toEqual(known.key);
        return;
      }
      expect(performance.now() - began).toBeLessThan(10_000);
      await sleep(50);
    }
  };

  it('frozen: every call ends within its deadline, and goes on once it is back', async () => {
    await server.freeze();
    try {
      await expectAway();
      expect(vault.keys.peek?.(known.person)).toBeUndefined();
      const began = performance.now();
      await expect(openMongoVault(database.url, database.dataKey)).rejects.toBeInstanceOf(VaultUnavailable);
      expect(performance.now() - began).toBeLessThan(2 * DEADLINE_MS);
    } finally {
      server.thaw();
    }
    await back();
    for (const call of Object.values(everyCall())) await call();
  });

  it('killed and started again: nothing acknowledged is lost, and the vault comes back by itself', async () => {
    const erased = aPerson();
    await vault.keys.create(erased);
    await vault.keys.erase(erased);
    await vault.reads.record([read]);
    await server.kill();
    await expectAway();
    await expect(openMongoVault(database.url, database.dataKey)).rejects.toBeInstanceOf(VaultUnavailable);
    server = await startMongoServer({ dataDir, port: server.port });
    await back();
    expect(await vault.identities.get(known.identity)).toBe(known.person);
    expect(await vault.carriers.list(known.carrier)).toEqual([known.ref]);
    expect(await vault.keys.get(erased)).toEqual({ kind: 'erased' });
    expect(await vault.reads.list(read.evaluationId, { limit: 9, before: null })).toEqual([read]);
  });

  it('a refusal is told as one at the start, and as the vault being away afterwards', async () => {
    const fault = { failCommands: ['find'], appName: 'assay-vault', errorCode: 13 };
    const end = await failCommand(server.url, fault);
    try {
      const opening = openMongoVault(database.url, database.dataKey);
      await expect(opening).rejects.toBeInstanceOf(StoreUnusable);
      await expect(opening).rejects.toThrow('grant it readWrite');
      await expect(vault.identities.get(known.identity)).rejects.toBeInstanceOf(VaultUnavailable);
    } finally {
      await end();
    }
  });

  const unwritten = { code: 64, codeName: 'WriteConcernFailed', errmsg: 'waiting for replication timed out' };
  it.each([
    { errorCode: 13 },
    { errorCode: 91 },
    { closeConnection: true },
    { writeConcernError: unwritten },
  ])('reads that are not stored for %j are never taken for stored', async (how) => {
    const fresh = aRead('evaluation');
    const end = await failCommand(server.url, { failCommands: ['insert'], appName: 'assay-vault', ...how });
    try {
      await expect(vault.reads.record([fresh])).rejects.toBeInstanceOf(VaultUnavailable);
    } finally {
      await end();
    }
    await vault.reads.record([read, fresh]);
    await vault.reads.record([fresh, read]);
    expect(await vault.reads.list('evaluation', { limit: 9, before: null })).toHaveLength(2);
  });

  it('a URL that is none is refused', async () => {
    await expect(openMongoVault('http://127.0.0.1', randomBytes(32))).rejects.toBeInstanceOf(StoreUnusable);
  });
});
