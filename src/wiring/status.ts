import type { Projector } from '../engine/feeding/runner.js';
import type { TrustedClock } from '../engine/trusted-clock.js';
import { registerSendingMetrics, type Sending } from '../http/sending.js';
import { checksHealth } from '../process/checks-health.js';
import { clockHealth, registerClockMetrics } from '../process/clock.js';
import type { Configuration } from '../process/config.js';
import { diskHealth, registerDiskMetrics } from '../process/disk.js';
import { Health, type HealthSource } from '../process/health.js';
import { Metrics } from '../process/metrics.js';
import { StreamOperations } from '../process/operations/operations.js';
import { logHealth, registerViewMetrics, viewsHealth } from '../process/service-health.js';
import type { Stores } from '../process/stores.js';
import { registerBackupMetrics } from '../process/work-metrics.js';
import { registerReactorMetrics } from '../reactors/metrics.js';
import { registerCertificateMetrics } from './certificate-metrics.js';

/** What a process shows to operators. */
export interface Status {
  readonly metrics: Metrics;
  readonly health: Health;
}

/** What the status of a process needs beside the stores. */
export interface StatusSources {
  /** `null`: the process feeds no views. */
  readonly projector: Projector | null;
  readonly clock: TrustedClock;
  /** Further components of its health. */
  readonly health: readonly HealthSource[];
  /** Counts the bytes that wait to be sent; `null`: the process answers no requests. */
  readonly sending: Sending | null;
}

/** Makes the metrics and the health of a process on these stores. */
export const statusOf = (
  stores: Stores,
  { servers, dataDir }: Pick<Configuration, 'servers' | 'dataDir'>,
  { projector, clock, health: own, sending }: StatusSources,
): Status => {
  const operations = new StreamOperations(stores.streams);
  const metrics = new Metrics();
  const { registry } = metrics;
  registerViewMetrics(metrics, stores, projector, operations);
  registerReactorMetrics(registry, stores);
  registerClockMetrics(registry, clock);
  if (sending) registerSendingMetrics(registry, sending);
  if (servers) registerCertificateMetrics(registry, servers);
  else {
    registerDiskMetrics(metrics, dataDir);
    registerBackupMetrics(registry, stores);
  }
  const disk = servers ? [] : [diskHealth(dataDir)];
  const views = viewsHealth(stores, projector, operations);
  const checks = checksHealth(stores.reader);
  return {
    metrics,
    health: new Health([...own, clockHealth(clock), ...disk, logHealth(stores), views, checks]),
  };
};
