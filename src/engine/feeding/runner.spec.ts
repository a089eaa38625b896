import { describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../test/model/random.js';
import { startProjector, type ProjectorAlone } from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { foldView, storedEvents } from '../../../test/support/given-view.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import {
  MemoryDatabase,
  openMemoryReadStore,
  type MemoryReadStoreHooks,
  type ReadStoreCall,
} from '../../../test/support/memory-read-store.js';
import {
  accounts,
  added,
  markingSealer,
  plainCodec,
  record,
  wrapEventStore,
} from '../../../test/support/projection-rig.js';
import type { Position } from '../../core/event-store.js';
import type { Pointer } from '../../stores/read-store.js';
import { newGeneration } from '../generations/generations.js';
import { building, withoutNext, nextIs } from '../generations/pointer.js';
import { viewHealth } from '../health/health.js';
import { createViewReader } from '../reads/reads.js';
import type { Projector } from './runner.js';

type Options = Partial<ProjectorAlone> & { readonly hooks?: MemoryReadStoreHooks };

interface Rig {
  readonly eventStore: MemoryEventStore;
  readonly database: MemoryDatabase;
  /** A process with a projector of its own. */
  start(options?: Options): Projector;
  total(id: string): Promise<number | undefined>;
  health(projector?: Projector): ReturnType<typeof viewHealth>;
}

async function withRig(run: (rig: Rig) => Promise<void>): Promise<void> {
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const readStore = openMemoryReadStore(database);
  const reader = createViewReader({ eventStore, readStore, sealer: markingSealer });
  const started: Projector[] = [];
  try {
    await run({
      eventStore,
      database,
      start: ({ hooks, ...options } = {}) => {
        const projector = startProjector({
          eventStore,
          readStore: openMemoryReadStore(database, hooks),
          codec: plainCodec(),
          sealer: markingSealer,
          views: [accounts],
          owner: 'test',
          leaseTimings: { renewMs: 20, deadMs: 150 },
          backoff: { baseMs: 2, capMs: 20 },
          ...options,
        });
        started.push(projector);
        return projector;
      },
      total: async (id) => (await reader.get(accounts, id).catch(() => null))?.document.total,
      health: (projector) =>
        viewHealth({ eventStore, readStore }, [accounts], { projector: projector ?? null }),
    });
  } finally {
    for (const projector of started) await projector.stop();
  }
}

/** Lets time pass at once, for what compares it with `performance.now()`. */
async function withClock(run: (advance: (ms: number) => void) => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance);
  let passed = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  try {
    await run((ms) => (passed += ms));
  } finally {
    clock.mockRestore();
  }
}

const positionOf = ({ next }: Pointer) => (next?.failure?.eventId == null ? null : next.failure.position);

const state = (projector: Projector): string | undefined => projector.status()[0]?.state;

describe('A projector', () => {
  it('folds what was stored and what comes, for each view and segment', () =>
    withRig(async ({ eventStore, start, total }) => {
      await record(eventStore, added('a', 1), added('b', 5));
      const projector = start({ segments: 4, feed: { pageEvents: 1, ringEvents: 1 } });
      await eventuallyHolds(async () => (await total('a')) === 1 && (await total('b')) === 5);
      await record(eventStore, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 2);
      await eventuallyHolds(() => projector.status().every(({ caughtUp }) => caughtUp));
      expect(projector.status()).toHaveLength(4);
    }));

  it('goes on with a rebuild whose failure was out of the way before it had looked', () =>
    withRig(async ({ eventStore, database, start }) => {
      const [, position] = await record(eventStore, added('a', 1), added('a', 13), added('a', 2));
      const projector = start();
      await projector.ready;
      await eventuallyHolds(() => projector.status().every(({ caughtUp }) => caughtUp));
      const readStore = openMemoryReadStore(database);
      const pointer = async (): Promise<Pointer> => (await readStore.pointers.get('accounts'))!;
      const generation = await newGeneration({ eventStore, readStore }, accounts, 1);
      const begun = building(await pointer(), generation, { operation: null, hold: false });
      await readStore.pointers.swap('accounts', begun.revision - 1, begun);
      await eventuallyHolds(async () => positionOf(await pointer()) === position);
      const resumed = nextIs(await pointer(), generation.name, { failure: null })!;
      await readStore.pointers.swap('accounts', resumed.revision - 1, resumed);
      // It is folded once more, and comes to the same event, since that was not left out after all.
      await eventuallyHolds(async () => positionOf(await pointer()) === position);
    }));

  it('removes what somebody let go of who did not live to remove it', () =>
    withRig(({ eventStore, database, start, total }) =>
      withClock(async (advance) => {
        await record(eventStore, added('a', 1));
        let sweeps = 0;
        const after = ({ operation }: ReadStoreCall): void =>
          void (sweeps += Number(operation === 'generations'));
        await start({ pollIntervalMs: 5, hooks: { after } }).ready;
        await eventuallyHolds(async () => (await total('a')) === 1 && sweeps === 1);
        // Now the next sweep is due in an hour.
        advance(10_000);
        await eventuallyHolds(() => sweeps === 2);
        const readStore = openMemoryReadStore(database);
        const standing = (): Promise<Pointer | null> => readStore.pointers.get('accounts');
        const pointer = (await standing())!;
        const generation = await newGeneration({ eventStore, readStore }, accounts, 1);
        const asked = building(pointer, generation, { operation: null, hold: true });
        await readStore.pointers.swap('accounts', pointer.revision, asked);
        await eventuallyHolds(async () => (await readStore.generations()).includes(generation.name));
        await readStore.pointers.swap('accounts', asked.revision, withoutNext(asked));
        await eventuallyHolds(async () => !(await readStore.generations()).includes(generation.name));
        expect(await readStore.generations()).toEqual([pointer.live.name]);
      }),
    ));

  it('removes what another process left behind at its start, ten seconds later, and once an hour', () =>
    withRig(({ database, start }) =>
      withClock(async (advance) => {
        let [calls, sweeps] = [0, 0];
        const before = ({ operation }: ReadStoreCall): void => {
          if (operation !== 'generations') return;
          // The first attempt of each of the first two sweeps fails, and is repeated at once.
          if (++calls === 1 || calls === 3) throw new Error('The store is away.');
          sweeps++;
        };
        const readStore = openMemoryReadStore(database);
        const leave = (number: number) =>
          readStore.checkpoints.advance(`accounts.v1.g${number}.1of1`, null, '1' as Position);
        const isLeft = (name: string): boolean => /g\d{3}$/.test(name);
        const areRemoved = async (): Promise<boolean> => !(await readStore.generations()).some(isLeft);
        await leave(100);
        await start({ pollIntervalMs: 5, hooks: { before } }).ready;
        await eventuallyHolds(areRemoved);
        const waits = [9_000, 1_000, 3_599_000, 1_000, 3_599_000, 1_000];
        for (const [n, expected] of [1, 2, 2, 3, 3, 4].entries()) {
          await leave(101 + n);
          advance(waits[n]!);
          if (n % 2 === 1) await eventuallyHolds(areRemoved);
          else await sleep(100);
          expect(sweeps).toBe(expected);
        }
      }),
    ));

  it('stops only after the sweep that is under way', () =>
    withRig(async ({ start }) => {
      let isSweeping = false;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const projector = start({
        hooks: {
          before: ({ operation }) => {
            if (operation !== 'generations') return;
            isSweeping = true;
            return released;
          },
        },
      });
      await eventuallyHolds(() => isSweeping);
      let hasStopped = false;
      const stopping = projector.stop().then(() => (hasStopped = true));
      await sleep(50);
      expect(hasStopped).toBe(false);
      release();
      await stopping;
    }));

  it('goes on where it stopped, and folds nothing twice', () =>
    withRig(async ({ eventStore, start, total }) => {
      for (let round = 1; round <= 5; round++) {
        const projector = start();
        await record(eventStore, added('a', 1), added('a', 1));
        if (round % 2 === 0) await eventuallyHolds(async () => (await total('a')) === round * 2);
        await projector.stop();
      }
      start();
      await eventuallyHolds(async () => (await total('a')) === 10);
    }));

  it('comes to the pure fold of the log through any failures of its stores, and never ends by them', () =>
    withRig(async ({ eventStore, start, total }) => {
      const random = new Random(7);
      const failing = (): void => {
        if (random.chance(0.08)) throw new Error('The read store is away.');
      };
      const broken = wrapEventStore(eventStore, {
        readAll: (options) => {
          if (random.chance(0.3)) throw new Error('The event store is away.');
          return eventStore.readAll(options);
        },
        head: () => (random.chance(0.5) ? Promise.reject(new Error('away')) : eventStore.head()),
      });
      start({
        hooks: { before: failing, after: failing },
        eventStore: broken,
        feed: { pageEvents: 2, ringEvents: 2 },
      });
      const events = Array.from({ length: 30 }, (_, n) => added(n % 2 === 0 ? 'a' : 'b', n + 100));
      const expected = foldView(accounts, storedEvents(events));
      await record(eventStore, ...events);
      for (const id of ['a', 'b']) {
        await eventuallyHolds(async () => {
          expect(await total(id)).toBe(expected.get(id)?.document.total);
        }, 15_000);
      }
    }));

  it('is taken over from within its lease’s time when it dies, by one that stood by', () =>
    withRig(async ({ eventStore, start, total }) => {
      let frozen = false;
      // A dead process: whatever it asks of the store never happens.
      const first = start({
        hooks: { before: () => (frozen ? new Promise<void>(() => undefined) : undefined) },
      });
      await eventuallyHolds(() => state(first) === 'working');
      const second = start();
      await record(eventStore, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 1);
      expect(state(second)).toBe('standby');
      frozen = true;
      await record(eventStore, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 2);
      expect(state(second)).toBe('working');
      frozen = false;
      // The one that was taken for dead never stops by itself; it is abandoned here.
      first.stop = async () => undefined;
    }));

  it('begins nothing more, in the middle of what it folds too, while another process has its leases', () =>
    withRig(async ({ eventStore, database, start, total }) => {
      const { leases } = openMemoryReadStore(database);
      const names = new Set<string>();
      /** Leases whose renewal was refused since they were taken. */
      const refused = new Set<string>();
      const begun: string[] = [];
      let begunMeanwhile: readonly string[] | null = null;
      let events = 30;
      let isTaken = false;
      let areLost = false;
      const takeAll = async (counter: number): Promise<void> => {
        for (const name of names)
          await leases.swap(name, await leases.get(name), { owner: 'another', counter });
        await sleep(15);
      };
      /** Takes every lease until each is noticed to be lost, and some time longer. */
      const take = async (): Promise<void> => {
        isTaken = true;
        let counter = 1;
        const areRefused = () => [...names].every((name) => refused.has(name));
        while (!areRefused() && counter < 20) await takeAll(counter++);
        // A renewal that began just before is followed by one that is refused.
        for (let more = 0; more < 6; more++) await takeAll(counter++);
        begun.length = 0;
        areLost = true;
        for (let more = 0; more < 12; more++) await takeAll(counter++);
        begunMeanwhile = [...begun];
        isTaken = false;
      };
      await record(eventStore, ...Array.from({ length: events }, () => added('a', 1)));
      start({
        feed: { pageEvents: 1 },
        hooks: {
          before: async ({ operation, subject }) => {
            if (operation === 'leases.swap') (isTaken ? refused : names).add(subject);
            if (operation !== 'apply' && operation !== 'checkpoints.advance') return;
            begun.push(operation);
            if (operation === 'apply' && --events === 25) {
              void take();
              // The write that is under way ends once the lease is lost.
              await eventuallyHolds(() => areLost);
            }
          },
        },
      });
      await eventuallyHolds(() => begunMeanwhile !== null);
      expect(begunMeanwhile).toEqual([]);
      await eventuallyHolds(async () => (await total('a')) === 30);
    }));

  it('parks what cannot be folded, goes on with the rest, and health says so also after a restart', () =>
    withRig(async ({ eventStore, start, total, health }) => {
      const first = start();
      await record(eventStore, added('a', 13), added('b', 2));
      await eventuallyHolds(async () => (await total('b')) === 2);
      await eventuallyHolds(() => first.status()[0]?.parked === 1);
      await first.stop();
      expect(await health()).toMatchObject([{ view: 'accounts', parked: 1, caughtUp: true, lagSeconds: 0 }]);
    }));

  it('stops at an event of newer code, gives up its lease, and leaves the rest to the newer process', () =>
    withRig(async ({ eventStore, start, total, health }) => {
      const old = start({ backoff: { baseMs: 10_000, capMs: 100_000 } });
      await record(eventStore, added('a', 1), { ...added('a', 2), schemaVersion: 2 }, added('a', 4));
      await eventuallyHolds(() => state(old) === 'stopped');
      expect(await total('a')).toBe(1);
      const [stopped] = await health(old);
      expect(stopped).toMatchObject({ caughtUp: false, parked: 0, owners: [] });
      expect(stopped?.reason).toContain('newer version');
      expect(stopped?.lagSeconds).toBeGreaterThan(0);
      const newer = plainCodec();
      const { decode } = newer;
      newer.decode = (event) => decode({ ...event, metadata: Buffer.from('{"schemaVersion":1}') });
      start({ codec: newer });
      await eventuallyHolds(async () => (await total('a')) === 7);
    }));

  it('stops at an event whose key is out of reach, and goes on once it is back', () =>
    withRig(async ({ eventStore, start, total }) => {
      const codec = plainCodec();
      const { decode } = codec;
      let lost = true;
      codec.decode = (event) => (lost ? Promise.reject(new Error('MissingKey')) : decode(event));
      const projector = start({ codec });
      await record(eventStore, added('a', 1));
      await eventuallyHolds(() => state(projector) === 'stopped');
      expect(await total('a')).toBeUndefined();
      lost = false;
      await eventuallyHolds(async () => (await total('a')) === 1);
      await eventuallyHolds(() => state(projector) === 'working');
      expect(projector.status()).toMatchObject([{ reason: null }]);
    }));

  it('rebuilds what was thrown away to the same documents', () =>
    withRig(async ({ eventStore, start, database, total }) => {
      const first = start();
      await record(eventStore, ...Array.from({ length: 20 }, (_, n) => added(`account-${n % 3}`, n)));
      const last = eventStore.log.at(-1)?.position;
      await eventuallyHolds(() => first.status()[0]?.position === last);
      await first.stop();
      const texts = (name: string): (string | undefined)[] =>
        [...(database.documents.get(name)?.values() ?? [])].map((cell) => cell.at(database.now)?.text);
      const before = texts('accounts.v1.g1');
      for (const map of [database.documents, database.checkpoints, database.pointers]) map.clear();
      const second = start({ feed: { pageEvents: 3 } });
      await eventuallyHolds(() => second.status()[0]?.position === last);
      expect(texts('accounts.v1.g2')).toEqual(before);
      expect(await total('account-0')).toBeDefined();
    }));

  it('records where a new segment is before it folds on: without that, it would look like one that was dropped', () =>
    withRig(async ({ eventStore, start, total }) => {
      await record(eventStore, added('a', 1), added('a', 1), added('a', 1));
      const writes: string[] = [];
      const before: MemoryReadStoreHooks['before'] = ({ operation }) => {
        if (operation === 'apply' || operation === 'checkpoints.advance') writes.push(operation);
      };
      start({ hooks: { before }, feed: { pageEvents: 1, ringEvents: 1 } });
      await eventuallyHolds(async () => (await total('a')) === 3);
      expect(writes.slice(0, 2)).toEqual(['apply', 'checkpoints.advance']);
    }));

  it('makes no calls between its ticks while nothing happens', () =>
    withRig(async ({ eventStore, database, start }) => {
      let calls = 0;
      const count = (): void => {
        calls++;
      };
      const rare = 600_000;
      start({
        hooks: { before: count },
        pollIntervalMs: rare,
        leaseTimings: { renewMs: rare, deadMs: 2 * rare },
      });
      const [, last] = await record(eventStore, added('a', 1), added('a', 1));
      await eventuallyHolds(() =>
        [...database.checkpoints.values()].some((cell) => cell.at(database.now) === last),
      );
      await sleep(50);
      const before = calls;
      await sleep(300);
      expect(calls - before).toBe(0);
    }));

  it('is ready although its stores fail at first', () =>
    withRig(async ({ start, eventStore, total }) => {
      let failures = 6;
      const projector = start({
        hooks: {
          before: () => {
            if (failures-- > 0) throw new Error('not yet');
          },
        },
      });
      await projector.ready;
      await record(eventStore, added('a', 1));
      await eventuallyHolds(async () => (await total('a')) === 1);
    }));
});

describe('Health', () => {
  it('says how far a view has come, how old what is missing is, and who feeds it', () =>
    withRig(async ({ eventStore, start, health }) => {
      await record(eventStore, { ...added('a', 1), at: new Date(Date.now() - 60_000).toISOString() });
      const [none] = await health();
      expect(none).toMatchObject({ generation: null, position: null, caughtUp: false, owners: [] });
      expect(none?.lagSeconds).toBeGreaterThan(59);
      start({ owner: 'host:7' });
      await eventuallyHolds(async () => (await health())[0]?.caughtUp);
      const [fed] = await health();
      expect(fed).toMatchObject({ generation: 'accounts.v1.g1', lagSeconds: 0, parked: 0, reason: null });
      expect(fed?.position).toBe(eventStore.log[0]?.position);
      expect(fed?.owners[0]).toMatch(/^host:7\//);
    }));
});
