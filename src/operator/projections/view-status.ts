import { setTimeout as sleep } from 'node:timers/promises';
import { formerViews } from '../../../projections/index.js';
import { type GenerationHealth, viewHealth, type ViewHealth } from '../../engine/health.js';
import type { AnyView } from '../../engine/view.js';
import type { EndedOperation, OperatorState, Request } from '../../domain/operations/decider.js';
import { amountOf, type Engine } from '../cli/stores.js';
import { inTheWayOf } from './views.js';

/** A generation, and how fast it is fed. */
export interface GenerationStanding extends GenerationHealth {
  /** Of the log in a second, in what the store's ordinals count; 0 where it is at the log's end. */
  readonly rate: number;
  /** Why it goes no further, where its next event tells: a sentence. */
  readonly inTheWay: string | null;
}

/** How a view stands, and what operators asked of it. */
export interface Standing extends Omit<ViewHealth, 'generations'> {
  readonly generations: readonly GenerationStanding[];
  /** Of the rates: bytes of the log with EventStoreDB, else events. */
  readonly rateUnit: Engine['unit'];
  /** Asked for and not ended. */
  readonly open: readonly Request[];
  /** The last one that ended; `null`: none did. */
  readonly last: EndedOperation | null;
}

const BETWEEN_LOOKS_MS = 1_000;

/** Looks twice, a second apart, where something is behind the log: that is how fast it goes. */
export const standingsOf = async (
  { stores, requests, unit }: Engine,
  views: readonly AnyView[],
): Promise<readonly Standing[]> => {
  const { eventStore } = stores;
  const state = await requests.state();
  const look = async () => ({
    at: performance.now(),
    health: await viewHealth(stores, views, { intent: state, formerViews }),
  });
  const first = await look();
  const isBehind = first.health.some(({ generations }) =>
    generations.some(({ caughtUp }) => caughtUp !== true),
  );
  if (isBehind) await sleep(BETWEEN_LOOKS_MS);
  const second = isBehind ? await look() : first;

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
  const standingOf = async (view: string, one: GenerationHealth): Promise<GenerationStanding> => {
    const code = [...views, ...formerViews].find(
      ({ name, version }) => name === view && version === one.version,
    );
    const stands = code !== undefined && one.feedable && one.caughtUp === false && rateOf(one) === 0;
    const skipped = state.skipped.get(view) ?? NONE;
    const inTheWay = stands ? await inTheWayOf(stores, code, one.position, skipped) : null;
    return { ...one, rate: rateOf(one), inTheWay };
  };
  return Promise.all(
    second.health.map(async (health) => ({
      ...health,
      generations: await Promise.all(health.generations.map((one) => standingOf(health.view, one))),
      rateUnit: unit,
      ...askedOf(state, health.view),
    })),
  );
};

const NONE: ReadonlySet<string> = new Set();

/** Over its segments alike. */
const foldedIn = (
  eventStore: Parameters<typeof amountOf>[0],
  { segments }: Pick<GenerationHealth, 'segments'>,
): number =>
  segments.reduce((sum, { position }) => sum + amountOf(eventStore, position), 0) /
  Math.max(1, segments.length);

const askedOf = ({ open, ended }: OperatorState, view: string): Pick<Standing, 'open' | 'last'> => ({
  open: [...open.values()].filter((request) => request.view === view),
  last: ended.get(view) ?? null,
});
