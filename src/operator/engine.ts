import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandContexts } from '../app/commands/context.js';
import { type Configuration, readConfiguration } from '../app/config.js';
import { openStores, type Stores } from '../stores.js';
import type { Unit } from './output/amounts.js';
import { OperatorError } from './program.js';
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
  // A folder misspelt would be made, and everything in it be well.
  if (servers === null && !existsSync(join(dataDir, 'log')))
    throw new OperatorError(`There is no event log in ${dataDir}: DATA_DIR names the service’s data folder.`);
  const stores = await openStores(configuration);
  try {
    const requests = new OperatorRequests(stores.streams, new CommandContexts(stores.hasher));
    return await work({ configuration, stores, requests, unit: servers === null ? 'events' : 'bytes' });
  } finally {
    await stores.close();
  }
};
