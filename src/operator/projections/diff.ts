import type { Command } from 'commander';
import { diffGenerations } from '../../engine/documents/diff.js';
import type { Pointer } from '../../stores/read-store.js';
import type { Screen } from '../cli/output.js';
import { CalledWrongly, OperatorError } from '../cli/program.js';
import { type Engine, withEngine } from '../cli/stores.js';
import { compareAll, type Compared } from './compare.js';
import { foldable, type Foldable, generationNamed, pointerOf, viewNamed } from './views.js';

interface Options {
  readonly json?: true;
}

const HELP = `
Compares two generations of a view document by document, in this process, while both are in use: by default the live one
with the next one, or else with the former one. Name others as live, next, former or by their names. Positions are not
compared; personal data is compared and not shown. Exit code 1: something differs, which is to be expected if changed
code made one of them.

Examples:
  $ assay projections diff signal
  $ assay projections diff signal live former
  $ assay projections diff signal --json | jq .kinds`;

/** `projections diff`: how two generations of a view differ. */
export const diffCommand = (projections: Command): void => {
  const command = projections
    .command('diff')
    .description('Compare two generations of a view.')
    .argument('<view>', 'its name')
    .argument('[left]', 'a generation', 'live')
    .argument('[right]', 'another one (default: next, else former)')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', HELP)
    .action((name: string, left: string, right: string | undefined, { json }: Options) => {
      const { name: view } = viewNamed(command, name);
      return withEngine((engine) =>
        compareAll([view], { json, several: false }, (_, screen, signal) =>
          diff(engine, view, { left, right: right ?? null }, screen, signal),
        ),
      );
    });
};

const diff = async (
  { stores }: Engine,
  view: string,
  names: { readonly left: string; readonly right: string | null },
  screen: Screen,
  signal: AbortSignal,
): Promise<Compared> => {
  const { readStore, documents: sealer } = stores;
  const pointer = await pointerOf(readStore, view);
  const side = (name: string): Foldable => foldable(view, generationNamed(view, pointer, name));
  const left = side(names.left);
  const right = side(names.right ?? other(view, pointer));
  if (left.generation.name === right.generation.name)
    throw new CalledWrongly(`Name two different generations, not ${left.generation.name} twice.`);
  const report = await diffGenerations({ readStore, sealer }, left, right, {
    signal,
    onProgress: progressOf(screen),
  });
  return {
    ...{ view, report, title: `${left.generation.name} and ${right.generation.name} of "${view}"` },
    sides: { left: left.generation.name, right: right.generation.name },
    fields: { left: left.generation.name, right: right.generation.name },
  };
};

const other = (view: string, { live, next, former }: Pointer): string => {
  if (next !== null) return 'next';
  if (former !== null) return 'former';
  throw new OperatorError(
    `"${view}" has only one generation, ${live.name}: there is nothing to compare it with.`,
  );
};

const PROGRESS_INTERVAL_MS = 5_000;

/** Prints how many documents were read. A total is not known before. */
const progressOf = (screen: Screen): ((documents: number) => void) => {
  let saidAt = performance.now();
  return (documents) => {
    if (performance.now() - saidAt < PROGRESS_INTERVAL_MS) return;
    saidAt = performance.now();
    screen.say(`${documents} documents read.`);
  };
};
