import { randomUUID } from 'node:crypto';
import { formerViews, views } from '../../projections/index.js';
import { documentWork } from '../engine/documents/work.js';
import { type PolledViews, type Projector, startProjector } from '../engine/feeding/runner.js';
import type { Feeds } from '../engine/feeding/view-feeder.js';
import { type Conductor, startConductor } from '../engine/generations/conductor.js';
import type { Throttle } from '../engine/live/throttle.js';
import type { EngineLog } from '../engine/log.js';
import { Leases } from '../engine/ownership/leases.js';
import { type Timekeeper, TrustedClock } from '../engine/trusted-clock.js';
import { StreamOperations } from './operations/operations.js';
import { isGone, processName } from './owner.js';
import type { Stores } from './stores.js';

/** How generations are made and removed. */
export interface GenerationSettings {
  /** Into how many segments newly built views are split. */
  readonly segments: number;
  /** Whether views whose code has changed are rebuilt without an operator. */
  readonly automatic: boolean;
  /** How long a former generation is kept for a rollback, in milliseconds. */
  readonly graceMs: number;
}

/** Makes the leases of this process, for all its work on these stores. */
export const leasesOf = ({ readStore }: Pick<Stores, 'readStore'>, log: EngineLog): Leases =>
  new Leases({ leases: readStore.leases, owner: `${processName()}/${randomUUID()}`, isGone, log });

/** How a process feeds the views. */
export interface FeedingOptions {
  readonly leases: Leases;
  readonly log: EngineLog;
  /** Into how many segments newly built views are split. */
  readonly segments: number;
  /** Which generations it feeds. `all`: no other process feeds the views. */
  readonly feeds: Feeds;
  /** Slows feeding that is far behind the log's end. Default: it is not slowed. */
  readonly throttle?: Throttle | undefined;
  /** Called after each poll of pointers and operators' requests. Default: nothing is. */
  readonly onPoll?: (polled: PolledViews) => void;
}

/** Starts to feed the views in this process, until the projector is stopped. Call it once in a process. */
export const projectorOf = (
  stores: Stores,
  { leases, log, segments, feeds, throttle, onPoll }: FeedingOptions,
): Projector => {
  const { eventStore, readStore, codec, documents } = stores;
  return startProjector({
    eventStore,
    readStore,
    codec,
    sealer: documents,
    views,
    formerViews,
    operations: new StreamOperations(stores.streams),
    feeds,
    segments,
    leases,
    log,
    ...(throttle && { feed: { throttle } }),
    ...(onPoll && { onPoll }),
  });
};

/** Carries out operators' requests and rebuilds of changed code, in the one process that has the conductor's lease. */
export const conductorOf = (
  stores: Stores,
  {
    throttle,
    timekeeper,
    ...settings
  }: GenerationSettings &
    Pick<FeedingOptions, 'leases' | 'log' | 'throttle'> & { readonly timekeeper?: Timekeeper },
): Conductor => {
  const { eventStore, readStore } = stores;
  const operations = new StreamOperations(stores.streams);
  return startConductor({
    eventStore,
    readStore,
    views,
    formerViews,
    operations,
    work: documentWork(stores, operations, throttle),
    // A build worker passes none: this clock is checked only before a former generation is dropped, not each minute.
    timekeeper: timekeeper ?? new TrustedClock({ store: readStore.clock, log: settings.log }),
    ...settings,
  });
};
