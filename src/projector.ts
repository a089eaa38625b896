import { ConfigurationProblem, readConfiguration } from './app/config.js';
import { createLogger, flushLog } from './app/log.js';
import { RubricScorer } from './evaluations/rubric/scorer.js';
import { StoreUnusable } from './event-store/errors.js';
import { openStores } from './stores.js';
import { startWorkers } from './workers.js';

/** Feeds the views and answers what is asked, apart from any API process, until it is told to stop. */
const run = async (): Promise<void> => {
  const configuration = readConfiguration(process.env);
  const log = createLogger(configuration.logLevel);
  const stores = await openStores(configuration);
  const workers = startWorkers(stores, new RubricScorer(), log);
  log.info({ dataDir: configuration.dataDir }, 'The projector works.');
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
  log.info({}, 'The projector stops after what is at hand.');
  await workers.stop();
  await stores.close();
  await flushLog(log);
};

try {
  await run();
} catch (error) {
  if (!(error instanceof ConfigurationProblem) && !(error instanceof StoreUnusable)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
