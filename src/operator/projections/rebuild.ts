import { type Command, InvalidArgumentError } from 'commander';
import { v7 as uuidV7 } from 'uuid';
import { withEngine } from '../engine.js';
import { carryOut } from '../program.js';
import { operate } from './operate.js';
import { viewsNamed } from './views.js';

interface Options {
  readonly all?: true;
  readonly segments?: number;
  readonly hold?: true;
  readonly wait: boolean;
  readonly json?: true;
}

const MOST_SEGMENTS = 64;

const HELP = `
The view is folded from the log's beginning into a new generation, beside the one that serves. The new one has no gaps:
at the first event that cannot be folded the rebuild stops and names it, and the one that serves is left as it is. Once
it has caught up the two are compared, and readers are switched over at one moment; with --hold it waits for "promote".

A projector does the work, wherever it runs; this command only watches, and may be ended (Ctrl-C) at any time. Where no
projector is running it does the work itself. A rebuild that was cut off goes on where it was.

Examples:
  $ assay projections rebuild signal
  $ assay projections rebuild signal --segments 4 --hold
  $ assay projections rebuild --all --no-wait
  $ assay projections rebuild evidence --json | jq -r .result`;

export const rebuildCommand = (projections: Command): void => {
  const command = projections
    .command('rebuild')
    .description('Build a view anew beside the one that serves, and let it serve.')
    .argument('[view]', 'its name')
    .option('--all', 'every view')
    .option('--segments <count>', 'into how many it is split (default: as SEGMENTS says)', segments)
    .option('--hold', 'stop before it serves; "promote" lets it serve')
    .option('--no-wait', 'ask for it and do not watch')
    .option('--json', 'print one JSON object (with --all a list) and nothing else')
    .addHelpText('after', HELP)
    .action((name: string | undefined, options: Options) => {
      const { all, hold, wait, json, segments: count = null } = options;
      const views = viewsNamed(command, name, all === true);
      return carryOut(() =>
        withEngine((engine) => {
          const asked = views.map(({ name: view }) => {
            const request = { kind: 'rebuild' as const, id: uuidV7(), view };
            return { ...request, segments: count, hold: hold === true };
          });
          const [only] = asked;
          const what = name !== undefined && only !== undefined ? only : asked;
          return operate(engine, what, { json: json === true, wait });
        }),
      );
    });
};

const segments = (text: string): number => {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_SEGMENTS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_SEGMENTS}.`);
};
