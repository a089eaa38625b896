import { readConfiguration } from './process/config.js';
import { createLogger } from './process/log.js';
import { runBuildWorker } from './process/build-worker.js';
import { longLived } from './core/signals.js';
import { Pace } from './engine/live/pace.js';
import { openStores } from './process/stores.js';

/**
 * The process that a service starts to rebuild views and carry out operators' requests, so that the service keeps its
 * speed. It ends when nothing is left to do, and with the service.
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
  await runBuildWorker(stores, { ...configuration, log, feeds: 'building', signal: abort.signal, pace });
} finally {
  await stores.close();
}
if (process.connected) process.disconnect();
