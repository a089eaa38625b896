import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { CHECKPOINT, GENERATION } from '../../../test/support/pass-rig.js';
import {
  accounts,
  added,
  markingSealer,
  plainCodec,
  record,
  type Recorded,
} from '../../../test/support/projection-rig.js';
import type { Position } from '../../core/event-store.js';
import { GenerationUnusable } from '../../stores/errors.js';
import type { BuildFailure } from '../../stores/read-store.js';
import { PARKED } from '../fold/fold.js';
import { Feed } from '../live/feed.js';
import { FoldCounts, progressOf } from '../live/progress.js';
import { silentLog } from '../log.js';
import type { Leases } from '../ownership/leases.js';
import { type Role, SegmentLoop } from './segment-loop.js';

/** The lease of the segment. A test takes it and gives it back. */
class GivenLease {
  #term: AbortController | null = new AbortController();
  #waiting: (() => void)[] = [];

  constructor(private readonly calls: string[]) {}

  /** Another process is to have the lease, which is held until the loop releases it. */
  end(): void {
    this.#term?.abort();
  }

  /** Another process has it from now on. */
  lose(): void {
    this.end();
    this.#term = null;
  }

  giveBack(): void {
    this.#term = new AbortController();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  readonly leases: Pick<Leases, 'holds' | 'acquired' | 'giveUp' | 'forget'> = {
    holds: () => this.#term !== null,
    acquired: async (_, signal) => {
      this.calls.push('acquired');
      while (this.#term === null && !signal.aborted)
        await new Promise<void>((resolve) => {
          const end = (): void => {
            signal.removeEventListener('abort', end);
            resolve();
          };
          signal.addEventListener('abort', end);
          this.#waiting.push(end);
        });
      return this.#term?.signal ?? AbortSignal.abort();
    },
    giveUp: async () => {
      this.calls.push('giveUp');
      this.lose();
    },
    forget: async () => this.lose(),
  };
}

/** A step of the loop that waits until the test releases it. */
interface Held {
  readonly reached: boolean;
  release(): void;
}

interface Rig {
  readonly lease: GivenLease;
  readonly loop: SegmentLoop;
  readonly feed: Feed;
  readonly failures: readonly BuildFailure[];
  /** Calls of the loop, in order: reads and writes of the read store, and of its lease. */
  readonly calls: string[];
  /** The read store as another process has it. */
  readonly elsewhere: ReturnType<typeof openMemoryReadStore>;
  record(...events: Recorded[]): Promise<Position[]>;
  /** Lets the next call of an operation of the read store, or `decode`, wait. */
  hold(operation: string): Held;
  /** Lets the next call of an operation throw. */
  fail(operation: string, error: Error): void;
  /** The loops whose checkpoints the feed flushes. */
  readonly flushed: ReadonlySet<SegmentLoop>;
  /** Aborts when the process ends. */
  readonly process: AbortSignal;
  /** Where readers of this process take the segment to be. */
  positionHere(): Position | null;
  start(): void;
  /** Resolves once `run` has ended. */
  readonly ended: () => Promise<void>;
  stop(): void;
}

const state = ({ loop }: Pick<Rig, 'loop'>) => loop.status.state;

interface RigOptions {
  /** Default: `live`. */
  readonly role?: Role;
  readonly pageEvents?: number;
  /** The first wait after a failure. Default: 1 ms. */
  readonly baseMs?: number;
}

async function withLoop(
  run: (rig: Rig) => Promise<void>,
  { role = 'live', pageEvents = 100, baseMs = 1 }: RigOptions = {},
) {
  const eventStore = new MemoryEventStore();
  const database = new MemoryDatabase();
  const calls: string[] = [];
  const held = new Map<string, () => Promise<void>>();
  const pass = async (operation: string): Promise<void> => {
    calls.push(operation);
    const wait = held.get(operation);
    held.delete(operation);
    await wait?.();
  };
  const readStore = openMemoryReadStore(database, { before: ({ operation }) => pass(operation) });
  const codec = plainCodec();
  const { decode } = codec;
  codec.decode = async (event) => {
    await pass('decode');
    return await decode(event);
  };
  const progress = progressOf(readStore);
  const flushed = new Set<SegmentLoop>();
  // Only the test flushes.
  const checkpoints = {
    add: (one: SegmentLoop) => {
      flushed.add(one);
      return () => flushed.delete(one);
    },
    folded: () => undefined,
    moved: () => undefined,
    close: () => undefined,
  };
  const feed = Object.assign(new Feed({ eventStore, codec, progress, pageEvents }), {
    checkpoints,
  }) as unknown as Feed;
  await eventuallyHolds(() => feed.position !== null);
  const lease = new GivenLease(calls);
  const failures: BuildFailure[] = [];
  const stage = { role };
  const loop = new SegmentLoop({
    feed,
    checkpoints: readStore.checkpoints,
    sealer: markingSealer,
    leases: lease.leases as Leases,
    lease: 'segment',
    progress,
    counts: new FoldCounts(),
    log: silentLog,
    generation: GENERATION,
    segment: {
      view: accounts,
      handled: new Set(accounts.handles),
      collection: readStore.collection(GENERATION, { ...accounts.indexes, ...PARKED }),
      name: CHECKPOINT,
      index: 0,
      count: 1,
      rules: { strict: role === 'next', skipped: new Set() },
    },
    backoff: { baseMs, capMs: Math.max(baseMs, 5) },
    onFailure: (failure) => void failures.push(failure),
    stage,
  });
  const abort = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const releases: (() => void)[] = [];
  const hold: Rig['hold'] = (operation) => {
    let release = (): void => undefined;
    let reached = false;
    const released = new Promise<void>((resolve) => (release = resolve));
    releases.push(release);
    held.set(operation, () => ((reached = true), released));
    return {
      get reached() {
        return reached;
      },
      release: () => release(),
    };
  };
  try {
    await run({
      lease,
      loop,
      feed,
      failures,
      calls,
      elsewhere: openMemoryReadStore(database),
      record: (...events) => record(eventStore, ...events),
      hold,
      fail: (operation, error) => void held.set(operation, () => Promise.reject(error)),
      flushed,
      process: abort.signal,
      positionHere: () => progress.positionOf(CHECKPOINT),
      start: () => void (running = loop.run(abort.signal)),
      ended: () => running,
      stop: () => abort.abort(),
    });
  } finally {
    abort.abort();
    for (const release of releases) release();
    await feed.close();
    await running;
  }
}

/** Lets everything run that waits for nothing. */
const turns = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
};

const writes = (calls: readonly string[]): readonly string[] =>
  calls.filter((call) => call === 'apply' || call === 'checkpoints.advance');

describe('The loop of a segment', () => {
  it('writes nothing of what it was reading when it lost its lease, and reads it again when it has it again', () =>
    withLoop(async (rig) => {
      const { lease, calls, hold, record, start } = rig;
      const decoding = hold('decode');
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => decoding.reached);
      lease.lose();
      decoding.release();
      await eventuallyHolds(() => state(rig) === 'standby' && calls.at(-1) === 'acquired');
      expect(writes(calls)).toEqual([]);
      lease.giveBack();
      await eventuallyHolds(() => writes(calls).length === 2);
    }));

  it('writes nothing of what it was reading when its process ended', () =>
    withLoop(async ({ calls, hold, record, start, stop, ended }) => {
      const decoding = hold('decode');
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => decoding.reached);
      stop();
      decoding.release();
      await ended();
      expect(writes(calls)).toEqual([]);
    }));

  it('ends although its process ends between a pass and the wait for the next event', () =>
    withLoop(async ({ calls, hold, record, start, stop, ended }) => {
      const advancing = hold('checkpoints.advance');
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => advancing.reached);
      stop();
      advancing.release();
      await ended();
      expect(writes(calls)).toEqual(['apply', 'checkpoints.advance']);
    }));

  it('moves the checkpoint before it hands over its lease', () =>
    withLoop(async ({ lease, loop, calls, elsewhere, record, start }) => {
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => loop.status.caughtUp);
      const [last] = await record({ type: 'other', data: {} });
      await eventuallyHolds(() => loop.status.position === last);
      calls.length = 0;
      lease.end();
      await eventuallyHolds(() => calls.includes('acquired'));
      expect(calls).toEqual(['checkpoints.advance', 'giveUp', 'acquired']);
      expect(await elsewhere.checkpoints.get(CHECKPOINT)).toBe(last);
    }));

  it('does not move the checkpoint once its lease is another process’s', () =>
    withLoop(async (rig) => {
      const { lease, loop, calls, record, start } = rig;
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => loop.status.caughtUp);
      const [last] = await record({ type: 'other', data: {} });
      await eventuallyHolds(() => loop.status.position === last);
      calls.length = 0;
      lease.lose();
      await eventuallyHolds(() => calls.includes('acquired'));
      expect(writes(calls)).toEqual([]);
      expect(state(rig)).toBe('standby');
    }));

  it('reads where the segment is when it has its lease again', () =>
    withLoop(async ({ lease, loop, calls, record, start }) => {
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => loop.status.caughtUp);
      lease.lose();
      await eventuallyHolds(() => calls.at(-1) === 'acquired');
      calls.length = 0;
      lease.giveBack();
      await eventuallyHolds(() => calls.includes('checkpoints.get'));
      await eventuallyHolds(() => loop.status.caughtUp);
    }));

  it('moves the checkpoint of a segment that follows the feed when it is due, and only if it is behind', () =>
    withLoop(async ({ loop, calls, elsewhere, record, start }) => {
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => loop.status.caughtUp);
      const [last] = await record({ type: 'other', data: {} });
      await eventuallyHolds(() => loop.status.position === last);
      loop.flush();
      await eventuallyHolds(async () => (await elsewhere.checkpoints.get(CHECKPOINT)) === last);
      calls.length = 0;
      loop.flush();
      const [next] = await record(added('a', 1));
      await eventuallyHolds(() => loop.status.position === next && loop.status.caughtUp);
      expect(calls.indexOf('checkpoints.advance')).not.toBe(0);
    }));

  it('moves the checkpoint that fell due in a pass before the next one', () =>
    withLoop(
      async ({ loop, calls, hold, record, start }) => {
        await record(added('a', 1), added('a', 2), added('a', 3));
        start();
        await eventuallyHolds(() => writes(calls).length >= 2);
        await eventuallyHolds(() => loop.status.caughtUp);
        calls.length = 0;
        const applying = hold('apply');
        await record(added('a', 4));
        await eventuallyHolds(() => applying.reached);
        await record(added('a', 5));
        loop.flush();
        applying.release();
        await eventuallyHolds(() => writes(calls).length >= 3);
        expect(writes(calls).slice(0, 3)).toEqual(['apply', 'checkpoints.advance', 'apply']);
      },
      { pageEvents: 1 },
    ));

  it('records that a rebuild has failed only after its checkpoint is right before the event', () =>
    withLoop(
      async ({ failures, elsewhere, record, start, ended, hold }) => {
        const [first] = await record(added('a', 1), added('a', 13));
        const advancing = hold('checkpoints.advance');
        start();
        await eventuallyHolds(() => advancing.reached);
        expect(failures).toEqual([]);
        advancing.release();
        await ended();
        expect(failures).toHaveLength(1);
        expect(await elsewhere.checkpoints.get(CHECKPOINT)).toBe(first);
      },
      { role: 'next' },
    ));

  it('does not count a rebuild as failed if another process has moved its checkpoint meanwhile', () =>
    withLoop(
      async ({ failures, elsewhere, record, start, hold, calls }) => {
        const [, failed] = await record(added('a', 1), added('a', 13));
        const advancing = hold('checkpoints.advance');
        start();
        await eventuallyHolds(() => advancing.reached);
        // The other process skips the event, since an operator requested it.
        await elsewhere.checkpoints.advance(CHECKPOINT, null, failed!, null);
        calls.length = 0;
        advancing.release();
        await eventuallyHolds(() => failures.length > 0 || calls.includes('checkpoints.get'));
        expect(failures).toEqual([]);
      },
      { role: 'next' },
    ));

  it('ends once its generation was dropped, and makes nothing of it again', () =>
    withLoop(async (rig) => {
      const { lease, calls, elsewhere, record, start, ended, loop } = rig;
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => loop.status.caughtUp);
      lease.lose();
      await eventuallyHolds(() => calls.at(-1) === 'acquired');
      await elsewhere.drop(GENERATION);
      calls.length = 0;
      lease.giveBack();
      await ended();
      expect(state(rig)).toBe('dropped');
      expect(writes(calls)).toEqual([]);
    }));

  it.each<Role>(['live', 'next', 'former'])(
    'ends, and hands over its lease, while it waits for the next event of a %s generation',
    (role) =>
      withLoop(
        async ({ lease, loop, calls, record, start, stop, ended }) => {
          await record(added('a', 1));
          start();
          await eventuallyHolds(() => loop.status.caughtUp);
          await turns();
          lease.end();
          await eventuallyHolds(() => calls.at(-1) === 'acquired');
          lease.giveBack();
          await eventuallyHolds(() => calls.at(-1) !== 'acquired');
          await turns();
          stop();
          await ended();
        },
        { role },
      ),
  );

  it('starts over from the store once another process has moved its checkpoint', () =>
    withLoop(async ({ loop, elsewhere, record, start }) => {
      const [first] = await record(added('a', 1));
      start();
      await eventuallyHolds(() => loop.status.caughtUp);
      const [second] = await record({ type: 'other', data: {} });
      await eventuallyHolds(() => loop.status.position === second);
      expect(await elsewhere.checkpoints.advance(CHECKPOINT, first!, second!, null)).toBe(true);
      const [third] = await record(added('a', 1));
      await eventuallyHolds(() => loop.status.position === third);
    }));

  it('reads the documents again that other processes may have written while they had its lease', () =>
    withLoop(async ({ lease, loop, calls, record, start }) => {
      await record(added('a', 1));
      start();
      await eventuallyHolds(() => loop.status.caughtUp);
      lease.lose();
      await eventuallyHolds(() => calls.at(-1) === 'acquired');
      calls.length = 0;
      const [last] = await record(added('a', 1));
      lease.giveBack();
      await eventuallyHolds(() => loop.status.position === last);
      expect(
        calls.slice(0, calls.indexOf('apply')).filter((call) => call === 'get' || call === 'getMany'),
      ).not.toEqual([]);
    }));

  it('releases its lease at an event of newer code, with the checkpoint right before it, and says why', () =>
    withLoop(
      async (rig) => {
        const { loop, calls, elsewhere, record, start } = rig;
        await record(added('a', 1));
        start();
        await eventuallyHolds(() => loop.status.caughtUp);
        const [second] = await record({ type: 'other', data: {} });
        await eventuallyHolds(() => loop.status.position === second);
        await record({ ...added('a', 2), schemaVersion: 2 });
        await eventuallyHolds(() => calls.includes('giveUp'));
        await turns();
        expect(loop.status).toMatchObject({ state: 'stopped', caughtUp: false, position: second });
        expect(loop.status.reason).toContain('newer version');
        expect(await elsewhere.checkpoints.get(CHECKPOINT)).toBe(second);
      },
      { baseMs: 3_600_000 },
    ));

  it('keeps its lease at an event that cannot be read, and hands it over in the middle of the wait', () =>
    withLoop(
      async (rig) => {
        const { lease, calls, record, start } = rig;
        await record({ ...added('a', 1), sealed: true });
        start();
        await eventuallyHolds(() => state(rig) === 'stopped');
        await turns();
        expect(calls).not.toContain('giveUp');
        lease.end();
        await eventuallyHolds(() => calls.at(-1) === 'acquired');
      },
      { baseMs: 3_600_000 },
    ));

  it.each<[Role, string]>([
    ['live', 'working'],
    ['former', 'working'],
    ['next', 'failed'],
  ])('tries again what a store refuses of a generation, unless it is being built: a %s one', (role, after) =>
    withLoop(
      async (rig) => {
        const { failures, fail, record, start } = rig;
        await record(added('a', 1));
        fail('apply', new GenerationUnusable('Too many indexes.'));
        start();
        await eventuallyHolds(() => state(rig) === after);
        expect(failures).toEqual(after === 'failed' ? [{ eventId: null, message: 'Too many indexes.' }] : []);
      },
      { role },
    ),
  );

  it('moves the checkpoint of a rebuild at its first page and at the log’s end, not at each page', () =>
    withLoop(
      async ({ calls, elsewhere, record, start }) => {
        const last = (await record(added('a', 1), added('a', 2), added('a', 3))).at(-1);
        start();
        await eventuallyHolds(async () => (await elsewhere.checkpoints.get(CHECKPOINT)) === last);
        expect(writes(calls)).toEqual([
          'apply',
          'checkpoints.advance',
          'apply',
          'apply',
          'checkpoints.advance',
        ]);
      },
      { role: 'next', pageEvents: 1 },
    ));

  it('keeps nothing of a wait for an event, or of a term, that is over', () =>
    withLoop(async ({ lease, loop, feed, calls, process, record, start }) => {
      const ends: number[] = [];
      const { follow } = feed;
      feed.follow = (...of) => {
        const following = follow.apply(feed, of);
        const { end } = following ?? {};
        const n = ends.push(0) - 1;
        return following && Object.assign(following, { end: () => (ends[n]!++, end?.call(following)) });
      };
      start();
      for (let n = 0; n < 4; n++) {
        const [position] = await record(added('a', 1));
        await eventuallyHolds(() => loop.status.position === position && loop.status.caughtUp);
      }
      await eventuallyHolds(() => ends.filter((count) => count === 0).length === 1);
      const over = ends.slice(0, -1);
      const before = getEventListeners(process, 'abort').length;
      for (let n = 0; n < 3; n++) {
        lease.end();
        await eventuallyHolds(() => calls.at(-1) === 'acquired');
        lease.giveBack();
        await eventuallyHolds(() => calls.at(-1) !== 'acquired' && loop.status.caughtUp);
      }
      expect(ends.slice(0, over.length)).toEqual(over);
      expect(getEventListeners(process, 'abort').length).toBe(before);
    }));

  it('is no longer flushed or read from once it has ended and left the segment', () =>
    withLoop(async ({ loop, lease, flushed, positionHere, record, start, stop, ended }) => {
      const [last] = await record(added('a', 1));
      start();
      await eventuallyHolds(() => loop.status.caughtUp);
      expect([flushed.size, positionHere()]).toEqual([1, last]);
      stop();
      await ended();
      await loop.leave();
      expect([flushed.size, positionHere(), lease.leases.holds('segment')]).toEqual([0, null, false]);
    }));
});
