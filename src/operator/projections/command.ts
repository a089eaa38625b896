import type { Command } from 'commander';
import { EXIT_CODES } from '../cli/program.js';
import { diffCommand } from './diff.js';
import { requestCommands } from './requests.js';
import { statusCommands } from './status.js';
import { verifyCommand } from './verify.js';

const HELP = `
Commands write requests to the operator's stream, and projectors on any host carry them out. A command that waits only
watches. If no projector is running, the command does the work itself.

Examples:
  $ assay projections status signal
  $ assay projections rebuild signal
  $ assay projections verify applications --all
${EXIT_CODES}`;

/** `projections`: the views, their generations, and what can be done about them. */
export const projectionsCommands = (root: Command): void => {
  const projections = root
    .command('projections')
    .description('The views that are folded from the log.')
    .addHelpText('after', HELP);
  for (const register of [statusCommands, requestCommands, verifyCommand, diffCommand]) register(projections);
};
