import type { Command } from 'commander';
import { views } from '../../../projections/index.js';
import type { Pointer } from '../../stores/read-store.js';
import { answer } from '../cli/output.js';
import { type Engine, withEngine } from '../cli/stores.js';
import { tableLines } from '../cli/table.js';
import { statusLines, summaryLines } from './status-text.js';
import { statusesOf } from './view-status.js';
import { shortName, viewsNamed } from './views.js';

interface Options {
  readonly json?: true;
}

const STATUS_HELP = `
All views: one row each with the live generation, its lag, its parked documents and remarks. One view: each generation with
its role, position, lag and rate (measured for a second if it is behind), parked documents and the owners of its segments,
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
    .action(list);
  const status = projections
    .command('status')
    .description('Show the state of views and their generations.')
    .argument('[view]', 'its name, for its details (default: a summary of all of them)')
    .option('--json', 'print one JSON object (a list of all views) and nothing else')
    .addHelpText('after', STATUS_HELP)
    .action((name: string | undefined, { json }: Options) => {
      const chosen = viewsNamed(status, name, name === undefined);
      return withEngine(async (engine) => {
        const statuses = await statusesOf(engine, chosen);
        const value = name === undefined ? statuses : statuses[0];
        answer(json, value, () =>
          name === undefined ? summaryLines(statuses) : statuses.flatMap(statusLines),
        );
      });
    });
};

const list = ({ json }: Options): Promise<void> =>
  withEngine(async (engine) => {
    const all = await listings(engine);
    answer(json, all, () =>
      tableLines(
        ['view', 'version', 'live', 'next', 'former', 'state'],
        all.map(({ view, version, live, next, former, state }) => [
          view,
          version,
          ...[live, next, former].map((name) => (name === null ? '' : shortName(view, name))),
          state,
        ]),
      ),
    );
  });

/** A view as `list` prints it. */
interface Listing {
  readonly view: string;
  /** The version that this program's code has. */
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
