import { describe, expect, it } from '@jest/globals';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { accounts, added, markingSealer, plainCodec, record } from '../../../test/support/projection-rig.js';
import type { BuildFailure, Generation, Pointer } from '../../stores/read-store.js';
import { newGeneration } from '../generations/generations.js';
import { building, first, frozen, nextIs, swapped } from '../generations/pointer.js';
import { Feed } from '../live/feed.js';
import { progressOf } from '../live/progress.js';
import { silentLog } from '../log.js';
import type { Leases } from '../ownership/leases.js';
import { type Feeds, ViewFeeder } from './view-feeder.js';

/** Leases that this process always gets. */
type GivenLeases = Pick<Leases, 'holds' | 'acquired' | 'giveUp' | 'forget'>;

interface Rig {
  readonly eventStore: MemoryEventStore;
  readonly readStore: ReturnType<typeof openMemoryReadStore>;
  readonly feeder: ViewFeeder;
  readonly pointer: Pointer;
  newGeneration(): Promise<Generation>;
  /** The generations that are fed here. */
  fed(): readonly string[];
}

interface RigOptions {
  readonly feeds?: Feeds;
  readonly leases?: Partial<GivenLeases>;
  /** Called before this process's pointers are read. */
  readonly beforePointer?: () => Promise<void>;
}

const NONE = new Set<string>();

async function withFeeder(
  run: (rig: Rig) => Promise<void>,
  { feeds = 'all', leases = {}, beforePointer = () => Promise.resolve() }: RigOptions = {},
): Promise<void> {
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const readStore = openMemoryReadStore(database);
  const own = openMemoryReadStore(database, {
    before: ({ operation }) => (operation === 'pointers.get' ? beforePointer() : undefined),
  });
  const feed = new Feed({ eventStore, codec: plainCodec(), progress: progressOf(own) });
  const given: GivenLeases = {
    holds: () => true,
    acquired: async () => new AbortController().signal,
    giveUp: async () => undefined,
    forget: async () => undefined,
    ...leases,
  };
  const feeder = new ViewFeeder({
    ...{ feed, readStore: own, versions: [accounts], feeds, leases: given as Leases },
    ...{ sealer: markingSealer, log: silentLog, backoff: { baseMs: 1, capMs: 5 } },
  });
  const newOne = () => newGeneration({ eventStore, readStore }, accounts, 1);
  const pointer = first(await newOne());
  await readStore.pointers.swap('accounts', null, pointer);
  try {
    await run({
      ...{ eventStore, readStore, feeder, pointer, newGeneration: newOne },
      fed: () => feeder.status().map(({ generation }) => generation),
    });
  } finally {
    await feeder.stop();
    await feed.close();
  }
}

const UNASKED = { operation: null, hold: false };

describe('The generations of a view that a process feeds', () => {
  it('begin again only once their leases are released: the new loop would lose them', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isForgetting = false;
    const forget = () => ((isForgetting = true), released);
    await withFeeder(
      async ({ feeder, pointer, fed }) => {
        try {
          feeder.follow(pointer, NONE);
          expect(fed()).toEqual([pointer.live.name]);
          feeder.follow(null, NONE);
          await eventuallyHolds(() => isForgetting);
          feeder.follow(pointer, NONE);
          expect(fed()).toEqual([]);
        } finally {
          release();
        }
        await eventuallyHolds(() => {
          feeder.follow(pointer, NONE);
          expect(fed()).toEqual([pointer.live.name]);
        });
      },
      { leases: { forget } },
    );
  });

  it('are, of a builder, the one that is built, and that one still after its promotion', () =>
    withFeeder(
      async ({ feeder, pointer, newGeneration, fed }) => {
        feeder.follow(pointer, NONE);
        expect(fed()).toEqual([]);
        const next = await newGeneration();
        const begun = building(pointer, next, UNASKED);
        feeder.follow(begun, NONE);
        expect(fed()).toEqual([next.name]);
        feeder.follow(swapped(frozen(begun, next.name), null, '2026-03-01T09:00:00.000Z'), NONE);
        expect(fed()).toEqual([next.name]);
      },
      { feeds: 'building' },
    ));

  it('are, of a process that serves, the live one, and the next one once that is ready', () =>
    withFeeder(
      async ({ feeder, pointer, newGeneration, fed }) => {
        const next = await newGeneration();
        const begun = building(pointer, next, UNASKED);
        feeder.follow(begun, NONE);
        expect(fed()).toEqual([pointer.live.name]);
        feeder.follow(nextIs(begun, next.name, { ready: true }), NONE);
        expect(fed()).toEqual([pointer.live.name, next.name]);
      },
      { feeds: 'serving' },
    ));

  it('are fed in their role as it is now: a promoted one comes first, and parks what it cannot fold', () =>
    withFeeder(async ({ eventStore, feeder, pointer, newGeneration }) => {
      const next = await newGeneration();
      const begun = building(pointer, next, UNASKED);
      feeder.follow(begun, NONE);
      const statusOf = () => feeder.status().find(({ generation }) => generation === next.name);
      await eventuallyHolds(() => statusOf()?.caughtUp === true);
      const names = () => feeder.leases().map((lease) => lease.replace(/\.\d+of\d+$/, ''));
      expect(names()).toEqual([pointer.live.name, next.name]);
      feeder.follow(swapped(frozen(begun, next.name), null, '2026-03-01T09:00:00.000Z'), NONE);
      expect(names()).toEqual([next.name, pointer.live.name]);
      const [position] = await record(eventStore, added('a', 13));
      await eventuallyHolds(() => {
        expect(statusOf()).toMatchObject({ state: 'working', position, caughtUp: true, parked: 1 });
      });
    }));
});

describe('A rebuild that has stopped in several processes', () => {
  it('keeps the reason that was recorded first', async () => {
    let read = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await withFeeder(
      async ({ eventStore, readStore, feeder, pointer, newGeneration, fed }) => {
        try {
          await record(eventStore, added('a', 13));
          const next = await newGeneration();
          const begun = building(pointer, next, UNASKED);
          await readStore.pointers.swap('accounts', pointer.revision, begun);
          feeder.follow(begun, NONE);
          await eventuallyHolds(() => read > 0);
          const failure: BuildFailure = { eventId: null, message: 'The first.' };
          const failed = nextIs(begun, next.name, { failure })!;
          expect(await readStore.pointers.swap('accounts', begun.revision, failed)).toBe(true);
          release();
          await eventuallyHolds(() => expect(fed()).toEqual([pointer.live.name]));
          expect((await readStore.pointers.get('accounts'))?.next?.failure).toEqual(failure);
        } finally {
          release();
        }
      },
      { beforePointer: () => (read++, released) },
    );
  });
});
