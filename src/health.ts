import { Gauge } from 'prom-client';
import { views } from '../projections/index.js';
import type { Metrics } from './app/metrics.js';
import type { ComponentHealth, HealthSource } from './app/operations/health.js';
import { pause } from './projection-engine/backoff.js';
import { type SegmentHealth, type ViewHealth, viewHealth } from './projection-engine/health.js';
import type { Projector } from './projection-engine/runner.js';
import type { Stores } from './stores.js';

/** A view this far behind no longer shows callers what they did. */
const MOST_LAG_SECONDS = 30;
/** Each part answers in this time or counts as away, below what the page itself waits for. */
const PATIENCE_MS = 1_800;

type ViewStores = Pick<Stores, 'eventStore' | 'readStore'>;

/** Whether the log answers. */
export const logHealth = ({ eventStore }: Pick<Stores, 'eventStore'>): HealthSource => ({
  name: 'event-store',
  check: async () => {
    const head = await inTime(eventStore.head());
    if (head === null) return [away('event-store', 'The event store does not answer.')];
    return [{ name: 'event-store', ready: true, figures: { head } }];
  },
});

/**
 * Whether the read store answers, and how far its views have come, whichever processes feed them.
 * @param projector this process's, if it has one
 */
export const viewsHealth = (stores: ViewStores, projector: Projector | null): HealthSource => ({
  name: 'read-store',
  check: async () => {
    const health = await inTime(viewHealth(stores, views, { projector }));
    if (health === null) return [away('read-store', 'The read store does not answer.')];
    return [{ name: 'read-store', ready: true }, ...health.map(component)];
  },
});

/** What this process's projector is at, without asking any store. */
export const projectorHealth = (projector: Projector): HealthSource => ({
  name: 'projector',
  check: async () => {
    const segments = projector.status();
    const count = (state: string): number => segments.filter((segment) => segment.state === state).length;
    const held = segments.find(({ state }) => state === 'stopped' || state === 'failing');
    return [
      {
        name: 'projector',
        ready: held === undefined,
        ...(held && { problem: `The segment ${held.segment} is ${held.state}: ${held.reason ?? 'unknown'}` }),
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

const away = (name: string, problem: string): ComponentHealth => ({ name, ready: false, problem });

/** `null`: it failed, or took too long. */
const inTime = async <T>(asked: Promise<T>): Promise<T | null> => {
  const over = new AbortController();
  const late = pause(PATIENCE_MS, over.signal).then(() => null);
  try {
    return await Promise.race([asked.catch(() => null), late]);
  } finally {
    over.abort();
  }
};

const component = (view: ViewHealth): ComponentHealth => {
  const { view: name, generation, position, caughtUp, lagSeconds, parked, segments } = view;
  const behind = lagSeconds !== null && lagSeconds > MOST_LAG_SECONDS;
  const ready = generation !== null && !behind;
  const problem =
    generation === null
      ? `The view ${name} was never built: is a projector running?`
      : `The view ${name} is ${Math.round(lagSeconds ?? 0)} s behind: is a projector running?`;
  const unknown = 'How far it is behind is not known: the event store does not answer.';
  const reason = view.reason ?? (lagSeconds === null ? unknown : null);
  return {
    name: `view ${name}`,
    ready,
    ...(!ready && { problem: reason === null ? problem : `${problem} ${reason}` }),
    figures: {
      generation,
      position,
      caughtUp,
      lagSeconds,
      parked,
      owner: view.owners.map(processOf).join(', '),
      reason,
      ...(segments.length > 1 && Object.fromEntries(segments.map(line))),
    },
  };
};

/** A segment in a line: who, how far, where. */
const line = ({ segment, owner, position, caughtUp, lagSeconds }: SegmentHealth): [string, string] => {
  const behind = caughtUp === true ? 'caught up' : `${lagSeconds?.toFixed(1) ?? '?'} s behind`;
  const who = owner === null ? 'nobody' : processOf(owner);
  return [`segment ${segment}`, `${who}, ${behind}, at ${position === '' ? 'the beginning' : position}`];
};

/** A lease's owner without what makes it unique to the run. */
const processOf = (owner: string): string => owner.replace(/\/[0-9a-f-]{36}$/, '');

/** The views' figures for Prometheus, looked at when asked; what is not known is left out. */
export const registerViewMetrics = (
  metrics: Pick<Metrics, 'registry'>,
  stores: ViewStores,
  projector: Projector | null,
): void => {
  let looking: Promise<void> | null = null;
  // Every gauge waits for the one look: which of them is written out first is not known.
  const collect = async (): Promise<void> => {
    looking ??= look().finally(() => (looking = null));
    await looking;
  };
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [metrics.registry], collect });

  const answers = gauge('assay_store_answers', '1 where a store answers in time.', 'store');
  const parked = gauge(
    'assay_view_parked_documents',
    'Documents behind an event that could not be folded, counted up to 100.',
    'view',
  );
  const caughtUp = gauge(
    'assay_view_caught_up',
    '1 where everything in the log is folded.',
    'view',
    'segment',
  );
  const lag = gauge(
    'assay_view_lag_seconds',
    'Age of the first event that is not folded yet.',
    'view',
    'segment',
  );
  const position = gauge(
    'assay_view_position',
    'How far the log is folded, by the number that the event store counts in.',
    'view',
    'segment',
  );
  const head = gauge('assay_log_head', 'The position of the last event, counted likewise.');
  const owned = gauge(
    'assay_segment_owned',
    '1 where a process works on the segment, named by the label.',
    'view',
    'segment',
    'owner',
  );

  async function look(): Promise<void> {
    const { eventStore } = stores;
    const [health, last] = await Promise.all([
      inTime(viewHealth(stores, views, { projector })),
      inTime(eventStore.head()),
    ]);
    for (const one of [parked, caughtUp, lag, owned, position, head]) one.reset();
    answers.set({ store: 'event-store' }, last === null ? 0 : 1);
    if (last !== null) head.set(eventStore.ordinal(last));
    answers.set({ store: 'read-store' }, health === null ? 0 : 1);
    for (const view of health ?? []) {
      parked.set({ view: view.view }, view.parked);
      for (const { segment, owner, ...standing } of view.segments) {
        const labels = { view: view.view, segment: `${segment}` };
        position.set(labels, eventStore.ordinal(standing.position));
        if (standing.caughtUp !== null) caughtUp.set(labels, standing.caughtUp ? 1 : 0);
        if (standing.lagSeconds !== null) lag.set(labels, standing.lagSeconds);
        owned.set({ ...labels, owner: owner === null ? '' : processOf(owner) }, owner === null ? 0 : 1);
      }
    }
  }
};
