import type { Command } from 'commander';
import type { ExportArguments } from './export.js';
import type { VerifyArguments } from './verify.js';

const VERIFY_HELP = `
Checks every session or one. Its events must follow each other without a gap, and each hash must match its event and the
event before it. Personal parts and what was handed in must be what was written; they are checked if they were not erased
and DATA_KEY is set. The evaluation must continue the session's chain, and each result must be signed over the session's head with
SIGNING_KEY or one of FORMER_SIGNING_KEYS. For each session the first broken link is printed. Erased sessions are checked
like any other. Nothing is changed. docs/evidence.md describes what a chain can prove and what it cannot.

With --session, if no signed result covers that session, the log is searched for another evaluation of it, which would
show that the session's end was removed.

With --json: one line for each broken link, {"broken": …}, and a last one with the counts.

Examples:
  $ assay evidence verify
  $ assay evidence verify --session 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay evidence verify --json | jq -c 'select(.broken)'`;

const EXPORT_HELP = `
Writes all evidence of a session, what was handed in, and the result of its evaluation. An auditor can check it without this software:
  $ node docs/verify-evidence.mjs FOLDER
It contains unencrypted personal data, unless that was erased: the folder is readable by its owner alone. The export is
recorded in the operator's stream and in the evaluation's list of reads. FOLDER is made whole or not at all.

Example:
  $ assay evidence export --session 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a --out ./evidence-for-audit`;

/** `evidence verify` and `evidence export`: proof that the evidence behind evaluations was not changed. */
export const evidenceCommands = (root: Command): void => {
  const evidence = root
    .command('evidence')
    .description('The sessions’ chains of evidence.')
    .addHelpText('after', '\nExample:\n  $ assay evidence verify');
  evidence
    .command('verify')
    .description('Check the chain of every session, or of one, and print the first broken link.')
    .option('--session <id>', 'only this trial session')
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', VERIFY_HELP)
    .action(async (options: VerifyArguments) => (await import('./verify.js')).runVerify(options));
  evidence
    .command('export')
    .description('Write a session’s evidence as a bundle that an auditor can check.')
    .requiredOption('--session <id>', 'the trial session')
    .requiredOption('--out <folder>', 'the target: a folder that does not exist yet')
    .option('--json', 'print one JSON object with what was written and nothing else')
    .addHelpText('after', EXPORT_HELP)
    .action(async (options: ExportArguments) => (await import('./export.js')).runExport(options));
};
