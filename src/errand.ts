import { constants, setPriority } from 'node:os';
import { readConfiguration } from './app/config.js';
import { createLogger } from './app/log.js';
import { runErrands } from './errands.js';
import { openStores } from './stores.js';

/**
 * The process that a service starts for what is to be built or carried out: views are folded beside the one that
 * answers requests. It ends once nothing is left, and with the service.
 */
// Whoever answers requests comes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const configuration = readConfiguration(process.env);
const log = createLogger(configuration.logLevel);
const abort = new AbortController();
const end = (): void => abort.abort();
process.once('SIGTERM', end).once('SIGINT', end).once('disconnect', end);

const stores = await openStores(configuration, (sentence) => log.warn(sentence));
try {
  await runErrands(stores, { ...configuration, log, feeds: 'building', signal: abort.signal });
} finally {
  await stores.close();
}
if (process.connected) process.disconnect();
