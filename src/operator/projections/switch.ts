import type { Command } from 'commander';
import { v7 as uuidV7 } from 'uuid';
import { withEngine } from '../cli/stores.js';
import { confirm } from '../cli/confirm.js';
import { carryOut } from '../cli/program.js';
import { operate } from './operate.js';
import { viewNamed } from './views.js';

interface Options {
  readonly acceptDifferences?: true;
  readonly yes?: true;
  readonly json?: true;
}

const JSON_OPTION = ['--json', 'print one JSON object and nothing else'] as const;
const YES_OPTION = ['-y, --yes', 'do not ask'] as const;

const PROMOTE_HELP = `
Switches readers at one moment; nothing that a reader has seen disappears. A generation that is behind the log is
refused, and so is one that the same code folded and that differs from the live one; "diff" shows where they differ. The
former generation is kept up to date for ROLLBACK_MINUTES, for "rollback".

Examples:
  $ assay projections promote signal
  $ assay projections diff signal || assay projections promote signal --accept-differences --yes`;

const ROLLBACK_HELP = `
Switches readers back to the former generation, as a promotion does. It is kept for ROLLBACK_MINUTES after the
promotion. The code that was rolled back does not rebuild the view by itself again; "rebuild" does.

Examples:
  $ assay projections rollback signal
  $ assay projections rollback signal --yes --json`;

const CANCEL_HELP = `
Removes the generation that is being built or is held; the live one stays. The rebuild ends as cancelled. A rebuild that
changed code began by itself is not begun again by the same code; "rebuild" does that. Exit code 1: there was nothing to
cancel.

Examples:
  $ assay projections cancel signal
  $ assay projections cancel signal --yes --json`;

/** `promote`, `rollback` and `cancel`: which generation of a view serves. */
export const switchCommands = (projections: Command): void => {
  const promote = projections
    .command('promote')
    .description('Switch readers to the generation that was built.')
    .argument('<view>', 'its name')
    .option('--accept-differences', 'even if it differs from the live one (asks)')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', PROMOTE_HELP)
    .action((name: string, { acceptDifferences, ...options }: Options) => {
      const accepted = acceptDifferences === true;
      const question = accepted
        ? `Let the generation that was built of "${name}" serve, however it differs?`
        : null;
      const asked = { kind: 'promote' as const, acceptDifferences: accepted };
      return run(promote, name, asked, question, options);
    });
  const rollback = projections
    .command('rollback')
    .description('Switch readers back to the former generation.')
    .argument('<view>', 'its name')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', ROLLBACK_HELP)
    .action((name: string, options: Options) =>
      run(
        rollback,
        name,
        { kind: 'rollback' },
        `Let the generation of "${name}" that served before serve again?`,
        options,
      ),
    );
  const cancel = projections
    .command('cancel')
    .description('Cancel a rebuild and remove what it built.')
    .argument('<view>', 'its name')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', CANCEL_HELP)
    .action((name: string, options: Options) =>
      run(cancel, name, { kind: 'cancel' }, `Give up what is being built of "${name}"?`, options),
    );
};

type Switch =
  | { readonly kind: 'promote'; readonly acceptDifferences: boolean }
  | { readonly kind: 'rollback' }
  | { readonly kind: 'cancel' };

/** @param question asked first; `null`: none */
const run = (
  command: Command,
  name: string,
  asked: Switch,
  question: string | null,
  { yes, json }: Options,
): Promise<void> => {
  const { name: view } = viewNamed(command, name);
  return carryOut(async () => {
    if (question !== null) await confirm(question, yes === true);
    await withEngine((engine) =>
      operate(engine, { ...asked, id: uuidV7(), view }, { json: json === true, wait: true }),
    );
  });
};
