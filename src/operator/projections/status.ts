import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EndedOperation, OperatorState, Request } from '../../domain/operations/decider.js';
import { type GenerationHealth, viewHealth, type ViewHealth } from '../../engine/health.js';
import type { AnyView } from '../../engine/view.js';
import { amountOf, type Engine, withEngine } from '../cli/stores.js';
import { answer, tableText } from '../cli/output.js';
import { carryOut } from '../cli/program.js';
import { statusText, summaryText } from './status-text.js';
import { blockedBy, viewsNamed } from './views.js';
import { formerViews, views } from '../../../projections/index.js';
import type { Pointer } from '../../stores/read-store.js';

interface Options {
  readonly json?: true;
}

const STATUS_HELP = `
All views: one row each with the live generation, its lag, its parked documents and remarks. One view: each generation with
its role, position, lag, rate (measured for a second if it is behind), parked documents and the owners of its segments,
then the operators' last requests. --json is complete in both cases.

Examples:
  $ assay projections status
  $ assay projections status signal
  $ assay projections status --json | jq '.[] | select(.generations[0].caughtUp | not) | .view'`;

const LIST_HELP = `
Examples:
  $ assay projections list
  $ assay projections list --json | jq -r '.[].view'`;

/** `list` and `status`. */
export const statusCommands = (projections: Command): void => {
  projections
    .command('list')
    .description('List the views with their live, next and former generations.')
    .option('--json', 'print one JSON list and nothing else')
    .addHelpText('after', LIST_HELP)
    .action(({ json }: Options) => carryOut(() => list(json === true)));
  const status = projections
    .command('status')
    .description('Show the state of views and their generations.')
    .argument('[view]', 'its name, for its details (default: a summary of all of them)')
    .option('--json', 'print one JSON object (a list of all views) and nothing else')
    .addHelpText('after', STATUS_HELP)
    .action((name: string | undefined, { json }: Options) => {
      const chosen = viewsNamed(status, name, name === undefined);
      return carryOut(() =>
        withEngine(async (engine) => {
          const statuses = await statusesOf(engine, chosen);
          const value = name === undefined ? statuses : statuses[0];
          answer(json === true, value, () =>
            name === undefined ? summaryText(statuses) : statuses.map(statusText).join(''),
          );
        }),
      );
    });
};

const list = (json: boolean): Promise<void> =>
  withEngine(async (engine) => {
    const all = await listings(engine);
    answer(json, all, () =>
      tableText(
        ['view', 'version', 'live', 'next', 'former', 'state'],
        all.map(({ view, version, live, next, former, state }) => [
          view,
          version,
          live ?? '',
          next ?? '',
          former ?? '',
          state,
        ]),
      ),
    );
  });

/** A view as `list` prints it. */
interface Listing {
  readonly view: string;
  /** Of this program's code. */
  readonly version: number;
  readonly live: string | null;
  readonly next: string | null;
  readonly former: string | null;
  readonly state: 'never built' | 'paused' | 'switching' | 'stopped' | 'building' | 'held' | 'serving';
}

/** Every view, by its pointer alone. */
const listings = async ({ stores, requests }: Engine): Promise<readonly Listing[]> => {
  const { paused } = await requests.state();
  return Promise.all(
    views.map(async ({ name: view, version }) => {
      const pointer = await stores.readStore.pointers.get(view);
      return {
        ...{ view, version },
        live: pointer?.live.name ?? null,
        next: pointer?.next?.generation.name ?? null,
        former: pointer?.former?.generation.name ?? null,
        state: stateOf(pointer, paused.has(view)),
      };
    }),
  );
};

const stateOf = (pointer: Pointer | null, paused: boolean): Listing['state'] => {
  if (pointer === null) return 'never built';
  const { next, freeze } = pointer;
  if (paused) return 'paused';
  if (freeze !== null) return 'switching';
  if (next === null) return 'serving';
  if (next.failure !== null) return 'stopped';
  return next.ready && next.hold ? 'held' : 'building';
};

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
  /** Of the rates: bytes of the log with EventStoreDB, else events. */
  readonly rateUnit: Engine['unit'];
  /** Requested and not ended. */
  readonly open: readonly Request[];
  /** The last one that ended; `null`: none did. */
  readonly last: EndedOperation | null;
}

const BETWEEN_LOOKS_MS = 1_000;

/** Looks twice, a second apart, if something is behind the log, to measure its rate. */
const statusesOf = async (
  { stores, requests, unit }: Engine,
  views: readonly AnyView[],
): Promise<readonly ViewStatus[]> => {
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

/** The mean of its segments. */
const foldedIn = (
  eventStore: Parameters<typeof amountOf>[0],
  { segments }: Pick<GenerationHealth, 'segments'>,
): number =>
  segments.reduce((sum, { position }) => sum + amountOf(eventStore, position), 0) /
  Math.max(1, segments.length);

const requestsOf = ({ open, ended }: OperatorState, view: string): Pick<ViewStatus, 'open' | 'last'> => ({
  open: [...open.values()].filter((request) => request.view === view),
  last: ended.get(view) ?? null,
});
