import { setTimeout as sleep } from 'node:timers/promises';
import { formerViews } from '../../../projections/index.js';
import type { EventStore } from '../../core/event-store.js';
import type { EndedOperation, OperatorState, Request } from '../../domain/operations/decider.js';
import { type GenerationHealth, viewHealth, type ViewHealth } from '../../engine/health/health.js';
import type { AnyView } from '../../engine/view.js';
import { type Engine, meanAmountOf } from '../cli/stores.js';
import { blockedBy } from './views.js';

/** A generation with its rate. */
export interface GenerationStatus extends GenerationHealth {
  /** Per second, in the unit of the store's ordinals; 0 at the log's end. */
  readonly rate: number;
  /** Why its next event blocks it, in a sentence; `null`: it does not. */
  readonly inTheWay: string | null;
}

/** A view with what operators requested of it. */
export interface ViewStatus extends Omit<ViewHealth, 'generations'> {
  readonly generations: readonly GenerationStatus[];
  /** What rates count: bytes of the log with EventStoreDB, else events. */
  readonly rateUnit: Engine['unit'];
  /** Requested and not ended. */
  readonly open: readonly Request[];
  /** The last one that ended; `null`: there is none. */
  readonly last: EndedOperation | null;
}

const RATE_INTERVAL_MS = 1_000;

/** Reads the views' health, and again after a second if one is behind the log, to measure its rate. */
export const statusesOf = async (
  { stores, requests, unit }: Engine,
  views: readonly AnyView[],
): Promise<readonly ViewStatus[]> => {
  const { eventStore } = stores;
  const state = await requests.state();
  const read = async () => ({
    at: performance.now(),
    health: await viewHealth(stores, views, { intent: state, formerViews }),
  });
  const first = await read();
  const isBehind = first.health.some(({ generations }) =>
    generations.some(({ caughtUp }) => caughtUp !== true),
  );
  if (isBehind) await sleep(RATE_INTERVAL_MS);
  const second = isBehind ? await read() : first;

  const before = new Map(
    first.health.flatMap(({ generations }) =>
      generations.map((generation) => [generation.generation, foldedIn(eventStore, generation)]),
    ),
  );
  const seconds = (second.at - first.at) / 1000;
  const rateOf = (generation: GenerationHealth): number => {
    const folded = foldedIn(eventStore, generation);
    const since = folded - (before.get(generation.generation) ?? folded);
    return generation.caughtUp === true || seconds === 0 ? 0 : Math.round(since / seconds);
  };
  const statusOf = async (view: string, one: GenerationHealth): Promise<GenerationStatus> => {
    const code = [...views, ...formerViews].find(
      ({ name, version }) => name === view && version === one.version,
    );
    const isStalled = code !== undefined && one.feedable && one.caughtUp === false && rateOf(one) === 0;
    const skipped = state.skipped.get(view) ?? NONE;
    const inTheWay = isStalled ? await blockedBy(stores, code, one.position, skipped) : null;
    return { ...one, rate: rateOf(one), inTheWay };
  };
  return Promise.all(
    second.health.map(async (health) => ({
      ...health,
      generations: await Promise.all(health.generations.map((one) => statusOf(health.view, one))),
      rateUnit: unit,
      ...requestsOf(state, health.view),
    })),
  );
};

const NONE: ReadonlySet<string> = new Set();

const foldedIn = (eventStore: EventStore, { segments }: Pick<GenerationHealth, 'segments'>): number =>
  meanAmountOf(
    eventStore,
    segments.map(({ position }) => position),
  );

const requestsOf = ({ open, ended }: OperatorState, view: string): Pick<ViewStatus, 'open' | 'last'> => ({
  open: [...open.values()].filter((request) => request.view === view),
  last: ended.get(view) ?? null,
});
