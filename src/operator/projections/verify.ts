import type { Command } from 'commander';
import { randomInt } from 'node:crypto';
import { type Sample, verifyGeneration } from '../../engine/documents/verify.js';
import type { Screen } from '../cli/output.js';
import { wholeNumber } from '../cli/program.js';
import { amountOf, type Engine, withEngine } from '../cli/stores.js';
import { compareAll, type Compared } from './compare.js';
import { foldable, generationNamed, pointerOf, viewsNamed } from './views.js';

interface Options {
  readonly all?: true;
  readonly sample?: number;
  readonly seed?: number;
  readonly generation: string;
  readonly json?: true;
}

type Which = 'all' | Sample;

/** How many documents are verified by default. */
const SAMPLE = 1_000;
const MAX_SEEDS = 2 ** 32;

const HELP = `
Folds documents again from the log, in this process, and compares them with the stored ones, while the view is in use.
By default it takes a random ${SAMPLE} documents; --all takes every one, and also finds missing ones. Nothing is changed.
Personal data is compared and not shown. Exit code 1: something differs; "replay" repairs single documents, "rebuild"
all.

Examples:
  $ assay projections verify signal
  $ assay projections verify applications --all
  $ assay projections verify --all --sample 100
  $ assay projections verify signal --generation next
  $ assay projections verify signal --sample 500 --seed 7 --json | jq .different`;

/** `projections verify`: whether stored documents are what the log makes of them. */
export const verifyCommand = (projections: Command): void => {
  const command = projections
    .command('verify')
    .description('Compare stored documents with what the log makes of them.')
    .argument('[view]', 'its name; without one, --all means every view')
    .option('--all', 'every document (of every view if none is named)')
    .option('--sample <count>', `number of random documents (default: ${SAMPLE})`, wholeNumber(1))
    .option(
      '--seed <number>',
      'the same number chooses the same documents again',
      wholeNumber(0, MAX_SEEDS - 1),
    )
    .option('--generation <name>', 'live, next, former, or its name', 'live')
    .option('--json', 'print one JSON object (a list for every view) and nothing else')
    .addHelpText('after', HELP)
    .action((name: string | undefined, options: Options) => {
      const { all, sample, seed = randomInt(MAX_SEEDS), generation, json } = options;
      if (name !== undefined && all && sample !== undefined)
        command.error('error: --all and --sample do not go together for one view.');
      const which: Which = all && sample === undefined ? 'all' : { size: sample ?? SAMPLE, seed };
      const views = viewsNamed(command, name, name === undefined && all === true).map((view) => view.name);
      return withEngine((engine) =>
        compareAll(views, { json, several: name === undefined }, (view, screen, signal) =>
          verify(engine, view, generation, which, screen, signal),
        ),
      );
    });
};

const verify = async (
  { stores, requests, unit }: Engine,
  name: string,
  role: string,
  which: Which,
  screen: Screen,
  signal: AbortSignal,
): Promise<Compared> => {
  const { eventStore, readStore, codec, documents: sealer } = stores;
  const { generation, view } = foldable(name, generationNamed(name, await pointerOf(readStore, name), role));
  const skipped = (await requests.state()).skipped.get(name) ?? new Set<string>();
  const total = amountOf(eventStore, await eventStore.head());
  screen.progress.begin(generation.name, total, unit);
  try {
    const report = await verifyGeneration({ eventStore, readStore, codec, sealer }, view, generation, {
      ...{ which, skipped, signal },
      onProgress: ({ part, parts, position }) =>
        screen.progress.update(total * (part - 1) + amountOf(eventStore, position), total * parts),
    });
    return {
      ...{ view: name, report, title: `${generation.name} of "${name}"` },
      sides: { left: 'stored', right: 'from the log' },
      fields: { generation: generation.name, ...chosen(which) },
    };
  } finally {
    screen.progress.end();
  }
};

const chosen = (which: Which): Readonly<Record<string, number | null>> =>
  which === 'all' ? { sample: null, seed: null } : { sample: which.size, seed: which.seed };
