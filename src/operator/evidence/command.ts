import type { Command } from 'commander';
import { resolve } from 'node:path';
import { carryOut } from '../cli/program.js';
import type { ExportArguments } from './export.js';
import type { VerifyArguments } from './verify.js';

const VERIFY_HELP = `
Checks, of every session or of one: that its events follow each other without a gap, that each is what its hash was made
over and goes on from the one before it, that personal parts are those that were written (where they were not erased and
DATA_KEY is at hand), that the evaluation goes on from its session, and that each result is signed over that session's
head with SIGNING_KEY or one of FORMER_SIGNING_KEYS. Of each session the first link that broke is named. Erased sessions
are checked like any other; nothing is changed. docs/evidence.md says what a chain can show and what it cannot.

With --session, where no result vouches for it, the log is searched for another evaluation of that session, which would
show that its end was removed.

With --json: one line for each link that broke, {"broken": …}, and a last one with the counts.

Examples:
  $ assay evidence verify
  $ assay evidence verify --session 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay evidence verify --json | jq -c 'select(.broken)'`;

const EXPORT_HELP = `
Writes all evidence of a session and what its evaluation came to, so that an auditor can verify it without this software:
  $ node docs/verify-evidence.mjs FOLDER
What is personal and was not erased stands in it in plain: the folder is readable by its owner alone, and the export is
recorded in the operator's stream and among those who read the evaluation. FOLDER is made, whole or not at all.

Example:
  $ assay evidence export --session 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a --out ./evidence-for-audit`;

/** `evidence verify` and `evidence export`: what shows that nobody changed what evaluations rest on. */
export const evidenceCommands = (root: Command): void => {
  const evidence = root
    .command('evidence')
    .description('The sessions’ chains of evidence.')
    .addHelpText('after', '\nExample:\n  $ assay evidence verify');
  evidence
    .command('verify')
    .description('Check the chain of every session, or of one, and name the first link that broke.')
    .option('--session <id>', 'only this trial session')
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', VERIFY_HELP)
    .action((options: VerifyArguments) =>
      carryOut(async () => (await import('./verify.js')).runVerify(options)),
    );
  evidence
    .command('export')
    .description('Write a session’s evidence as a bundle that an auditor can verify.')
    .requiredOption('--session <id>', 'the trial session')
    .requiredOption('--out <folder>', 'the target: a folder that does not exist yet')
    .option('--json', 'print one JSON object with what was written and nothing else')
    .addHelpText('after', EXPORT_HELP)
    .action(({ session, out, json }: ExportArguments) =>
      carryOut(async () =>
        (await import('./export.js')).runExport({ session, out: resolve(out), ...(json && { json }) }),
      ),
    );
};
