import type { Registry } from 'prom-client';
import type { ServerAddresses } from '../process/server-addresses.js';
import { registerCertificateMetrics } from './certificate-metrics.js';
import { registerEvaluationMetrics } from '../reactors/evaluation/metrics.js';
import { registerBackupMetrics } from '../operator/backup/record.js';
import type { Stores } from '../process/stores.js';

/**
 * Figures of what is to be seen to before it is missed: evaluations that fail or wait, the last backup of a data folder,
 * the certificates of servers.
 */
export const registerUpkeepMetrics = (
  registry: Registry,
  stores: Stores,
  servers: ServerAddresses | null,
): void => {
  registerEvaluationMetrics(registry, stores);
  if (servers) registerCertificateMetrics(registry, servers);
  else registerBackupMetrics(registry, stores);
};
