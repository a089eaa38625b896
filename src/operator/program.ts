import { Command, CommanderError } from 'commander';
import { ConfigurationProblem } from '../app/config.js';
import { StoreUnavailable, StoreUnusable } from '../event-store/errors.js';
import { VaultUnavailable } from '../vault/errors.js';

/** What a command could not do, in a sentence for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Adds its commands to the program. */
export type Registration = (program: Command) => void;

/** Exit codes: 0 done, 1 not done (the sentence says why), 2 called wrongly. */
export const program = (registrations: readonly Registration[]): Command => {
  const root = new Command('assay')
    .description('The operator’s command of Assay.')
    .showHelpAfterError('(assay --help shows how it is called)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  for (const register of registrations) register(root);
  return root;
};

/** Runs a command's work; whatever goes wrong reaches the screen and the exit code. */
export const carryOut = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
};

const sentenceOf = (error: unknown): string => {
  if (
    error instanceof OperatorError ||
    error instanceof ConfigurationProblem ||
    error instanceof StoreUnusable ||
    error instanceof StoreUnavailable ||
    error instanceof VaultUnavailable
  )
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
