import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointer } from '../../../../test/contracts/pointers.js';
import { at, document, INDEXES, write } from '../../../../test/contracts/read-store.js';
import { failCommand, type CommandFault, type FaultMode } from '../../../../test/support/mongodb/faults.js';
import {
  missingForMongoServer,
  startMongoServer,
  type MongoServer,
} from '../../../../test/support/mongodb/server.js';
import { suspend } from '../../../../test/support/server-process.js';
import { ReadStoreUnavailable } from '../../errors.js';
import type { GenerationName, ReadStore, ViewCollection } from '../../read-store.js';
import { openMongoReadStore } from './open.js';

const VIEW = 'things.v1.g1' as GenerationName;
const TIMEOUT_MS = 2_000;
/** What a busy machine may add to a deadline. */
const SLACK_MS = 2_000;
/** Pages and batches have three deadlines. */
const LONGEST_MS = 3 * TIMEOUT_MS + SLACK_MS;
const BACK_WITHIN_MS = 5_000;

const missing = missingForMongoServer();
if (missing !== null) console.warn(missing);

(missing === null ? describe : describe.skip)('a read store on a MongoDB with faults', () => {
  let dataDir: string;
  let server: MongoServer;
  let store: ReadStore;
  let view: ViewCollection;
  let count = 0;
  let url: string;
  let ends: (() => Promise<void>)[];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mongodb-faults-'));
    server = await startMongoServer({ dataDir });
  });

  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  beforeEach(async () => {
    ends = [];
    url = `${server.url}/faults_${count++}`;
    store = await openMongoReadStore(url, { timeoutMs: TIMEOUT_MS });
    view = store.collection(VIEW, INDEXES);
    await view.apply([
      write(document('a', 1, 'first'), null, { byOwner: ['o'] }),
      write(document('b', 1, 'first'), null, { byOwner: ['o'] }),
    ]);
  });

  afterEach(async () => {
    for (const end of ends) await end();
    await store.close();
  });

  const fail = async (fault: CommandFault, mode: FaultMode = { times: 1 }): Promise<void> => {
    ends.push(await failCommand(server.url, { appName: 'assay', ...fault }, mode));
  };

  async function withDatabase<T>(use: (db: Db) => Promise<T>): Promise<T> {
    const client = new MongoClient(url);
    try {
      return await use(client.db());
    } finally {
      await client.close();
    }
  }

  const body = async (id: string): Promise<unknown> => (await view.get(id))?.body;

  describe('that fails single commands', () => {
    it('takes nothing for written where a command was refused', async () => {
      for (const errorCode of [11_000, 91, 50, 112]) {
        await fail({ failCommands: ['update'], errorCode });
        await expect(view.apply([write(document('a', 2, 'second'), 1)])).rejects.toBeInstanceOf(
          ReadStoreUnavailable,
        );
        expect(await body('a')).toBe('first');
      }
      expect(await view.apply([write(document('a', 2, 'second'), 1)])).toEqual(['written']);
    });

    it('takes nothing for written that no majority has, and finds it there afterwards', async () => {
      await fail({ failCommands: ['update', 'insert'], writeConcernError: { code: 64, errmsg: 'waiting' } });
      await expect(view.apply([write(document('a', 2, 'second'), 1)])).rejects.toBeInstanceOf(
        ReadStoreUnavailable,
      );
      expect(await view.apply([write(document('a', 2, 'second'), 1)])).toEqual(['ahead']);
      expect(await body('a')).toBe('second');
    });

    it('takes nothing for refused that no majority refused', async () => {
      await fail({ failCommands: ['insert'], writeConcernError: { code: 64, errmsg: 'waiting' } });
      await expect(view.apply([write(document('a', 1), null)])).rejects.toBeInstanceOf(ReadStoreUnavailable);
    });

    it('takes nothing for written where the connection breaks in the middle', async () => {
      for (const command of ['insert', 'update']) {
        await fail({ failCommands: [command], closeConnection: true });
        await expect(
          view.apply([write(document('new', 2)), write(document('a', 2, 'second'), 1)]),
        ).rejects.toBeInstanceOf(ReadStoreUnavailable);
        expect(await body('a')).toBe('first');
      }
      expect(await view.apply([write(document('new', 2)), write(document('a', 2, 'second'), 1)])).toEqual([
        'ahead',
        'written',
      ]);
    });

    it('takes no refusal for the whole answer where the connection breaks behind it', async () => {
      await fail({ failCommands: ['update'], closeConnection: true });
      // The insert is refused in a command of its own, which the lost one comes after.
      await expect(
        view.apply([write(document('b', 1)), write(document('a', 2, 'second'), 1)]),
      ).rejects.toBeInstanceOf(ReadStoreUnavailable);
      expect(await body('a')).toBe('first');
    });

    it('takes no other write error for a refusal', async () => {
      const name = 'others.v1.g1' as GenerationName;
      await withDatabase((db) =>
        db.collection(`view.${name}`).createIndexes([{ key: { body: 1 }, name: 'foreign', unique: true }]),
      );
      const other = store.collection(name, {});
      await other.apply([write(document('a', 1, 'taken'))]);
      await expect(
        other.apply([write(document('b', 1, 'free')), write(document('c', 1, 'taken'))]),
      ).rejects.toBeInstanceOf(ReadStoreUnavailable);
    });

    it('fails when it does not know whether a register moved, and says the truth when asked again', async () => {
      const { checkpoints, pointers, leases } = store;
      const lost: CommandFault = {
        failCommands: ['insert', 'update', 'delete'],
        writeConcernError: { code: 64, errmsg: 'waiting' },
      };
      const twice = async (move: () => Promise<boolean>): Promise<void> => {
        await fail(lost);
        await expect(move()).rejects.toBeInstanceOf(ReadStoreUnavailable);
        expect(await move()).toBe(false);
      };
      await twice(() => checkpoints.advance('c', null, at(1)));
      await twice(() => checkpoints.advance('c', at(1), at(2)));
      await twice(() => pointers.swap('things', null, pointer(1)));
      await twice(() => pointers.swap('things', 1, pointer(2)));
      await twice(() => leases.swap('l', null, { owner: 'me', counter: 1 }));
      await twice(() => leases.swap('l', { owner: 'me', counter: 1 }, null));
      expect(await checkpoints.get('c')).toBe(at(2));
      expect(await pointers.get('things')).toEqual(pointer(2));
      const first = await pointers.nextNumber('things');
      await fail(lost);
      await expect(pointers.nextNumber('things')).rejects.toBeInstanceOf(ReadStoreUnavailable);
      expect(await pointers.nextNumber('things')).toBe(first + 2);
    });

    it('drops the rest of what a drop left', async () => {
      await store.checkpoints.advance(`${VIEW}.0of1`, null, at(1));
      await fail({ failCommands: ['drop'], closeConnection: true });
      await expect(store.drop(VIEW)).rejects.toBeInstanceOf(ReadStoreUnavailable);
      expect(await store.generations()).toEqual([VIEW]);
      await store.drop(VIEW);
      await store.drop(VIEW);
      expect(await store.generations()).toEqual([]);
      expect(await view.get('a')).toBeNull();
    });

    it('makes the indexes later where it could not at first', async () => {
      const other = store.collection('others.v1.g1' as GenerationName, INDEXES);
      await fail({ failCommands: ['createIndexes'], errorCode: 91 });
      const first = write(document('a', 1), null, { byOwner: ['o'] });
      await expect(other.apply([first])).rejects.toBeInstanceOf(ReadStoreUnavailable);
      expect(await other.apply([first])).toEqual(['written']);
      const indexes = await withDatabase((db) => db.collection('view.others.v1.g1').indexes());
      expect(indexes.map(({ name }) => name)).toContain('byOwner');
    });

    it('gives up a command that takes too long, and goes on with the next', async () => {
      await fail({ failCommands: ['find'], blockConnection: true, blockTimeMS: 4 * TIMEOUT_MS });
      const started = performance.now();
      await expect(view.get('a')).rejects.toMatchObject({
        code: 'read_store_unavailable',
        message: expect.stringContaining('did not answer in time'),
      });
      expect(performance.now() - started).toBeLessThan(TIMEOUT_MS + SLACK_MS);
      expect(await body('a')).toBe('first');
    });
  });

  describe('that is away as a whole', () => {
    const calls = (): Record<string, () => Promise<unknown>> => ({
      get: () => view.get('a'),
      getMany: () => view.getMany(['a', 'b']),
      heads: () => view.heads(['a', 'b']),
      page: () => view.page({ index: 'byOwner', prefix: ['o'], limit: 5 }),
      apply: () => view.apply([write(document('a', 9), 8)]),
      all: async () => {
        for await (const one of view.all()) expect(one).toBeDefined();
      },
      'checkpoints.get': () => store.checkpoints.get('c'),
      'checkpoints.advance': () => store.checkpoints.advance('c', at(8), at(9)),
      'leases.get': () => store.leases.get('l'),
      'leases.swap': () => store.leases.swap('l', { owner: 'nobody', counter: 1 }, null),
      'pointers.get': () => store.pointers.get('things'),
      'pointers.swap': () => store.pointers.swap('things', 1, pointer(2)),
      nextNumber: () => store.pointers.nextNumber('things'),
      generations: () => store.generations(),
      drop: () => store.drop('nothing.v1.g1' as GenerationName),
    });

    async function expectAway(): Promise<void> {
      const started = performance.now();
      await Promise.all(
        Object.entries(calls()).map(async ([name, call]) => {
          const answer = await call().then(
            () => 'an answer',
            (error: unknown) => error,
          );
          expect([name, answer]).toEqual([name, expect.any(ReadStoreUnavailable)]);
          expect(performance.now() - started).toBeLessThan(LONGEST_MS);
        }),
      );
    }

    async function expectBack(): Promise<void> {
      const started = performance.now();
      for (;;) {
        const failed = await Promise.all(Object.values(calls()).map((call) => call())).then(
          () => null,
          (error: unknown) => error,
        );
        if (failed === null) break;
        expect(failed).toBeInstanceOf(ReadStoreUnavailable);
        expect(performance.now() - started).toBeLessThan(BACK_WITHIN_MS);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(performance.now() - started).toBeLessThan(BACK_WITHIN_MS);
      expect(await body('a')).toBe('first');
    }

    it('answers nothing late while it is frozen, and goes on when it is not', async () => {
      await suspend(server.pid);
      try {
        await expectAway();
        await expectAway();
      } finally {
        process.kill(server.pid, 'SIGCONT');
      }
      await expectBack();
    });

    it('closes also while it is frozen, and cannot be opened', async () => {
      await suspend(server.pid);
      try {
        const started = performance.now();
        await expect(openMongoReadStore(url, { timeoutMs: TIMEOUT_MS })).rejects.toBeInstanceOf(
          ReadStoreUnavailable,
        );
        await store.close();
        expect(performance.now() - started).toBeLessThan(5 * TIMEOUT_MS);
      } finally {
        process.kill(server.pid, 'SIGCONT');
      }
      await expect(view.get('a')).rejects.toBeInstanceOf(ReadStoreUnavailable);
      store = await openMongoReadStore(url, { timeoutMs: TIMEOUT_MS });
      expect((await store.collection(VIEW, {}).get('a'))?.body).toBe('first');
    });

    it('tells every call that its end cuts off as what it is, large commands too', async () => {
      const unhandled: unknown[] = [];
      const note = (error: unknown): number => unhandled.push(error);
      process.on('unhandledRejection', note);
      const many = Array.from({ length: 1_000 }, (_, n) => `${'long'.repeat(50)}${n}`);
      const large = 'x'.repeat(2 * 1024 * 1024);
      const cutOff: Record<string, () => Promise<unknown>> = {
        ...calls(),
        'getMany of many': () => view.getMany(many),
        'apply of much': () =>
          view.apply([write(document('a', 9, large), 8), write(document('b', 1, large))]),
      };
      try {
        for (let round = 0; round < 3; round++) {
          let going = true;
          const answers = new Map<string, unknown[]>();
          const callers = Object.entries(cutOff).flatMap(([name, call]) =>
            [1, 2, 3].map(async () => {
              while (going) {
                const failed = await call().then(
                  () => null,
                  (error: unknown) => error,
                );
                if (failed === null) continue;
                answers.set(name, [...(answers.get(name) ?? []), failed]);
                return;
              }
            }),
          );
          await new Promise((resolve) => setTimeout(resolve, 150 + 100 * round));
          await server.kill();
          const killedAt = performance.now();
          await Promise.all(callers);
          going = false;
          expect(performance.now() - killedAt).toBeLessThan(LONGEST_MS);
          expect([...answers.keys()].sort()).toEqual(Object.keys(cutOff).sort());
          for (const [name, failures] of answers)
            for (const failure of failures)
              expect([name, failure]).toEqual([name, expect.any(ReadStoreUnavailable)]);
          server = await startMongoServer({ port: server.port, dataDir });
          await expectBack();
        }
        expect(unhandled).toEqual([]);
      } finally {
        process.off('unhandledRejection', note);
      }
    });

    it('goes on where it was killed and started again, and finds all that it was told is written', async () => {
      await server.kill();
      await expectAway();
      server = await startMongoServer({ port: server.port, dataDir });
      await expectBack();
    });
  });
});
