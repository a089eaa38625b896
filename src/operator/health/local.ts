import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnusable, Unavailable } from '../../core/errors.js';
import type { EventStore } from '../../core/event-store.js';
import { memberLeases } from '../../engine/ownership/members.js';
import { LEASE_TIMINGS } from '../../engine/ownership/presence.js';
import { createViewReader, type ViewReader } from '../../engine/reads/reads.js';
import { TrustedClock } from '../../engine/trusted-clock.js';
import type { Places } from '../../process/adapters.js';
import { checksHealth } from '../../process/checks-health.js';
import { clockHealth } from '../../process/clock.js';
import { diskHealth } from '../../process/disk.js';
import { type ComponentHealth, Health, type HealthSource } from '../../process/health.js';
import { StreamOperations } from '../../process/operations/operations.js';
import { isGone } from '../../process/owner.js';
import { logHealth, viewsHealth } from '../../process/service-health.js';
import type { Lease, ReadStore } from '../../stores/read-store.js';
import { DocumentSealer } from '../../vault/documents.js';
import { sealerWithoutKeys, streamsWithoutKeys } from '../cli/requests.js';
import { openLogToRead, openViewsToRead } from '../cli/stores.js';

/**
 * The health of the stores and views as this process finds them, without asking the service, and whether any process
 * feeds the views. A store that cannot be opened is reported as not ready. It may take `WATCH_MS`: see
 * `projectorsHealth`.
 */
export const localHealth = async (places: Places): Promise<readonly ComponentHealth[]> => {
  const log = await openedOrProblem(openLogToRead(places));
  try {
    const views = await openedOrProblem(openViewsToRead(places));
    try {
      return await componentsOf(places, log, views);
    } finally {
      await views.store?.close();
    }
  } finally {
    await log.store?.close();
  }
};

const componentsOf = async (
  places: Places,
  log: Opened<EventStore>,
  views: Opened<ReadStore>,
): Promise<readonly ComponentHealth[]> => {
  const sources = [
    ...(places.servers ? [] : [diskHealth(places.dataDir)]),
    log.store ? logHealth({ eventStore: log.store }) : notReady('event-store', log.problem),
    ...(views.store ? [] : [notReady('read-store', views.problem)]),
    ...(log.store && views.store
      ? [
          viewsHealth(
            { eventStore: log.store, readStore: views.store },
            null,
            new StreamOperations(streamsWithoutKeys(log.store)),
          ),
          checksHealth(readerOf(log.store, views.store)),
        ]
      : []),
    ...(views.store ? [clockSource(views.store)] : []),
  ];
  const components = await new Health(sources).components();
  if (!views.store) return components;
  const projectors = await projectorsHealthOrProblem(views.store);
  // Without a log no process can feed the views: to start one would not help.
  return log.store || projectors.ready ? [...components, projectors] : components;
};

/** Reads views whose documents have no personal part. */
const readerOf = (eventStore: EventStore, readStore: ReadStore): ViewReader =>
  createViewReader({ eventStore, readStore, sealer: new DocumentSealer(sealerWithoutKeys()) });

/** Compares this machine's clock with the heartbeat that the service has recorded. */
const clockSource = ({ clock: store }: ReadStore): HealthSource => {
  const clock = new TrustedClock({ store });
  return {
    name: 'clock',
    check: async () => {
      await clock.assess();
      return clockHealth(clock).check();
    },
  };
};

/** As `projectorsHealth`; not ready if the store does not answer. */
const projectorsHealthOrProblem = async ({ leases }: ReadStore): Promise<ComponentHealth> => {
  try {
    return await projectorsHealth(leases);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { name: 'projectors', ready: false, problem: error.message };
  }
};

/** A living process raises its counter every `renewMs`; one that has not for `deadMs` counts as dead. */
const WATCH_MS = LEASE_TIMINGS.deadMs + LEASE_TIMINGS.renewMs;
const POLL_MS = 200;

/**
 * Whether any process feeds the views: a member's counter changes, or a member joins. Resolves at the first such change,
 * or after `WATCH_MS`; at once if there is no member that may be running.
 * @throws {ReadStoreUnavailable} the store does not answer
 */
export const projectorsHealth = async (
  leases: Pick<ReadStore['leases'], 'get'>,
): Promise<ComponentHealth> => {
  const members = async (): Promise<readonly Lease[]> =>
    (await memberLeases(leases)).filter(({ owner }) => !isGone(owner));
  const first = await members();
  const until = performance.now() + WATCH_MS;
  for (let now = first; now.length > 0 && performance.now() < until; now = await members()) {
    const hasRisen = now.some(
      ({ owner, counter }) => first.find((one) => one.owner === owner)?.counter !== counter,
    );
    if (hasRisen) return { name: 'projectors', ready: true, figures: { entered: now.length } };
    await sleep(POLL_MS);
  }
  return {
    name: 'projectors',
    ready: false,
    problem: 'No process feeds the views: start the service, or a projector.',
  };
};

/** A store that was opened, or why it could not be. */
type Opened<T> =
  { readonly store: T; readonly problem?: never } | { readonly store: null; readonly problem: string };

/** @throws what is neither `StoreUnusable` nor `Unavailable` */
const openedOrProblem = async <T>(opening: Promise<T>): Promise<Opened<T>> => {
  try {
    return { store: await opening };
  } catch (error) {
    if (error instanceof StoreUnusable || error instanceof Unavailable)
      return { store: null, problem: error.message };
    throw error;
  }
};

/** A component that is not ready, for this reason. */
const notReady = (name: string, problem: string): HealthSource => ({
  name,
  check: async () => [{ name, ready: false, problem }],
});
