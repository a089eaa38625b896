import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
// eslint-disable-next-line no-restricted-imports -- the bare driver
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failCommand } from '../support/mongodb/faults.js';
import { missingForMongoServer, startMongoServer, type MongoServer } from '../support/mongodb/server.js';

interface Thing {
  _id: string;
  padding?: string;
}

const missing = missingForMongoServer();
const suite = missing === null ? describe : describe.skip;
const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

suite(`the MongoDB test server${missing === null ? '' : `: ${missing}`}`, () => {
  let folder: string;
  let server: MongoServer;
  let client: MongoClient;
  const begin = async (): Promise<void> => {
    server = await startMongoServer({ dataDir: folder });
    client = await MongoClient.connect(server.url, { serverSelectionTimeoutMS: 5_000 });
  };
  const things = () => client.db('assay').collection<Thing>('things');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-mongodb-spec-'));
    await begin();
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has after each kill -9 everything that it acknowledged, indexed', async () => {
    await things().createIndexes([{ key: { padding: 1 }, name: 'by_padding', unique: true }]);
    const acknowledged = new Set<string>();
    for (let round = 0; round < 2; round++) {
      let over = false;
      const writing = Array.from({ length: 6 }, async (_, writer) => {
        for (let n = 0; !over; n++) {
          const _id = `${round}-${writer}-${n}`;
          const written = await things()
            .insertOne({ _id, padding: `${_id}${randomBytes(500).toString('hex')}` })
            .then(
              () => true,
              () => false,
            );
          if (!written) return;
          acknowledged.add(_id);
        }
      });
      while (acknowledged.size < 150 * (round + 1)) await things().estimatedDocumentCount();
      await server.kill();
      over = true;
      await Promise.all(writing);
      await client.close();
      await begin();
      const kept = await things().find().toArray();
      expect([...acknowledged].filter((id) => !kept.some(({ _id }) => _id === id))).toEqual([]);
      // Each is in both indexes, too: neither its id nor its unique field can be inserted again.
      const refused = kept.map(({ _id, padding }) => ({ again: _id, same: padding! }));
      for (const { again, same } of [...refused.slice(0, 20), ...refused.slice(-20)]) {
        await expect(things().insertOne({ _id: again })).rejects.toMatchObject({ code: 11000 });
        await expect(things().insertOne({ _id: 'new', padding: same })).rejects.toMatchObject({
          code: 11000,
        });
      }
    }
  });

  it('keeps everything over a stop, and listens on the given port', async () => {
    await things().insertOne({ _id: 'a' });
    await client.db('other').collection<Thing>('things').insertOne({ _id: 'b' });
    const { port } = server;
    await server.stop();
    await client.close();
    server = await startMongoServer({ dataDir: folder, port });
    client = await MongoClient.connect(server.url);
    expect(server.port).toBe(port);
    expect(await things().find().toArray()).toEqual([{ _id: 'a' }]);
    expect(await client.db('other').collection('things').countDocuments()).toBe(1);
  });

  it('reports a port or a folder that is in use', async () => {
    await expect(startMongoServer({ memory: true, port: server.port })).rejects.toThrow(
      `cannot listen on port ${server.port}`,
    );
    await expect(startMongoServer({ dataDir: folder })).rejects.toThrow(`cannot use ${folder}`);
  });

  it('keeps connections open while it is frozen, and answers afterwards', async () => {
    await things().insertOne({ _id: 'a' });
    const state = { frozen: true };
    const frozen = server.freeze(800).then(() => (state.frozen = false));
    let longest = 0;
    while (state.frozen) {
      const began = performance.now();
      expect(await things().findOne({ _id: 'a' })).toEqual({ _id: 'a' });
      longest = Math.max(longest, performance.now() - began);
    }
    await frozen;
    expect(longest).toBeGreaterThan(400);
  });

  it('stop leaves no process, even of one that clients are connected to', async () => {
    const { pid } = server;
    expect(alive(pid)).toBe(true);
    await server.stop();
    expect(alive(pid)).toBe(false);
  });

  describe('fails commands on request', () => {
    it('with an error instead of running them, until the fault is cleared', async () => {
      const heal = await failCommand(server.url, { failCommands: ['insert'], errorCode: 11600 });
      await expect(things().insertOne({ _id: 'a' })).rejects.toMatchObject({
        code: 11600,
        codeName: 'InterruptedAtShutdown',
      });
      expect(await things().countDocuments()).toBe(0);
      await heal();
      await things().insertOne({ _id: 'a' });
    });

    it('so many times, or after so many', async () => {
      await failCommand(server.url, { failCommands: ['insert'], errorCode: 112 }, { times: 2 });
      const insert = (n: number) =>
        things()
          .insertOne({ _id: `${n}` })
          .then(
            () => 'done',
            () => 'failed',
          );
      expect([await insert(1), await insert(2), await insert(3)]).toEqual(['failed', 'failed', 'done']);
      const heal = await failCommand(server.url, { failCommands: ['insert'], errorCode: 112 }, { skip: 1 });
      expect([await insert(4), await insert(5)]).toEqual(['done', 'failed']);
      await heal();
    });

    it('by closing the connection before they run', async () => {
      await failCommand(server.url, { failCommands: ['insert'], closeConnection: true }, { times: 1 });
      const error: unknown = await things()
        .insertOne({ _id: 'a' })
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(MongoNetworkError);
      expect(await things().countDocuments()).toBe(0);
    });

    it('with an error of the write concern, having run them', async () => {
      const writeConcernError = {
        code: 64,
        codeName: 'WriteConcernFailed',
        errmsg: 'waiting for replication',
      };
      await failCommand(server.url, { failCommands: ['insert'], writeConcernError }, { times: 1 });
      const error: unknown = await things()
        .insertOne({ _id: 'a' })
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(MongoServerError);
      expect((error as MongoServerError).message).toContain('waiting for replication');
      expect(await things().countDocuments()).toBe(1);
    });

    it('by delaying them, while others run', async () => {
      await things().insertOne({ _id: 'a' });
      const data = { failCommands: ['insert'], blockConnection: true, blockTimeMS: 500 };
      await failCommand(server.url, data, { times: 1 });
      const began = performance.now();
      const blocked = things()
        .insertOne({ _id: 'b' })
        .then(() => performance.now() - began);
      for (let n = 0; n < 20; n++) await things().findOne({ _id: 'a' });
      const free = performance.now() - began;
      expect(free).toBeLessThan(await blocked);
      expect(await blocked).toBeGreaterThan(480);
    });

    it('on one collection only, or of one client only', async () => {
      const own = { failCommands: ['find'], errorCode: 13 };
      const healOne = await failCommand(server.url, { ...own, namespace: 'assay.things' });
      await expect(things().findOne()).rejects.toMatchObject({ code: 13, codeName: 'Unauthorized' });
      expect(await client.db('assay').collection('others').findOne()).toBeNull();
      await healOne();
      const named = await MongoClient.connect(server.url, { appName: 'projector' });
      try {
        const heal = await failCommand(server.url, { ...own, appName: 'projector' });
        await expect(named.db('assay').collection('things').findOne()).rejects.toMatchObject({ code: 13 });
        expect(await things().findOne()).toBeNull();
        await heal();
      } finally {
        await named.close();
      }
    });

    it('but refuses a fail point that it does not have', async () => {
      const admin = client.db('admin');
      await expect(
        admin.command({ configureFailPoint: 'failGetMore', mode: 'alwaysOn' }),
      ).rejects.toMatchObject({ code: 2 });
      await expect(
        admin.command({ configureFailPoint: 'failCommand', mode: 'sometimes' }),
      ).rejects.toMatchObject({ code: 2 });
    });
  });
});
