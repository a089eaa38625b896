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
Readers go over at one moment, and none of them sees anything that it has seen before disappear. A generation that is
behind the log, or was folded by the same code and differs from the one that serves, is refused; "diff" shows where they
differ. The former generation is kept and fed on for a while (ROLLBACK_MINUTES), for "rollback".

Examples:
  $ assay projections promote signal
  $ assay projections diff signal || assay projections promote signal --accept-differences --yes`;

const ROLLBACK_HELP = `
The generation that served before serves again, by the same barrier as a promotion. It is there for as long as
ROLLBACK_MINUTES says since the promotion. Code that a rollback went back from does not rebuild the view by itself
again; "rebuild" does.

Examples:
  $ assay projections rollback signal
  $ assay projections rollback signal --yes --json`;

const CANCEL_HELP = `
What is being built, or was built and is held, is removed; the generation that serves is left as it is. The rebuild ends
as cancelled wherever it is watched. What changed code began by itself is not begun again by the same code; "rebuild"
does. Exit code 1 where there was nothing to cancel.

Examples:
  $ assay projections cancel signal
  $ assay projections cancel signal --yes --json`;

/** `promote`, `rollback` and `cancel`: which generation of a view serves. */
export const switchCommands = (projections: Command): void => {
  const promote = projections
    .command('promote')
    .description('Let the generation that was built serve.')
    .argument('<view>', 'its name')
    .option('--accept-differences', 'also where it differs from the one that serves (asks)')
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
    .description('Let the generation that served before serve again.')
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
    .description('Give up what is being built.')
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
