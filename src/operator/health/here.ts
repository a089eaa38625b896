import { join } from 'node:path';
import type { Configuration } from '../../process/config.js';
import { type ComponentHealth, Health, type HealthSource } from '../../process/health.js';
import { StoreUnavailable, StoreUnusable } from '../../core/errors.js';
import { diskHealth } from '../../process/disk.js';
import { logHealth, viewsHealth } from '../../process/service-health.js';
import { ReadStoreUnavailable } from '../../stores/errors.js';
import type { ReadStore } from '../../stores/read-store.js';
import { openLogToRead } from '../streams/open-log.js';
import { projectorsHealth } from './projectors.js';
import { wishesIn } from './wishes.js';

type Places = Pick<Configuration, 'dataDir' | 'servers'>;

/**
 * How the stores and the views are, whichever processes work on them, and whether any does. A store that cannot be
 * opened is not ready.
 */
export const healthHere = async (places: Places): Promise<readonly ComponentHealth[]> => {
  const log = await attempt(openLogToRead(places));
  const views = await attempt(openViewsToRead(places));
  const sources = [
    ...(places.servers ? [] : [diskHealth(places.dataDir)]),
    log.store ? logHealth({ eventStore: log.store }) : closed('event-store', log.problem),
    ...(views.store ? [] : [closed('read-store', views.problem)]),
    ...(log.store && views.store
      ? [viewsHealth({ eventStore: log.store, readStore: views.store }, null, wishesIn(log.store))]
      : []),
  ];
  try {
    const components = await new Health(sources).components();
    return views.store ? [...components, await fedHealth(views.store)] : components;
  } finally {
    await views.store?.close();
    await log.store?.close();
  }
};

const fedHealth = async ({ leases }: ReadStore): Promise<ComponentHealth> => {
  try {
    return await projectorsHealth(leases);
  } catch (error) {
    if (!(error instanceof ReadStoreUnavailable)) throw error;
    return { name: 'projectors', ready: false, problem: error.message };
  }
};

/** The read store, to be read. */
export const openViewsToRead = async ({ dataDir, servers }: Places): Promise<ReadStore> => {
  if (servers) {
    const { openMongoReadStore } = await import('../../stores/mongodb/views/open.js');
    return openMongoReadStore(servers.mongodbUrl);
  }
  const { openEmbeddedReadStore } = await import('../../stores/lmdb/views/open.js');
  return openEmbeddedReadStore(join(dataDir, 'views'), { readOnly: true });
};

type Attempt<T> =
  { readonly store: T; readonly problem?: never } | { readonly store: null; readonly problem: string };

const attempt = async <T>(opening: Promise<T>): Promise<Attempt<T>> => {
  try {
    return { store: await opening };
  } catch (error) {
    if (
      error instanceof StoreUnusable ||
      error instanceof StoreUnavailable ||
      error instanceof ReadStoreUnavailable
    )
      return { store: null, problem: error.message };
    throw error;
  }
};

const closed = (name: string, problem: string): HealthSource => ({
  name,
  check: async () => [{ name, ready: false, problem }],
});
