import { Gauge } from 'prom-client';
import { views } from '../projections/index.js';
import type { Metrics } from './app/metrics.js';
import type { ComponentHealth, HealthSource } from './app/operations/health.js';
import { type ViewHealth, viewHealth } from './projection-engine/health.js';
import type { Projector } from './projection-engine/runner.js';
import type { Stores } from './stores.js';

/** A view this far behind no longer shows callers what they did. */
const MOST_LAG_SECONDS = 30;

/** Whether the log answers. */
export const logHealth = ({ eventStore }: Stores): HealthSource => ({
  name: 'event-store',
  check: async () => {
    const head = await eventStore.head();
    return [{ name: 'event-store', ready: true, figures: { head } }];
  },
});

/** How far the views have come, whichever process feeds them. @param projector this process's, if it has one */
export const viewsHealth = (stores: Stores, projector: Projector | null): HealthSource => ({
  name: 'views',
  check: async () => (await viewHealth(stores, views, projector ?? undefined)).map(component),
});

const component = (view: ViewHealth): ComponentHealth => {
  const { view: name, generation, position, caughtUp, lagSeconds, parked, owners, reason } = view;
  const behind = lagSeconds > MOST_LAG_SECONDS;
  const ready = generation !== null && !behind;
  const problem =
    generation === null
      ? `The view ${name} was never built: is a projector running?`
      : `The view ${name} is ${Math.round(lagSeconds)} s behind: is a projector running?`;
  return {
    name: `view ${name}`,
    ready,
    ...(!ready && { problem: reason === null ? problem : `${problem} ${reason}` }),
    figures: { generation, position, caughtUp, lagSeconds, parked, owner: owners.join(', '), reason },
  };
};

/** The views' figures for Prometheus, looked at when asked. */
export const registerViewMetrics = (metrics: Metrics, stores: Stores, projector: Projector | null): void => {
  const labelNames = ['view'];
  const parked = new Gauge({
    name: 'assay_view_parked_documents',
    help: 'Documents behind an event that could not be folded, counted up to 100.',
    labelNames,
    registers: [metrics.registry],
  });
  const caughtUp = new Gauge({
    name: 'assay_view_caught_up',
    help: '1 where everything in the log is folded.',
    labelNames,
    registers: [metrics.registry],
  });
  new Gauge({
    name: 'assay_view_lag_seconds',
    help: 'Age of the first event that is not folded yet.',
    labelNames,
    registers: [metrics.registry],
    async collect() {
      for (const health of await viewHealth(stores, views, projector ?? undefined)) {
        this.set({ view: health.view }, health.lagSeconds);
        parked.set({ view: health.view }, health.parked);
        caughtUp.set({ view: health.view }, health.caughtUp ? 1 : 0);
      }
    },
  });
};
