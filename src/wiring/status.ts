import { registerBackupMetrics } from '../process/work-metrics.js';
import type { Configuration } from '../process/config.js';
import { diskHealth, registerDiskMetrics } from '../process/disk.js';
import { Health, type HealthSource } from '../process/health.js';
import { Metrics } from '../process/metrics.js';
import { logHealth, registerViewMetrics, viewsHealth } from '../process/service-health.js';
import type { Stores } from '../process/stores.js';
import type { Projector } from '../engine/runner.js';
import { registerReactorMetrics } from '../reactors/metrics.js';
import { registerCertificateMetrics } from './certificate-metrics.js';
import { StreamOperations } from '../process/operations/operations.js';

export interface Status {
  readonly metrics: Metrics;
  readonly health: Health;
}

/**
 * Metrics and health of a process on these stores.
 * @param projector this process's, if it has one
 * @param own health of what this process alone has
 */
export const statusOf = (
  stores: Stores,
  { servers, dataDir }: Pick<Configuration, 'servers' | 'dataDir'>,
  projector: Projector | null,
  ...own: readonly HealthSource[]
): Status => {
  const operations = new StreamOperations(stores.streams);
  const metrics = new Metrics();
  const { registry } = metrics;
  registerViewMetrics(metrics, stores, projector, operations);
  registerReactorMetrics(registry, stores);
  if (servers) registerCertificateMetrics(registry, servers);
  else {
    registerDiskMetrics(metrics, dataDir);
    registerBackupMetrics(registry, stores);
  }
  const disk = servers ? [] : [diskHealth(dataDir)];
  const views = viewsHealth(stores, projector, operations);
  return { metrics, health: new Health([...own, ...disk, logHealth(stores), views]) };
};
