/*
 * feeding/: which segments this process works on, and the loop of each. It promises that every segment of every
 * generation that a pointer names and this code folds is fed while this process has its lease, and that a failed step
 * is repeated. It may assume that a pass may be repeated (`fold`), and that leases only save work (`ownership`). Order:
 * a poll reads what operators want and the pointers (`runner`), starts and stops segments (`view-feeder`), each of
 * which takes its lease, passes, and waits for the next event (`segment-loop`, reported by `segment-report`).
 */
import { backoff, pause } from '../../core/backoff.js';
import type { EventStore } from '../../core/event-store.js';
import { longLived } from '../../core/signals.js';
import { HOUR_MS } from '../../core/timestamp.js';
import type { GenerationName, Pointer, ReadStore } from '../../stores/read-store.js';
import { reasonOf } from '../errors.js';
import { generationsOf, sweep, SWEEP_AFTER_MS } from '../generations/generations.js';
import { OperatorIntentWatcher } from '../generations/intent-watcher.js';
import { noOperations, type Operations, type OperatorIntent } from '../generations/operations.js';
import { ensurePointer, isMoving } from '../generations/pointer.js';
import { Feed, type FeedOptions } from '../live/feed.js';
import { progressOf } from '../live/progress.js';
import type { EventDecoder } from '../live/ring.js';
import { silentLog, RepeatedWarnings, type EngineLog } from '../log.js';
import type { Leases } from '../ownership/leases.js';
import type { DocumentSealer, AnyView } from '../view.js';
import type { SegmentStatus } from './segment-report.js';
import { ViewFeeder, type Feeds } from './view-feeder.js';

export interface ProjectorOptions {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly codec: EventDecoder;
  readonly sealer: DocumentSealer;
  readonly views: readonly AnyView[];
  /** Former versions of views, for generations that are still folded by them. Default: none. */
  readonly formerViews?: readonly AnyView[];
  /** Reads which views operators have paused, and which events they skip. By default there are none. */
  readonly operations?: Pick<Operations, 'readIntent' | 'stream'>;
  /** Default: `all`. */
  readonly feeds?: Feeds;
  /** The leases of this process. The caller stops them, after the projector. */
  readonly leases: Leases;
  /** By default nothing is logged. */
  readonly log?: EngineLog;
  /** Number of segments of new generations; existing ones keep theirs. Default: 1. */
  readonly segments?: number;
  /** The wait after a failed step, as `backoff` makes it from these. Default: 100 ms to 10 s. */
  readonly backoff?: { readonly baseMs: number; readonly capMs: number };
  /** Sizes and the throttle of the live feed. Default: those of `FeedOptions`. */
  readonly feed?: Pick<FeedOptions, 'ringEvents' | 'pageEvents' | 'pageBytes' | 'throttle'>;
  /**
   * How often pointers are polled while a view is rebuilt or an operation is open, in milliseconds; otherwise a
   * sixth as often. Default: 250.
   */
  readonly pollIntervalMs?: number;
  /** Called with what each poll has found; by default not. Must not throw. */
  readonly onPoll?: (polled: PolledViews) => void;
}

/** What operators want, and the pointers of all views, as of one poll. */
export interface PolledViews {
  readonly intent: OperatorIntent;
  /** Pointers by the view's name. */
  readonly pointers: ReadonlyMap<string, Pointer>;
}

/** Feeds the views in this process. */
export interface Projector {
  /** Resolves once every view has a pointer, or after `stop`. Never rejects: it waits while a store is unreachable. */
  readonly ready: Promise<void>;
  /** Ends after the current passes, and releases their leases. */
  stop(): Promise<void>;
  /** One entry for each segment that this process feeds or would feed; none before the first poll. */
  status(): readonly SegmentStatus[];
}

const SWEEP_INTERVAL_MS = HOUR_MS;
/** The second sweep after a start, in milliseconds: a process that ended by then may have left a generation behind. */
const SECOND_SWEEP_MS = 10_000;
const BACKOFF = { baseMs: 100, capMs: 10_000 };

/** Feeds the views until it is stopped. A failure is logged, and the step repeated after a wait. */
export function startProjector(options: ProjectorOptions): Projector {
  const {
    eventStore,
    readStore,
    leases,
    codec,
    sealer,
    views,
    formerViews = [],
    operations = noOperations,
  } = options;
  const { log = silentLog, segments = 1, feeds = 'all', pollIntervalMs } = options;
  const abort = longLived();
  const { signal } = abort;
  const timings = options.backoff ?? BACKOFF;
  const warnings = new RepeatedWarnings(log);
  const feed = new Feed({ ...options.feed, eventStore, codec, log, progress: progressOf(readStore) });
  const feeders = views.map((view) => {
    const versions = [view, ...formerViews.filter(({ name }) => name === view.name)];
    const feeder = new ViewFeeder({
      feed,
      leases,
      sealer,
      log,
      readStore,
      versions,
      feeds,
      backoff: timings,
    });
    return { view, feeder, isChecked: false, named: [] as readonly GenerationName[] };
  });

  const watcher = new OperatorIntentWatcher({ readStore, operations, pollIntervalMs, signal });
  /** The names that `leases.share` got last, as one text. */
  let shared = '';
  /** Reads what operators want and all pointers once. @returns whether any view is being rebuilt, or about to be */
  async function poll(): Promise<boolean> {
    const intent = await watcher.intent();
    const followed = feeders.map(async (one) => [one.view.name, await follow(one, intent)] as const);
    const pointers = new Map(await Promise.all(followed));
    const all = feeders.flatMap(({ feeder }) => feeder.leases());
    // Every view has its pointer now, so all segments are known and can be assigned to the processes. Until then a
    // process takes any free lease: no view waits for the pointer of another.
    if (all.join() !== shared) leases.share(all);
    shared = all.join();
    options.onPoll?.({ intent, pointers });
    return intent.open.length > 0 || [...pointers.values()].some(isMoving);
  }

  /** Reads a view's pointer, or makes it, and passes it to the view's feeder. */
  async function follow(
    one: (typeof feeders)[number],
    { paused, skipped }: OperatorIntent,
  ): Promise<Pointer> {
    const { view, feeder, isChecked } = one;
    const stores = { eventStore, readStore, log };
    // Whether the view comes from this log is checked once: the log of a running process stays the same.
    const known = isChecked ? await readStore.pointers.get(view.name) : null;
    const pointer = known ?? (await ensurePointer(stores, view, segments, { signal }));
    one.isChecked = true;
    const named = generationsOf(pointer).map(({ name }) => name);
    // The process that took a generation out of the pointer may have died before it removed its documents.
    if (one.named.some((name) => !named.includes(name))) sweepWithin(SWEEP_AFTER_MS);
    one.named = named;
    feeder.follow(paused.has(view.name) ? null : pointer, skipped(view.name));
    return pointer;
  }

  let sweeping: Promise<void> | null = null;
  /** When the next sweep is due, by `performance.now()`. */
  let sweepAt = -Infinity;
  const sweepWithin = (ms: number): void => {
    sweepAt = Math.min(sweepAt, performance.now() + ms);
  };

  let becomeReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (becomeReady = resolve));
  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        const busy = await poll();
        failures = 0;
        warnings.resolved('poll');
        becomeReady();
        if (performance.now() >= sweepAt) sweeping ??= sweepNow().finally(() => (sweeping = null));
        await watcher.untilNextPoll(busy);
      } catch (error) {
        warnings.warn('poll', { reason: reasonOf(error) }, 'The views’ pointers could not be read.');
        await pause(backoff(failures++, timings.baseMs, timings.capMs), signal);
      }
    }
    becomeReady();
    await sweeping;
  }

  let sweeps = 0;
  let failedSweeps = 0;
  /** Removes generations that no pointer names. */
  async function sweepNow(): Promise<void> {
    sweepAt = performance.now() + (sweeps === 0 ? SECOND_SWEEP_MS : SWEEP_INTERVAL_MS);
    try {
      const dropped = await sweep(readStore);
      if (dropped.length > 0) log.info({ dropped }, 'Former generations were removed.');
      sweeps++;
      failedSweeps = 0;
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'Sweeping dropped generations failed; it is repeated.');
      sweepWithin(backoff(failedSweeps++, timings.baseMs, timings.capMs));
    }
  }

  const working = run();
  return {
    ready,
    status: () => feeders.flatMap(({ feeder }) => feeder.status()),
    stop: async () => {
      abort.abort();
      await working;
      await Promise.all(feeders.map(({ feeder }) => feeder.stop()));
      await feed.close();
    },
  };
}
