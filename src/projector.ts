import { readConfiguration } from './app/config.js';
import { createLogger } from './app/log.js';
import { start } from './app/start.js';
import { RubricScorer } from './evaluations/rubric/scorer.js';
import { openStores } from './stores.js';
import { startWorkers } from './workers.js';

/** Feeds the views and answers what is asked, apart from any API process, until it is told to stop. */
await start(async (lifecycle) => {
  const configuration = readConfiguration(process.env);
  const log = createLogger(configuration.logLevel);
  lifecycle.log(log);
  const stores = await openStores(configuration);
  lifecycle.onStop('stores', () => stores.close());
  const workers = startWorkers(stores, new RubricScorer(), log);
  lifecycle.onStop('workers', () => workers.stop());
  // Waiting for events keeps no process alive by itself.
  setInterval(() => undefined, 60 * 60 * 1_000);
  log.info({ dataDir: configuration.dataDir }, 'The projector works.');
});
