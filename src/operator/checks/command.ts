import type { Command } from 'commander';
import { pendingChecks } from '../../../projections/pending-checks.js';
import { answer, counted } from '../cli/output.js';
import { wholeNumber } from '../cli/program.js';
import { withEngine } from '../cli/stores.js';
import { pointerOf } from '../projections/views.js';
import { runAgain } from './again.js';
import { listChecks, listLines } from './list.js';
import { tryCommand } from './try.js';

/** `checks`: the checks of candidates’ work, and the program that runs them. */
export const checksCommands = (root: Command): void => {
  const checks = root
    .command('checks')
    .description('Checks of candidates’ work, and the program that runs them.')
    .addHelpText('after', HELP);
  checks
    .command('list')
    .description('List the checks that wait, and those that failed.')
    .option('--limit <count>', 'show no more than so many', wholeNumber(1), 100)
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', LIST_HELP)
    .action(list);
  checks
    .command('again')
    .argument('<id>', 'the evaluation’s id, or the trial session’s')
    .description('Run all checks of a completed session again, for a new generation of its evaluation.')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', AGAIN_HELP)
    .action(again);
  tryCommand(checks);
};

interface Common {
  readonly json?: true;
}

const list = ({ limit, json }: Common & { readonly limit: number }): Promise<void> =>
  withEngine(async ({ stores }) => {
    // A view that was never built would read as one that is a moment behind.
    await pointerOf(stores.readStore, pendingChecks.name);
    const found = await listChecks(stores, limit);
    answer(json, found, () => listLines(found, limit));
  });

const again = (id: string, { json }: Common): Promise<void> =>
  withEngine(async ({ stores }) => {
    const asked = await runAgain(stores, id);
    answer(json, asked, () => [
      `Checks run again over ${counted(asked.checks, 'hand-in')} of session ${asked.trialSessionId}.`,
      `Evaluation ${asked.evaluationId} then gets generation ${asked.generation}.`,
    ]);
  });

const HELP = `
Examples:
  $ assay checks list
  $ assay checks again 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay checks try ./solution ./hidden-tests`;

const LIST_HELP = `
Failed checks come first: those that count for an evaluation and have no result, with the last reason. Visible checks
that failed during a session are not listed: all checks run at its completion. Each process that begins a check is an
attempt; while one is at work, it tries by itself. docs/checking.md tells what the reasons mean.

Examples:
  $ assay checks list --limit 10
  $ assay checks list --json | jq -r '.checks[] | select(.state == "failed") | .trialSessionId' | sort -u`;

const AGAIN_HELP = `
Remove the cause of a failure first: \`assay checks list\` shows the reason, \`assay checks try\` runs the checker. All
checks run over the last hand-in of each ticket, also those that had a result. Then the evaluation gets a new generation;
the former one stays readable. Refused while the evaluation is being generated.

Examples:
  $ assay checks again 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay checks again 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a --json`;
