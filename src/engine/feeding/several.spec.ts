import { describe, expect, it } from '@jest/globals';
import { Random } from '../../../test/model/random.js';
import { startProjector, type ProjectorAlone } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { foldView, storedEvents } from '../../../test/support/given-view.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import {
  MemoryDatabase,
  openMemoryReadStore,
  type MemoryReadStoreHooks,
} from '../../../test/support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../../../test/support/projection-rig.js';
import type { Given } from '../../../test/support/stored-events.js';
import { type Position, START } from '../../core/event-store.js';
import { viewHealth } from '../health/health.js';
import { createViewReader, type ViewReader } from '../reads/reads.js';
import type { AnyView, View, ViewDocument } from '../view.js';
import type { Projector } from './runner.js';

interface Count extends ViewDocument {
  readonly count: number;
}

const counts: View<Count> = {
  name: 'counts',
  version: 1,
  fingerprint: 'counts',
  handles: ['added'],
  documentId: (event) => `of ${(event.data as { account: string }).account}`,
  initial: () => ({ count: 0 }),
  evolve: ({ count }) => ({ count: count + 1 }),
};
const views: readonly AnyView[] = [accounts, counts];
const ids = Array.from({ length: 9 }, (_, n) => `account-${n}`);

interface Rig {
  readonly eventStore: MemoryEventStore;
  readonly database: MemoryDatabase;
  /** In a process without a projector. */
  readonly reader: ViewReader;
  start(options?: Partial<ProjectorAlone> & { readonly hooks?: MemoryReadStoreHooks }): Projector;
}

async function withRig(run: (rig: Rig) => Promise<void>): Promise<void> {
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const started: Projector[] = [];
  const readStore = openMemoryReadStore(database);
  try {
    await run({
      eventStore,
      database,
      reader: createViewReader({ eventStore, readStore, sealer: markingSealer }),
      start: ({ hooks, ...options } = {}) => {
        const projector = startProjector({
          eventStore,
          readStore: openMemoryReadStore(database, hooks),
          codec: plainCodec(),
          sealer: markingSealer,
          views,
          owner: `host/${started.length + 1}`,
          segments: 3,
          leaseTimings: { renewMs: 25, deadMs: 600 },
          backoff: { baseMs: 2, capMs: 20 },
          feed: { pageEvents: 3, ringEvents: 4 },
          ...options,
        });
        started.push(projector);
        return projector;
      },
    });
  } finally {
    for (const projector of started) await projector.stop();
  }
}

const worksOn = (projector: Projector): readonly string[] =>
  projector.status().flatMap(({ state, segment }) => (state === 'working' ? [segment] : []));

const evenly = (...projectors: readonly Projector[]) =>
  eventuallyHolds(() => {
    const all = projectors.flatMap(worksOn);
    expect([...all].sort()).toEqual([...new Set(all)].sort());
    expect(all).toHaveLength(6);
    for (const projector of projectors) expect(worksOn(projector)).toHaveLength(6 / projectors.length);
  });

describe('Several projectors', () => {
  it('share every view’s segments, and come to what a single fold comes to, read elsewhere with tokens', () =>
    withRig(async ({ eventStore, reader, start }) => {
      const random = new Random(5);
      const given: Given[] = [];
      const append = async (n: number) => {
        const events = Array.from({ length: n }, () =>
          added(ids[random.below(ids.length)] ?? '', 20 + random.below(9)),
        );
        given.push(...events);
        return (await record(eventStore, ...events)).at(-1);
      };
      await append(25);
      const projectors = [start(), start()];
      for (let round = 0; round < 6; round++) {
        const token = await append(1 + random.below(4));
        const expected = foldView(accounts, storedEvents(given));
        const deadlineMs = 10_000;
        for (const id of ids) {
          const found = await reader.get(accounts, id, { token, deadlineMs });
          expect(found?.document ?? null).toEqual(expected.get(id)?.document ?? null);
        }
        const page = await reader.page(
          accounts,
          { index: 'byTotal', prefix: [], limit: 50 },
          { token, deadlineMs },
        );
        expect(new Map(page.items.map(({ id, document }) => [id, document]))).toEqual(
          new Map([...expected].map(([id, { document }]) => [id, document])),
        );
        const counted = await reader.getMany(
          counts,
          ids.map((id) => `of ${id}`),
          { token, deadlineMs },
        );
        const sum = [...counted.values()].reduce((n, { document }) => n + document.count, 0);
        expect(sum).toBe(given.length);
        if (round === 2) await evenly(...projectors);
        if (round === 3) projectors.push(start());
        if (round === 4) {
          await evenly(...projectors);
          await projectors[0]?.stop();
        }
      }
      await evenly(...projectors.slice(1));
    }));

  it('of which one dies: the rest take its segments, and nothing is counted twice', () =>
    withRig(async ({ eventStore, reader, start }) => {
      let frozen = false;
      const dying = start({
        hooks: { before: () => (frozen ? new Promise<void>(() => undefined) : undefined) },
      });
      const staying = start();
      await evenly(dying, staying);
      await record(eventStore, ...ids.map((id) => added(id, 1)));
      frozen = true;
      const [token] = (await record(eventStore, ...ids.map((id) => added(id, 1)))).slice(-1);
      const page = await reader.page(
        accounts,
        { index: 'byTotal', prefix: [2], limit: 50 },
        { token, deadlineMs: 10_000 },
      );
      expect(page.items).toHaveLength(ids.length);
      expect(worksOn(staying)).toHaveLength(6);
      // It never stops by itself; it is abandoned here.
      dying.stop = async () => undefined;
    }));

  it('name their segments in health, each with its owner and how far it is', () =>
    withRig(async ({ eventStore, database, start }) => {
      const [a, b] = [start(), start()];
      await evenly(a, b);
      const [position] = (await record(eventStore, ...ids.map((id) => added(id, 1)))).slice(-1);
      const stores = { eventStore, readStore: openMemoryReadStore(database) };
      await eventuallyHolds(async () => {
        const [health] = await viewHealth(stores, views);
        expect(health).toMatchObject({
          view: 'accounts',
          position,
          caughtUp: true,
          lagSeconds: 0,
          parked: 0,
        });
        expect(health?.segments.map(({ segment }) => segment)).toEqual([1, 2, 3]);
        expect(new Set(health?.segments.map(({ owner }) => owner?.slice(0, 6)))).toEqual(
          new Set(['host/1', 'host/2']),
        );
        for (const segment of health?.segments ?? []) {
          expect(segment).toMatchObject({ position, caughtUp: true, lagSeconds: 0 });
        }
      });
    }));
});

describe('The checkpoint of a segment under steady load', () => {
  it.each([2, 12])(
    'stays within 100 ms of what was folded, so that reads elsewhere come soon; a write takes %i ms',
    (writeMs) =>
      withRig(async ({ eventStore, database, reader, start }) => {
        const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
        const projector = start({
          ...{ views: [accounts], segments: 1, leaseTimings: {}, feed: {} },
          hooks: { before: ({ operation }) => (operation === 'apply' ? sleep(writeMs) : undefined) },
        });
        await eventuallyHolds(() => worksOn(projector).length === 1);
        const { checkpoints } = openMemoryReadStore(database);
        const segment = worksOn(projector)[0] ?? '';
        /** What is folded and not in the checkpoint, with when that was seen. */
        let beyond: { readonly position: Position; readonly at: number }[] = [];
        const lags: number[] = [];
        let reads = Promise.resolve();
        const until = performance.now() + 700;
        for (let n = 0; performance.now() < until; n++) {
          const id = ids[n % ids.length] ?? '';
          const [token = START] = await record(eventStore, added(id, 1));
          // The next event comes as soon as this one is folded.
          while (!projector.status().every(({ position, caughtUp }) => caughtUp && position === token))
            await new Promise((resolve) => setImmediate(resolve));
          beyond.push({ position: token, at: performance.now() });
          const checkpoint = (await checkpoints.get(segment)) ?? START;
          beyond = beyond.filter(({ position }) => position > checkpoint);
          lags.push(beyond[0] === undefined ? 0 : performance.now() - beyond[0].at);
          const read = reader.get(accounts, id, { token, deadlineMs: 2_000 });
          reads = reads.then(async () => expect(await read).not.toBeNull());
        }
        await reads;
        lags.sort((one, other) => one - other);
        // A busy machine stops everything for a while.
        expect(lags[Math.floor(lags.length * 0.9)]).toBeLessThan(100);
      }),
  );
});

describe('The checkpoint of a segment that an event does not concern', () => {
  it('follows soon, so that readers of other processes do not wait for long', () =>
    withRig(async ({ eventStore, reader, start }) => {
      const projector = start({ leaseTimings: {} });
      await eventuallyHolds(() => worksOn(projector).length === 6);
      for (let n = 0; n < 5; n++) {
        const [token] = await record(eventStore, { type: 'other', data: {} }, added('a', 1));
        const before = performance.now();
        await reader.page(
          accounts,
          { index: 'byTotal', prefix: [], limit: 9 },
          { token, deadlineMs: 10_000 },
        );
        // 250 ms, and what a busy machine adds.
        expect(performance.now() - before).toBeLessThan(2000);
      }
    }));

  it('is not written with every event, and not at all while nothing happens', () =>
    withRig(async ({ eventStore, start }) => {
      const advances = new Map<string, number>();
      let calls = 0;
      const projector = start({
        leaseTimings: { renewMs: 60_000, deadMs: 300_000 },
        pollIntervalMs: 60_000,
        hooks: {
          before: ({ operation, subject }) => {
            calls++;
            if (operation !== 'checkpoints.advance') return;
            advances.set(subject, (advances.get(subject) ?? 0) + 1);
          },
        },
      });
      await eventuallyHolds(() => worksOn(projector).length === 6);
      advances.clear();
      const before = performance.now();
      const events = 60;
      for (let n = 0; n < events; n++) {
        const [position] = await record(eventStore, { type: 'other', data: {} });
        await eventuallyHolds(() => projector.status().every((segment) => segment.position === position));
      }
      const periods = (performance.now() - before) / 250;
      for (const count of advances.values()) expect(count).toBeLessThanOrEqual(periods + 2);
      // A busy machine writes the last one late.
      await eventuallyHolds(async () => {
        calls = 0;
        await new Promise((resolve) => setTimeout(resolve, 400));
        return calls === 0;
      });
      expect(advances.size).toBe(6);
    }));

  it('stands where the process did after it has stopped', () =>
    withRig(async ({ eventStore, database, start }) => {
      const projector = start();
      await eventuallyHolds(() => worksOn(projector).length === 6);
      const [position] = await record(eventStore, { type: 'other', data: {} });
      await eventuallyHolds(() => projector.status().every((segment) => segment.position === position));
      await projector.stop();
      const { checkpoints } = openMemoryReadStore(database);
      for (const { segment } of projector.status()) {
        expect(await checkpoints.get(segment)).toBe(position);
      }
    }));
});
