import { type ComponentHealth, Health, type HealthSource } from '../../process/health.js';
import type { EventStore } from '../../core/event-store.js';
import { StoreUnusable, Unavailable } from '../../core/errors.js';
import { checksHealth } from '../../process/checks-health.js';
import { clockHealth } from '../../process/clock.js';
import { createViewReader, type ViewReader } from '../../engine/reads/reads.js';
import { TrustedClock } from '../../engine/trusted-clock.js';
import { diskHealth } from '../../process/disk.js';
import { logHealth, viewsHealth } from '../../process/service-health.js';
import type { Lease, ReadStore } from '../../stores/read-store.js';
import type { Places } from '../../process/adapters.js';
import { DocumentSealer } from '../../vault/documents.js';
import { sealerWithoutKeys, streamsWithoutKeys } from '../cli/requests.js';
import { openLogToRead, openViewsToRead } from '../cli/stores.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { isGone } from '../../process/owner.js';
import { LEASE_TIMINGS } from '../../engine/ownership/presence.js';
import { memberLeases } from '../../engine/ownership/members.js';
import { StreamOperations } from '../../process/operations/operations.js';

/**
 * The health of the stores and views, and whether any process feeds the views. A store that cannot be opened is not ready.
 */
export const localHealth = async (places: Places): Promise<readonly ComponentHealth[]> => {
  const log = await attempt(openLogToRead(places));
  const views = await attempt(openViewsToRead(places));
  const sources = [
    ...(places.servers ? [] : [diskHealth(places.dataDir)]),
    log.store ? logHealth({ eventStore: log.store }) : closed('event-store', log.problem),
    ...(views.store ? [] : [closed('read-store', views.problem)]),
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
    ...(views.store ? [storeClock(views.store)] : []),
  ];
  try {
    const components = await new Health(sources).components();
    return views.store ? [...components, await fedHealth(views.store)] : components;
  } finally {
    await views.store?.close();
    await log.store?.close();
  }
};

/** Of views whose documents have no personal part. */
const readerOf = (eventStore: EventStore, readStore: ReadStore): ViewReader =>
  createViewReader({ eventStore, readStore, sealer: new DocumentSealer(sealerWithoutKeys()) });

/** This machine's clock beside what the service has recorded. */
const storeClock = ({ clock: store }: ReadStore): HealthSource => {
  const clock = new TrustedClock({ store });
  return {
    name: 'clock',
    check: async () => {
      await clock.assess();
      return clockHealth(clock).check();
    },
  };
};

const fedHealth = async ({ leases }: ReadStore): Promise<ComponentHealth> => {
  try {
    return await projectorsHealth(leases);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { name: 'projectors', ready: false, problem: error.message };
  }
};

type Attempt<T> =
  { readonly store: T; readonly problem?: never } | { readonly store: null; readonly problem: string };

const attempt = async <T>(opening: Promise<T>): Promise<Attempt<T>> => {
  try {
    return { store: await opening };
  } catch (error) {
    if (error instanceof StoreUnusable || error instanceof Unavailable)
      return { store: null, problem: error.message };
    throw error;
  }
};

const closed = (name: string, problem: string): HealthSource => ({
  name,
  check: async () => [{ name, ready: false, problem }],
});

/** Longer than a living process may take to move its counter, which it does every `renewMs`. */
const WATCH_MS = LEASE_TIMINGS.deadMs + LEASE_TIMINGS.renewMs;
const LOOK_MS = 200;

/**
 * Whether any process feeds the views: its counter moves while it is watched. This takes about a second, or up to 6 s if
 * none moves and none of the entered ones is known to have ended.
 * @throws {ReadStoreUnavailable} it does not answer
 */
export const projectorsHealth = async (
  leases: Pick<ReadStore['leases'], 'get'>,
): Promise<ComponentHealth> => {
  const entered = async (): Promise<readonly Lease[]> =>
    (await memberLeases(leases)).filter(({ owner }) => !isGone(owner));
  const first = await entered();
  const until = performance.now() + WATCH_MS;
  for (let now = first; now.length > 0 && performance.now() < until; now = await entered()) {
    const moves = now.some(
      ({ owner, counter }) => first.find((one) => one.owner === owner)?.counter !== counter,
    );
    if (moves) return { name: 'projectors', ready: true, figures: { entered: now.length } };
    await sleep(LOOK_MS);
  }
  return {
    name: 'projectors',
    ready: false,
    problem: 'No process feeds the views: start the service, or a projector.',
  };
};
