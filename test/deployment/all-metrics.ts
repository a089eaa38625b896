import type { Registry } from 'prom-client';
import { registerSendingMetrics } from '../../src/http/sending.js';
import { SocketMetrics } from '../../src/interview/socket/interview.gateway.js';
import { registerClockMetrics } from '../../src/process/clock.js';
import { registerDiskMetrics } from '../../src/process/disk.js';
import { Metrics } from '../../src/process/metrics.js';
import { registerViewMetrics } from '../../src/process/service-health.js';
import type { Stores } from '../../src/process/stores.js';
import { registerBackupMetrics } from '../../src/process/work-metrics.js';
import { registerReactorMetrics } from '../../src/reactors/metrics.js';
import { registerCertificateMetrics } from '../../src/wiring/certificate-metrics.js';

/** Everything that a process of ours exports, on any kind of store; nothing may be collected from it. */
export const allMetrics = (): Registry => {
  const metrics = new Metrics();
  const { registry } = metrics;
  const stores = { readStore: {} } as Stores;
  registerViewMetrics(metrics, stores, null);
  new SocketMetrics(registry);
  registerDiskMetrics(metrics, '/');
  registerReactorMetrics(registry, stores);
  registerBackupMetrics(registry, stores);
  registerClockMetrics(registry, { disagreement: null, waits: { end: false, erase: false } });
  registerSendingMetrics(registry, { bytes: 0 });
  registerCertificateMetrics(registry, { eventStoreUrl: '', mongodbUrl: '' });
  return registry;
};
