import { readConfiguration } from './process/config.js';
import { createLogger } from './process/log.js';
import { Metrics } from './process/metrics.js';
import { Health } from './process/health.js';
import { statusPages } from './api/status/status-pages.js';
import { listenForOperators } from './api/status/status-server.js';
import { start } from './process/start.js';
import { whenReachable } from './process/when-reachable.js';
import { createDetector, createScorer } from './scoring/create.js';
import { operationsOf } from './process/conducting.js';
import { createClosing } from './interview/create.js';
import { diskHealth, registerDiskMetrics } from './process/disk.js';
import { logHealth, projectorHealth, registerViewMetrics, viewsHealth } from './process/service-health.js';
import { openStores } from './process/stores.js';
import { registerUpkeepMetrics } from './wiring/upkeep-metrics.js';
import { registerDeliveryMetrics } from './reactors/webhooks/metrics.js';
import { startWorkers } from './wiring/workers.js';

/**
 * Feeds the views and answers what is asked, apart from any API process, until it is told to stop. With HEALTH_PORT
 * it shows how it is there.
 */
await start(async (lifecycle) => {
  const configuration = readConfiguration(process.env);
  const { dataDir, servers } = configuration;
  const log = createLogger(configuration.logLevel);
  lifecycle.log(log);
  const operators = await listenForOperators(configuration, lifecycle);
  const open = () => openStores(configuration, (sentence) => log.warn(sentence));
  const stores = servers ? await whenReachable(open, log) : await open();
  lifecycle.onStop('stores', () => stores.close());
  const ending = createClosing(stores, configuration, log);
  const { segments, automatic, graceMs } = configuration;
  const webhookTargets = { allowPrivate: configuration.webhookAllowPrivate };
  const settings = { segments, automatic, graceMs, webhookTargets };
  const scorer = createScorer(configuration.scorer, log);
  const detector = createDetector(configuration, log);
  const workers = startWorkers(stores, {
    scorer,
    detector,
    log,
    ending,
    buildWorker: 'this process',
    ...settings,
  });
  lifecycle.onStop('workers', () => workers.stop());
  const { projector } = workers;
  const metrics = new Metrics();
  const operations = operationsOf(stores);
  registerViewMetrics(metrics, stores, projector, operations);
  registerDeliveryMetrics(metrics.registry, stores.readStore);
  if (!servers) registerDiskMetrics(metrics, dataDir);
  registerUpkeepMetrics(metrics.registry, stores, configuration.servers);
  const health = new Health([
    projectorHealth(projector),
    ...(servers ? [] : [diskHealth(dataDir)]),
    logHealth(stores),
    viewsHealth(stores, projector, operations),
  ]);
  operators.open(statusPages(health, metrics));
  // Waiting for events keeps no process alive by itself.
  setInterval(() => undefined, 60 * 60 * 1_000);
  log.info(servers ? {} : { dataDir }, 'The projector works.');
});
