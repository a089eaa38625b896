import { CommandContexts } from '../core/command-context.js';
import { type Configuration, readConfiguration } from '../process/config.js';
import { openStores, type Stores } from '../process/stores.js';
import type { Unit } from './output/amounts.js';
import { assertDataFolder } from './data-folder.js';
import { OperatorRequests } from './requests.js';

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
