import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { EventStore } from '../event-store/port.js';
import type { ReadStore } from '../read-store/port.js';
import { backoff, pause } from './backoff.js';
import { reasonOf } from './errors.js';
import { Feed, type FeedOptions } from './feed.js';
import {
  checkpointNames,
  collectionOf,
  promote,
  resolveGeneration,
  sweep,
  type Resolved,
} from './generations.js';
import type { LeaseTimings } from './leases.js';
import { silentLog, type EngineLog } from './log.js';
import { progressOf } from './progress.js';
import type { DocumentSealer } from './sealer.js';
import { SegmentLeases } from './segment-leases.js';
import { SegmentLoop, type SegmentStatus } from './segment-loop.js';
import type { EventDecoder } from './shared-event.js';
import type { AnyView } from './view.js';

export interface ProjectorOptions {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly codec: EventDecoder;
  readonly sealer: DocumentSealer;
  readonly views: readonly AnyView[];
  /** Who this process is to a reader of health, a host and process id say; made unique to the run here. */
  readonly owner: string;
  readonly log?: EngineLog;
  /** Of new generations; existing ones keep their number. */
  readonly segments?: number;
  readonly leaseTimings?: Partial<LeaseTimings>;
  /** Whether the owner of a lease is known to be gone; without it a dead one is waited out. */
  readonly isGone?: (owner: string) => boolean;
  readonly backoff?: { readonly baseMs: number; readonly capMs: number };
  readonly feed?: Pick<FeedOptions, 'ringEvents' | 'ringBytes' | 'pageEvents' | 'pageBytes'>;
}

export interface Projector {
  /** Every view has a generation that readers or this process know of. Never rejects; stores away only delay it. */
  readonly ready: Promise<void>;
  /** Ends after the pass at hand; leases are released. */
  stop(): Promise<void>;
  status(): readonly SegmentStatus[];
}

const SWEEP_MS = 60 * 60 * 1000;
const BACKOFF = { baseMs: 100, capMs: 10_000 };

/** Feeds the views for as long as the process lives. Whatever fails is logged, backed off from and tried again. */
export function startProjector(options: ProjectorOptions): Projector {
  const log = options.log ?? silentLog;
  const { eventStore, readStore, codec, sealer } = options;
  const abort = new AbortController();
  const { signal } = abort;
  // Every segment waits on it.
  setMaxListeners(0, signal);
  const timings = options.backoff ?? BACKOFF;
  const feed = new Feed({ ...options.feed, eventStore, codec, log });
  const leases = new SegmentLeases({
    leases: readStore.leases,
    owner: `${options.owner}/${randomUUID()}`,
    log,
    isGone: options.isGone,
    ...(options.leaseTimings && { timings: options.leaseTimings }),
  });
  const loops: SegmentLoop[] = [];

  /** Repeats until it succeeds; `null` when the projector is stopped before. */
  async function insist<T>(what: string, action: () => Promise<T>): Promise<T | null> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        return await action();
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, `${what} failed; it is repeated.`);
        await pause(backoff(failures, timings.baseMs, timings.capMs), signal);
      }
    }
    return null;
  }

  function work(view: AnyView, { generation, stage }: Resolved): readonly Promise<void>[] {
    const collection = collectionOf(readStore, view, generation);
    const names = checkpointNames(generation);
    const handled = new Set(view.handles);
    let building = stage === 'building';
    const onCaughtUp = async (): Promise<boolean> => {
      if (!building) return true;
      const outcome = await promote({ readStore }, view, generation);
      if (outcome === 'superseded') return false;
      if (outcome === 'promoted') {
        building = false;
        log.info({ view: view.name, generation: generation.name }, `The rebuilt "${view.name}" serves now.`);
      }
      return true;
    };
    const started = names.map(
      (name, index) =>
        new SegmentLoop({
          feed,
          leases,
          sealer,
          log,
          onCaughtUp,
          isEager: () => building,
          checkpoints: readStore.checkpoints,
          progress: progressOf(readStore),
          generation: generation.name,
          segment: { view, handled, collection, name, index, count: names.length },
          backoff: timings,
        }),
    );
    loops.push(...started);
    return started.map((loop) => loop.run(signal));
  }

  const resolving = options.views.map((view) =>
    insist(`Finding the generation of the view "${view.name}"`, () =>
      resolveGeneration({ eventStore, readStore, log }, view, options.segments),
    ),
  );
  const working = options.views.map(async (view, index) => {
    const resolved = await resolving[index];
    if (resolved != null) await Promise.all(work(view, resolved));
  });
  const ready = Promise.all(resolving).then((resolved) => {
    const generations = resolved.flatMap((one) => one?.generation ?? []);
    leases.share(generations.flatMap(checkpointNames));
  });
  const sweeping = ready.then(async () => {
    while (!signal.aborted) {
      const dropped = await insist('Sweeping dropped generations', () => sweep(readStore));
      if (dropped !== null && dropped.length > 0) log.info({ dropped }, 'Former generations were removed.');
      await pause(SWEEP_MS, signal);
    }
  });

  return {
    ready,
    status: () => loops.map((loop) => loop.status),
    stop: async () => {
      abort.abort();
      await Promise.all([...working, sweeping]);
      await leases.stop();
      await feed.close();
    },
  };
}
