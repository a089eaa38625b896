import { describe, expect, it } from '@jest/globals';
import type { EventStore, Position } from '../../src/core/event-store.js';
import type { Projector } from '../../src/engine/feeding/runner.js';
import { createViewReader } from '../../src/engine/reads/reads.js';
import { startProjector, type ProjectorAlone } from '../support/alone.js';
import { eventuallyHolds } from '../support/eventually.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import {
  MemoryDatabase,
  openMemoryReadStore,
  type MemoryReadStoreHooks,
} from '../support/memory-read-store.js';
import {
  accounts,
  added,
  markingSealer,
  plainCodec,
  record,
  wrapEventStore,
} from '../support/projection-rig.js';

type Start = Partial<ProjectorAlone> & { readonly hooks?: MemoryReadStoreHooks };

interface Rig {
  readonly log: MemoryEventStore;
  readonly database: MemoryDatabase;
  start(options?: Start): Projector;
  total(id: string): Promise<number | undefined>;
}

const withRig = async (run: (rig: Rig) => Promise<void>): Promise<void> => {
  const log = new MemoryEventStore();
  const database = new MemoryDatabase();
  const readStore = openMemoryReadStore(database);
  const reader = createViewReader({ eventStore: log, readStore, sealer: markingSealer });
  const started: Projector[] = [];
  try {
    await run({
      log,
      database,
      start: ({ hooks, ...options } = {}) => {
        const projector = startProjector({
          eventStore: log,
          readStore: openMemoryReadStore(database, hooks),
          codec: plainCodec(),
          sealer: markingSealer,
          views: [accounts],
          owner: 'test',
          backoff: { baseMs: 2, capMs: 20 },
          ...options,
        });
        started.push(projector);
        return projector;
      },
      total: async (id) => (await reader.get(accounts, id).catch(() => null))?.document.total,
    });
  } finally {
    for (const projector of started) await projector.stop();
  }
};

describe('A segment continues from the stored checkpoint', () => {
  it('after another worker has moved its checkpoint under a pass', () =>
    withRig(async ({ log, database, start, total }) => {
      let moved: Promise<boolean> | null = null;
      const other = openMemoryReadStore(database);
      const [, passed] = await record(log, added('a', 1), { type: 'ignored', data: {} });
      start({
        segments: 1,
        hooks: {
          before: async ({ operation }) => {
            if (log.log.length < 3 || moved !== null || operation !== 'apply') return;
            const name = 'accounts.v1.g1.1of1';
            // As a worker would that held the segment for a moment and read no further.
            moved = other.checkpoints.get(name).then(async (from) => {
              const to = from === passed ? log.log[0]!.position : passed!;
              return await other.checkpoints.advance(name, from, to);
            });
            await moved;
          },
        },
      });
      await eventuallyHolds(async () => (await total('a')) === 1);
      await record(log, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 2);
      await expect(moved).resolves.toBe(true);
      await record(log, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 3);
    }));

  it('after a checkpoint was moved whose answer was lost', () =>
    withRig(async ({ log, start, total }) => {
      let lost = false;
      start({
        segments: 1,
        hooks: {
          after: ({ operation }) => {
            if (log.log.length < 2 || lost || operation !== 'checkpoints.advance') return;
            lost = true;
            throw new Error('The answer was lost.');
          },
        },
      });
      await record(log, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 1);
      await record(log, added('a', 1));
      await eventuallyHolds(() => lost);
      await record(log, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 3);
    }));
});

describe('A view at the log’s end', () => {
  it('is fed later events even if the log was read to its end before the live feed was open', () =>
    withRig(async ({ log, database, start, total }) => {
      let isUnreachable = true;
      let heads = 0;
      const read: (Position | undefined)[] = [];
      const eventStore: EventStore = wrapEventStore(log, {
        // The live feed asks first; later the view's generation asks when it begins.
        head: () =>
          isUnreachable && (heads++ === 0 || database.pointers.size > 0)
            ? Promise.reject(new Error('It is unreachable.'))
            : log.head(),
        readAll: (options) => {
          read.push(options?.after);
          return log.readAll(options);
        },
      });
      const [first] = await record(log, added('a', 1));
      start({ eventStore, segments: 1 });
      await eventuallyHolds(async () => (await total('a')) === 1);
      await eventuallyHolds(() => read.includes(first));
      await record(log, added('a', 1));
      isUnreachable = false;
      await eventuallyHolds(async () => (await total('a')) === 2);
    }));
});

describe('A process that was cut off from the store together with another', () => {
  it('does not count the other as dead for the time in which neither could reach the store', () =>
    withRig(async ({ log, database, start }) => {
      const cut = new Set<string>();
      let cutOff = false;
      const taken: string[] = [];
      const store = openMemoryReadStore(database);
      const holderOf = async (name: string): Promise<string | undefined> =>
        (await store.leases.get(name))?.owner.split('/')[0];
      /** The owner of each lease when both were cut off. */
      const held = new Map<string, string | undefined>();
      const begin = (owner: string): Projector =>
        start({
          owner,
          segments: 2,
          leaseTimings: { renewMs: 50, deadMs: DEAD_MS },
          hooks: {
            before: ({ operation, subject }) => {
              if (cut.has(owner)) throw new Error('The store is unreachable.');
              if (cutOff && operation === 'leases.swap' && held.has(subject) && held.get(subject) !== owner)
                taken.push(`${owner}: ${subject}`);
            },
          },
        });
      await record(log, added('a', 1));
      begin('one');
      begin('two');
      const names = ['accounts.v1.g1.1of2', 'accounts.v1.g1.2of2', 'projectors.1', 'projectors.2'];
      await eventuallyHolds(async () => {
        for (const name of names) held.set(name, await holderOf(name));
        const [a, b, c, d] = held.values();
        return a !== b && c !== d && ![...held.values()].includes(undefined);
      });
      cutOff = true;
      cut.add('one').add('two');
      await new Promise((resolve) => setTimeout(resolve, DEAD_MS * 1.3));
      // The first one reaches the store a moment after the second.
      cut.delete('two');
      await new Promise((resolve) => setTimeout(resolve, DEAD_MS / 4));
      cut.delete('one');
      await new Promise((resolve) => setTimeout(resolve, DEAD_MS / 4));
      expect(taken).toEqual([]);
      for (const name of names) expect(await holderOf(name)).toBe(held.get(name));
    }));
});

const DEAD_MS = 2_000;
