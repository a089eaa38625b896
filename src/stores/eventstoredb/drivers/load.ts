import { StoreUnusable } from '../../../core/errors.js';
import type { Driver } from './driver.js';

export type DriverName = 'eventstoredb' | 'kurrentdb';

let loaded: DriverName | null = null;

/**
 * Loads a client, the first time it is asked for: an embedded service never pays for it. The two clients define the
 * same protocol messages under the same names, so that one process can hold only one of them.
 * @throws {StoreUnusable} this process already has the other one
 */
export async function loadDriver(name: DriverName): Promise<Driver> {
  loaded ??= name;
  if (loaded !== name) {
    throw new StoreUnusable(
      'One process cannot use an esdb:// and a kurrentdb:// URL at once: their clients exclude each other. Give both the same scheme.',
    );
  }
  return name === 'eventstoredb'
    ? (await import('./eventstoredb.js')).eventStoreDbDriver
    : (await import('./kurrentdb.js')).kurrentDbDriver;
}
