import { aborted, longLived } from './core/signals.js';
import { Throttle } from './engine/live/throttle.js';
import { startBuildWorker } from './process/build-worker.js';
import { readConfiguration } from './process/config.js';
import { createLogger } from './process/log.js';
import { openStores } from './process/stores.js';

/**
 * The process that a service starts to rebuild views and carry out operators' requests, so that these do not slow the
 * service. The service ends it if there is no work left. It also ends with the service.
 */
const configuration = readConfiguration(process.env);
const log = createLogger(configuration.logLevel);
const abort = longLived();
const end = (): void => abort.abort();
process.once('SIGTERM', end).once('SIGINT', end).once('disconnect', end);

const throttle = new Throttle();
process.on('message', (share) => {
  if (typeof share === 'number') throttle.share = share;
});

const stores = await openStores(configuration, (sentence) => log.warn(sentence));
const worker = startBuildWorker(stores, { ...configuration, log, feeds: 'building', throttle });
await aborted(abort.signal);
await worker.stop();
await stores.close();
if (process.connected) process.disconnect();
