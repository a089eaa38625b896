import { Counter, Gauge } from 'prom-client';
import { formerViews, views } from '../../projections/index.js';
import { inTime } from '../core/backoff.js';
import type { Projector } from '../engine/feeding/runner.js';
import type { Operations } from '../engine/generations/operations.js';
import { type GenerationHealth, type ViewHealth, viewHealth } from '../engine/health/health.js';
import type { Metrics } from './metrics.js';
import { processNameOf } from './owner.js';
import type { Stores } from './stores.js';
import { registerWorkMetrics, type MeasuredStores } from './work-metrics.js';

/**
 * Registers the views' metrics. Each collection reads them again; a figure that cannot be read is left out.
 * @param operations operators' requests; `null`: paused views are not reported
 */
export const registerViewMetrics = (
  metrics: Pick<Metrics, 'registry'>,
  stores: MeasuredStores,
  projector: Projector | null,
  operations: Pick<Operations, 'readIntent'> | null = null,
): void => {
  registerWorkMetrics(metrics, stores);
  let refreshing: Promise<void> | null = null;
  // All figures wait for the same refresh, since they may be collected in any order.
  const collect = async (): Promise<void> => {
    refreshing ??= refresh().finally(() => (refreshing = null));
    await refreshing;
  };
  const registers = [metrics.registry];
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers, collect });

  const answers = gauge(
    'assay_store_answers',
    '1 if the store answers this process in time, else 0.',
    'store',
  );
  const head = gauge(
    'assay_log_head',
    'Position of the last event in the log, as the event store numbers it.',
  );
  const open = gauge('assay_operations_open', 'Number of operators’ requests that have not ended.', 'view');
  const ofView = viewFigures(gauge);
  const ofSegment = segmentFigures(gauge);
  const ofRebuild = rebuildFigures(gauge);
  new Counter({
    name: 'assay_log_silent_feeds_total',
    help: 'Number of live feeds of the log that stayed open without delivering events, so that this process opened them again.',
    registers,
    collect() {
      this.reset();
      this.inc(stores.eventStore.silentFeeds ?? 0);
    },
  });
  const promotions = new Counter({
    name: 'assay_view_promotions_total',
    help: 'Number of switches to another generation since the view was first built.',
    labelNames: ['view'],
    registers,
    collect,
  });

  async function refresh(): Promise<void> {
    const { eventStore } = stores;
    const intent = operations?.readIntent() ?? null;
    const [health, last, intended] = await Promise.all([
      inTime(viewHealth(stores, views, { projector, intent, formerViews })),
      inTime(eventStore.head()),
      intent && inTime(intent),
    ]);
    for (const figures of [ofView, ofSegment, ofRebuild]) figures.reset();
    for (const one of [head, open, promotions]) one.reset();
    answers.set({ store: 'event-store' }, last === null ? 0 : 1);
    if (last !== null) head.set(eventStore.ordinal(last));
    answers.set({ store: 'read-store' }, health === null ? 0 : 1);
    for (const view of health ?? []) {
      const { view: name, turn } = view;
      promotions.inc({ view: name }, turn);
      if (intended)
        open.set({ view: name }, intended.open.filter((operation) => operation.view === name).length);
      ofView.set(view);
      ofSegment.set(view, (position) => eventStore.ordinal(position));
      const next = view.generations.find(({ role }) => role === 'next');
      if (next) ofRebuild.set(name, next);
    }
  }
};

type MakeGauge = <Label extends string>(name: string, help: string, ...labels: Label[]) => Gauge<Label>;

const flag = (yes: boolean): number => (yes ? 1 : 0);

const viewFigures = (gauge: MakeGauge) => {
  const parked = gauge(
    'assay_view_parked_documents',
    'Number of documents parked at an event that could not be folded, counted up to 100.',
    'view',
  );
  const paused = gauge('assay_view_paused', '1 if an operator has paused the view, else 0.', 'view');
  const behindCode = gauge(
    'assay_view_behind_code',
    '1 if this process’s code is newer than the live generation and no new generation is being built, else 0.',
    'view',
  );
  const feedable = gauge(
    'assay_view_feedable',
    '1 if this process’s code can fold the live generation, else 0.',
    'view',
  );
  const frozen = gauge(
    'assay_view_frozen',
    '1 while reads wait for the switch to another generation, else 0.',
    'view',
  );
  const generation = gauge(
    'assay_view_generation_info',
    'Always 1. The labels name each generation, its role and its version.',
    'view',
    'role',
    'generation',
    'version',
  );
  return {
    reset: () => [parked, paused, behindCode, feedable, frozen, generation].forEach((one) => one.reset()),
    set: (health: ViewHealth): void => {
      const { view, generations } = health;
      parked.set({ view }, health.parked);
      if (health.paused !== null) paused.set({ view }, flag(health.paused));
      behindCode.set({ view }, flag(health.behindCode));
      if (generations[0]) feedable.set({ view }, flag(generations[0].feedable));
      frozen.set({ view }, flag(health.freeze !== null));
      for (const { role, generation: name, version } of generations) {
        generation.set({ view, role, generation: name, version: `${version}` }, 1);
      }
    },
  };
};

const segmentFigures = (gauge: MakeGauge) => {
  const labels = ['view', 'segment'] as const;
  const caughtUp = gauge(
    'assay_view_caught_up',
    '1 if the segment has folded the whole log, else 0.',
    ...labels,
  );
  const lag = gauge(
    'assay_view_lag_seconds',
    'Age of the first event that the segment has not folded.',
    ...labels,
  );
  const events = gauge(
    'assay_view_lag_events',
    'Number of events that the segment has not folded. If the event store does not number events, it is counted up to 1000.',
    ...labels,
  );
  const position = gauge(
    'assay_view_position',
    'Position up to which the segment has folded the log, as the event store numbers it.',
    ...labels,
  );
  const owned = gauge(
    'assay_segment_owned',
    '1 if the process that the label names runs and feeds the segment, else 0.',
    ...labels,
    'owner',
  );
  return {
    reset: () => [caughtUp, lag, events, position, owned].forEach((one) => one.reset()),
    set: ({ view, segments }: ViewHealth, ordinal: Stores['eventStore']['ordinal']): void => {
      for (const { segment, owner, alive, ...status } of segments) {
        const of = { view, segment: `${segment}` };
        position.set(of, ordinal(status.position));
        if (status.caughtUp !== null) caughtUp.set(of, flag(status.caughtUp));
        if (status.lagSeconds !== null) lag.set(of, status.lagSeconds);
        if (status.lagEvents !== null) events.set(of, status.lagEvents.count);
        owned.set({ ...of, owner: owner === null ? '' : processNameOf(owner) }, flag(alive));
      }
    },
  };
};

const rebuildFigures = (gauge: MakeGauge) => {
  const progress = gauge(
    'assay_rebuild_progress_ratio',
    'Share of the log that the rebuild has folded, from 0 to 1.',
    'view',
  );
  const left = gauge(
    'assay_rebuild_events_left',
    'Number of events that the slowest segment of the rebuild has not folded. If the event store does not number events, it is counted up to 1000.',
    'view',
  );
  const failed = gauge(
    'assay_rebuild_failed',
    '1 if the rebuild has stopped at an event that it cannot fold, else 0.',
    'view',
  );
  const held = gauge(
    'assay_rebuild_held',
    '1 if the rebuild waits for an operator to promote it, else 0.',
    'view',
  );
  return {
    reset: () => [progress, left, failed, held].forEach((one) => one.reset()),
    set: (view: string, next: GenerationHealth): void => {
      if (next.progress !== null) progress.set({ view }, next.progress);
      if (next.lagEvents !== null) left.set({ view }, next.lagEvents.count);
      failed.set({ view }, flag(next.failure !== null));
      held.set({ view }, flag(next.hold));
    },
  };
};
