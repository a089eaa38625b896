import type { Registry } from 'prom-client';
import { Metrics } from '../../src/app/metrics.js';
import { registerCertificateMetrics } from '../../src/certificate-metrics.js';
import { registerDiskMetrics } from '../../src/disk.js';
import { registerEvaluationMetrics } from '../../src/evaluations/generate-evaluation/metrics.js';
import { registerViewMetrics } from '../../src/health.js';
import { SocketMetrics } from '../../src/interview/socket/socket-metrics.js';
import { registerBackupMetrics } from '../../src/operator/backup/metrics.js';
import type { Stores } from '../../src/stores.js';
import { registerDeliveryMetrics } from '../../src/webhooks/delivering/metrics.js';

/** Everything that a process of ours exports, on any kind of store; nothing may be collected from it. */
export const allMetrics = (): Registry => {
  const metrics = new Metrics();
  const { registry } = metrics;
  const stores = {} as Stores;
  registerViewMetrics(metrics, stores, null);
  new SocketMetrics(registry);
  registerDiskMetrics(metrics, '/');
  registerDeliveryMetrics(registry, stores.readStore);
  registerEvaluationMetrics(registry, stores);
  registerBackupMetrics(registry, stores);
  registerCertificateMetrics(registry, { eventStoreUrl: '', mongodbUrl: '' });
  return registry;
};
