import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReadStore } from '../../stores/read-store.js';
import { deliveryCountsOf } from './counts.js';

/** What Prometheus learns of the notices that this process delivers. */
export const registerDeliveryMetrics = (registry: Registry, readStore: ReadStore): void => {
  const registers = [registry];
  new Counter({
    name: 'assay_webhook_attempts_total',
    help: 'Attempts of this process to deliver a notice, by what came of them.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(deliveryCountsOf(readStore).attempts)) {
        this.inc({ result }, count);
      }
    },
  });
  new Gauge({
    name: 'assay_webhook_attempts_under_way',
    help: 'Attempts that are under way in this process.',
    registers,
    collect() {
      this.set(deliveryCountsOf(readStore).underWay);
    },
  });
};
