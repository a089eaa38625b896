import { formerViews, views } from '../../projections/index.js';
import { inTime } from '../core/backoff.js';
import type { Projector } from '../engine/feeding/runner.js';
import type { Operations } from '../engine/generations/operations.js';
import { viewHealth } from '../engine/health/health.js';
import type { ComponentHealth, HealthSource } from './health.js';
import type { Stores } from './stores.js';
import { viewComponent } from './view-component.js';

export { registerViewMetrics } from './view-metrics.js';

/** Health does not show how many events a view is behind: on a busy log, counting them would take most of the time. */
const COUNT_UP_TO = 1;

/** Reports whether the log answers. A call that fails or takes too long is no answer. */
export const logHealth = ({ eventStore }: Pick<Stores, 'eventStore'>): HealthSource => ({
  name: 'event-store',
  check: async () => {
    const head = await inTime(eventStore.head());
    if (head === null) return [notReady('event-store', 'The event store does not answer.')];
    return [{ name: 'event-store', ready: true, figures: { head } }];
  },
});

/**
 * Reports whether the read store answers, and how far its views are behind, independent of the processes that feed
 * them. A call that fails or takes too long is no answer.
 * @param projector this process's; `null`: it has none
 * @param operations operators' requests; `null`: a paused view counts as one that is behind
 */
export const viewsHealth = (
  stores: Pick<Stores, 'eventStore' | 'readStore'>,
  projector: Projector | null,
  operations: Pick<Operations, 'readIntent'> | null = null,
): HealthSource => ({
  name: 'read-store',
  check: async () => {
    const intent = operations?.readIntent() ?? null;
    const options = { projector, intent, formerViews, countUpTo: COUNT_UP_TO };
    const health = await inTime(viewHealth(stores, views, options));
    if (health === null) return [notReady('read-store', 'The read store does not answer.')];
    return [{ name: 'read-store', ready: true }, ...health.map(viewComponent)];
  },
});

/** Reports the states of this process's segments, without a call of a store. */
export const projectorHealth = (projector: Projector): HealthSource => ({
  name: 'projector',
  check: async () => {
    const segments = projector.status();
    const count = (state: string): number => segments.filter((segment) => segment.state === state).length;
    const broken = segments.find(({ state }) => state === 'stopped' || state === 'failing');
    return [
      {
        name: 'projector',
        ready: broken === undefined,
        ...(broken && {
          problem: `The segment ${broken.segment} is ${broken.state}: ${broken.reason ?? 'unknown'}`,
        }),
        figures: {
          working: count('working'),
          standby: count('standby'),
          stopped: count('stopped'),
          failing: count('failing'),
        },
      },
    ];
  },
});

/**
 * Reports why the mail server accepts no mails from this process. The service stays ready, since it answers requests.
 * @param mailer `null`: no mails are sent
 */
export const mailHealth = (mailer: { readonly problem?: string | null } | null): HealthSource => ({
  name: 'mail-server',
  check: async () =>
    mailer === null
      ? []
      : [{ name: 'mail-server', ready: true, figures: { notice: mailer.problem ?? null } }],
});

const notReady = (name: string, problem: string): ComponentHealth => ({ name, ready: false, problem });
