import { describe, expect, it } from '@jest/globals';
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
import { aborted } from '../../core/signals.js';
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
        await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), aborted(signal)]);
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
  start(): void;
  /** Resolves once `run` has ended. */
  readonly ended: () => Promise<void>;
  stop(): void;
}

const state = ({ loop }: Pick<Rig, 'loop'>) => loop.status.state;

async function withLoop(run: (rig: Rig) => Promise<void>, role: Role = 'live', pageEvents = 100) {
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
  // Only the test flushes.
  const checkpoints = {
    add: () => () => undefined,
    folded: () => undefined,
    moved: () => undefined,
    close: () => undefined,
  };
  const feed = Object.assign(new Feed({ eventStore, codec, progress, pageEvents }), { checkpoints }) as Feed;
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
    backoff: { baseMs: 1, capMs: 5 },
    onFailure: (failure) => void failures.push(failure),
    stage,
  });
  const abort = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const hold: Rig['hold'] = (operation) => {
    let release = (): void => undefined;
    let reached = false;
    const released = new Promise<void>((resolve) => (release = resolve));
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
      start: () => void (running = loop.run(abort.signal)),
      ended: () => running,
      stop: () => abort.abort(),
    });
  } finally {
    abort.abort();
    await feed.close();
    await running;
  }
}

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
      'live',
      1,
    ));

  it('records that a rebuild has failed only after its checkpoint is right before the event', () =>
    withLoop(async ({ failures, elsewhere, record, start, ended, hold }) => {
      const [first] = await record(added('a', 1), added('a', 13));
      const advancing = hold('checkpoints.advance');
      start();
      await eventuallyHolds(() => advancing.reached);
      expect(failures).toEqual([]);
      advancing.release();
      await ended();
      expect(failures).toHaveLength(1);
      expect(await elsewhere.checkpoints.get(CHECKPOINT)).toBe(first);
    }, 'next'));

  it('does not count a rebuild as failed if another process has moved its checkpoint meanwhile', () =>
    withLoop(async ({ failures, elsewhere, record, start, hold, calls }) => {
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
    }, 'next'));

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
});
