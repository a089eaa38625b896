import type { Command } from 'commander';
import { v7 as uuidV7 } from 'uuid';
import { withEngine } from '../cli/stores.js';
import { carryOut, wholeNumber } from '../cli/program.js';
import { operate } from './operate.js';
import { viewNamed, viewsNamed } from './views.js';

interface RebuildOptions {
  readonly all?: true;
  readonly segments?: number;
  readonly hold?: true;
  readonly wait: boolean;
  readonly json?: true;
}

const MOST_SEGMENTS = 64;

const REBUILD_HELP = `
Folds the view from the log's beginning into a new generation, beside the live one. The new generation has no gaps: at
the first event that cannot be folded the rebuild stops and names it, and the live one stays. When it has caught up, the
two are compared and readers are switched at one moment; with --hold it waits for "promote".

A projector does the work; this command only watches, and may be ended (Ctrl-C) at any time. If no projector is running,
the command does the work itself. A rebuild that was cut off continues where it stopped.

Examples:
  $ assay projections rebuild signal
  $ assay projections rebuild signal --segments 4 --hold
  $ assay projections rebuild --all --no-wait
  $ assay projections rebuild evidence --json | jq -r .result`;

export const rebuildCommand = (projections: Command): void => {
  const command = projections
    .command('rebuild')
    .description('Rebuild a view beside the live one, then switch readers to it.')
    .argument('[view]', 'its name')
    .option('--all', 'every view')
    .option('--segments <count>', 'number of segments (default: SEGMENTS)', wholeNumber(1, MOST_SEGMENTS))
    .option('--hold', 'stop before the switch; "promote" switches')
    .option('--no-wait', 'request it and do not watch')
    .option('--json', 'print one JSON object (with --all a list) and nothing else')
    .addHelpText('after', REBUILD_HELP)
    .action((name: string | undefined, options: RebuildOptions) => {
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

interface ReplayOptions {
  readonly document: readonly string[];
  readonly wait: boolean;
  readonly json?: true;
}

const REPLAY_HELP = `
Repairs a live view: folds each named document from its own events, up to its position, and overwrites it. The other
documents are left as they are. For parked documents use "dead-letters retry"; for a whole view, "rebuild".

Examples:
  $ assay projections replay applications --document 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay projections replay roles --document ID1 ID2 ID3 --json`;

export const replayCommand = (projections: Command): void => {
  const command = projections
    .command('replay')
    .description('Fold single documents of a view again, in place.')
    .argument('<view>', 'its name')
    .requiredOption('--document <ids...>', 'ids of the documents')
    .option('--no-wait', 'request it and do not watch')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', REPLAY_HELP)
    .action((name: string, { document, wait, json }: ReplayOptions) => {
      const { name: view } = viewNamed(command, name);
      const documents = [...new Set(document)];
      return carryOut(() =>
        withEngine((engine) =>
          operate(
            engine,
            { kind: 'refold', id: uuidV7(), view, documents, parkedOnly: false },
            { json: json === true, wait },
          ),
        ),
      );
    });
};
