import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What the service tells Prometheus. Other parts register theirs on `registry`. */
export class Metrics {
  readonly registry = new Registry();
  private readonly durations: Histogram<'method' | 'route' | 'status'>;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer, by route pattern.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [this.registry],
    });
  }

  /** @param route the pattern, never a path: paths carry ids, and each would be a series of its own */
  request(method: string, route: string, status: number, seconds: number): void {
    this.durations.observe({ method, route, status: `${status}` }, seconds);
  }
}
