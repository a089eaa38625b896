import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** Buckets of durations, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Interval so long that it never measures: prom-client's histogram of the event loop's lag cannot be switched off. */
const NEVER_MS = 1_000 * 60 * 60 * 24;
const LAG = /^nodejs_eventloop_lag/;

/** The service's metrics for Prometheus. Other parts register theirs on `registry`. */
export class Metrics {
  readonly registry = new Registry();
  /** Durations of answers by their route's pattern. Paths contain ids: each would be a series of its own. */
  readonly durations: Histogram<'method' | 'route' | 'status'>;

  constructor() {
    // The lag would be measured by a timer that wakes an idle process every 10 ms. Measuring the loop's use costs nothing.
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: NEVER_MS });
    for (const { name } of this.registry.getMetricsAsArray())
      if (LAG.test(name)) this.registry.removeSingleMetric(name);
    new Counter({
      name: 'assay_eventloop_active_seconds_total',
      help: 'Time for which the event loop was busy. A rate of 1 means that the process is at its limit.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(performance.eventLoopUtilization().active / 1_000);
      },
    });
    this.durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of requests, from their arrival to the end of the answer, by route pattern.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [this.registry],
    });
  }
}
