import type { Command } from 'commander';
import { type Engine, withEngine } from '../cli/stores.js';
import { answer, tableText } from '../cli/output.js';
import { carryOut } from '../cli/program.js';
import { standingsOf } from './view-status.js';
import { statusText, summaryText } from './status-text.js';
import { viewsNamed } from './views.js';
import { views } from '../../../projections/index.js';
import type { Pointer } from '../../stores/read-store.js';

interface Options {
  readonly json?: true;
}

const STATUS_HELP = `
Of all views a row each: what serves, how far it is behind, documents that are parked, what is to be looked at. Of one
view every generation: what it is to the view, its position, how much of the log it has before it, how fast it is fed
(looked at for a second where something is behind), documents that are parked, who feeds its segments. Then what
operators asked for last. --json is complete in both cases.

Examples:
  $ assay projections status
  $ assay projections status signal
  $ assay projections status --json | jq '.[] | select(.generations[0].caughtUp | not) | .view'`;

const LIST_HELP = `
Examples:
  $ assay projections list
  $ assay projections list --json | jq -r '.[].view'`;

/** `list` and `status`: how views stand. */
export const statusCommands = (projections: Command): void => {
  projections
    .command('list')
    .description('List the views: what serves, what is built, what was before.')
    .option('--json', 'print one JSON list and nothing else')
    .addHelpText('after', LIST_HELP)
    .action(({ json }: Options) => carryOut(() => list(json === true)));
  const status = projections
    .command('status')
    .description('Show how views and their generations stand.')
    .argument('[view]', 'its name, for its details (default: a summary of all of them)')
    .option('--json', 'print one JSON object (a list of all views) and nothing else')
    .addHelpText('after', STATUS_HELP)
    .action((name: string | undefined, { json }: Options) => {
      const views = viewsNamed(status, name, name === undefined);
      return carryOut(() =>
        withEngine(async (engine) => {
          const standings = await standingsOf(engine, views);
          const value = name === undefined ? standings : standings[0];
          answer(json === true, value, () =>
            name === undefined ? summaryText(standings) : standings.map(statusText).join(''),
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
        ['view', 'version', 'serves', 'built', 'before', 'state'],
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

/** A view in a row. */
interface Listing {
  readonly view: string;
  /** Of this program's code. */
  readonly version: number;
  /** The generation that serves, the one that is built, the one that served before. */
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
