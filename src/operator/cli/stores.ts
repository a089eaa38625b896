import { CommandContexts } from '../../core/command-context.js';
import { type Configuration, readConfiguration } from '../../process/config.js';
import { openStores, type Stores } from '../../process/stores.js';
import type { Unit } from './progress.js';
import { OperatorRequests } from './requests.js';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from './program.js';
import type { EventStore } from '../../core/event-store.js';

/** What commands about views work with. */
export interface Engine {
  readonly configuration: Configuration;
  readonly stores: Stores;
  readonly requests: OperatorRequests;
  /** What the event store's ordinals count. */
  readonly unit: Unit;
}

/**
 * Work on the stores of the service, opened as it opens them.
 * @throws {OperatorError} there is no service's data where it is looked for
 */
export const withEngine = async <T>(work: (engine: Engine) => Promise<T>): Promise<T> => {
  const configuration = readConfiguration(process.env);
  const { dataDir, servers } = configuration;
  if (servers === null) assertDataFolder(dataDir, 'DATA_DIR');
  const stores = await openStores(configuration);
  try {
    const requests = new OperatorRequests(stores.streams, new CommandContexts(stores.hasher));
    return await work({ configuration, stores, requests, unit: servers === null ? 'events' : 'bytes' });
  } finally {
    await stores.close();
  }
};

/** What a service's data folder is known by. */
const KNOWN_BY = [
  ['event log', join('log', 'data.mdb')],
  ['vault', join('vault', 'look-ups', 'data.mdb')],
] as const;

/**
 * To be asked before anything is opened, since opening makes what is missing: a folder misspelt would become a service's
 * own, with keys and all, and a vault that is lost an empty one.
 * @param named for the reader: what names the folder, `''` where that is plain
 * @throws {OperatorError} it holds no event log or no vault
 */
export const assertDataFolder = (folder: string, named = ''): void => {
  for (const [what, file] of KNOWN_BY) {
    if (statSync(join(folder, file), { throwIfNoEntry: false })) continue;
    const hint = named === '' ? '' : ` ${named} names the service’s data folder.`;
    throw new OperatorError(`${folder} is no data folder: it holds no ${what} (${file}).${hint}`);
  }
};

// An adapter is loaded where it is used, as the service does it.

/** The log of the service, to be read: nothing of a running service waits for it. */
export const openLogToRead = async ({
  dataDir,
  servers,
}: Pick<Configuration, 'dataDir' | 'servers'>): Promise<EventStore> => {
  if (servers) {
    const { openEventStoreDb } = await import('../../stores/eventstoredb/open.js');
    return openEventStoreDb(servers.eventStoreUrl);
  }
  const { openEmbeddedLog } = await import('../../stores/lmdb/log/open.js');
  return openEmbeddedLog(join(dataDir, 'log'), { readOnly: true });
};

/** Work on the log alone: no key is needed for it. */
export const withLog = async <T>(work: (log: EventStore) => Promise<T>): Promise<T> => {
  const log = await openLogToRead(readConfiguration(process.env));
  try {
    return await work(log);
  } finally {
    await log.close();
  }
};
