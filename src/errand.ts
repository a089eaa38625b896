import { readConfiguration } from './process/config.js';
import { createLogger } from './process/log.js';
import { runErrands } from './process/errands.js';
import { longLived } from './core/signals.js';
import { Pace } from './engine/pace.js';
import { openStores } from './process/stores.js';

/**
 * The process that a service starts for what is to be built or carried out: views are folded beside the one that
 * answers requests. It ends once nothing is left, and with the service.
 */
const configuration = readConfiguration(process.env);
const log = createLogger(configuration.logLevel);
const abort = longLived();
const end = (): void => abort.abort();
process.once('SIGTERM', end).once('SIGINT', end).once('disconnect', end);

const pace = new Pace();
process.on('message', (share) => {
  if (typeof share === 'number') pace.share = share;
});

const stores = await openStores(configuration, (sentence) => log.warn(sentence));
try {
  await runErrands(stores, { ...configuration, log, feeds: 'building', signal: abort.signal, pace });
} finally {
  await stores.close();
}
if (process.connected) process.disconnect();
