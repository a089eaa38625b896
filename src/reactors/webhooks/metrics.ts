import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReadStore } from '../../stores/read-store.js';
import type { AttemptResult } from '../../domain/webhook/events.js';

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

/** What was delivered here since the process started: for figures alone. */
export interface DeliveryCounts {
  /** By what came of it. */
  readonly attempts: Record<AttemptResult, number>;
  /** Under way now. */
  underWay: number;
}

const shared = new WeakMap<ReadStore, DeliveryCounts>();

/** The counts of whoever delivers in this process. */
export function deliveryCountsOf(readStore: ReadStore): DeliveryCounts {
  let counts = shared.get(readStore);
  if (counts === undefined) {
    counts = { attempts: { delivered: 0, retrying: 0, failed: 0 }, underWay: 0 };
    shared.set(readStore, counts);
  }
  return counts;
}
