import { Command, InvalidArgumentError } from 'commander';
import { DamagedEvent, isSystemError, StoreUnusable, Unavailable } from '../../core/errors.js';
import type { Position } from '../../core/event-store.js';
import { longLived } from '../../core/signals.js';
import { BrokenSeal, MissingKey } from '../../core/vault/port.js';
import { ReadModelBehind, ViewParked } from '../../engine/errors.js';
import { asTyped, version } from '../../process/installation.js';
import { ConfigurationProblem } from '../../process/variable-reader.js';
import { harmlessLines, print } from './output.js';

/** A command failed. The message is a sentence for the operator. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  readonly exitCode: number = 1;
}

const CALLED_WRONGLY = 2;

/** The command was called wrongly, and nothing was done. */
export class CalledWrongly extends OperatorError {
  override readonly name = 'CalledWrongly';
  override readonly exitCode = CALLED_WRONGLY;
}

/** The operator ended the command (Ctrl-C, SIGTERM) while it waited. */
export class Interrupted extends OperatorError {
  override readonly name = 'Interrupted';
  override readonly exitCode = 130;
}

/** Adds its commands to the program. */
export type Registration = (program: Command) => void;

/** The exit codes of `assay` and `simulate`, for their help. */
export const EXIT_CODES = `
Exit codes:
  0    done
  1    failed, or found a difference: the message gives the reason
  2    called wrongly: nothing was done
  130  interrupted while waiting: the message tells whether the work continues`;

const HELP = `
Uses the service's stores, set by the environment (DATA_DIR, or EVENTSTORE_URL and MONGODB_URL; DATA_KEY). The service may
be running. Every command has --help with examples, and --json for machines.

Examples:
  $ assay health
  $ assay projections status
  $ assay projections rebuild --help
${EXIT_CODES}`;

/** The command line of `assay`, with its commands. */
export const program = (registrations: readonly Registration[]): Command => {
  const root = parsedAsHere(new Command('assay'))
    .description('The operator’s command of Assay.')
    .addHelpText('after', HELP);
  for (const register of registrations) register(root);
  hintAtHelp(root, 'assay');
  return root;
};

/**
 * Adds `--version` to a command line, lets it exit with 2 if it is called wrongly, and prints commands in the form of
 * this installation.
 */
export const parsedAsHere = (command: Command): Command =>
  command
    .version(version(), '--version', 'print the version and nothing else')
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void process.stdout.write(harmlessLines(asTyped(text))),
      writeErr: (text) => void process.stderr.write(harmlessLines(asTyped(text))),
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : CALLED_WRONGLY));

/** Matches the names of commands in commander's suggestions, but not options, which begin with dashes. */
const SUGGESTED = /(?<=\(Did you mean (?:one of )?)\w[\w-]*(?:, \w[\w-]*)*(?=\?\))/;

/**
 * After an error, each command refers to its own help, and writes suggested commands in full: `assay clock confirm`.
 */
const hintAtHelp = (command: Command, path: string): void => {
  command.showHelpAfterError(`(\`${path} --help\` shows how it is called)`).configureOutput({
    outputError: (text, write) =>
      write(text.replace(SUGGESTED, (names) => names.replaceAll(/[\w-]+/g, (name) => `\`${path} ${name}\``))),
  });
  for (const one of command.commands) hintAtHelp(one, `${path} ${one.name()}`);
};

/** Runs a command. An error is printed and sets the exit code. */
export const carryOut = async (work: () => Promise<unknown>): Promise<void> => {
  // Keeps the process alive, which the engine's timers do not.
  const alive = setInterval(() => undefined, 60 * 60 * 1_000);
  try {
    await work();
  } catch (error) {
    print(asTyped(sentenceOf(error)), process.stderr);
    process.exitCode = error instanceof OperatorError ? error.exitCode : 1;
  } finally {
    clearInterval(alive);
  }
};

/** Errors whose message is a sentence for an operator, without anything personal. */
const SENTENCES = [
  OperatorError,
  ConfigurationProblem,
  StoreUnusable,
  Unavailable,
  DamagedEvent,
  MissingKey,
  BrokenSeal,
  ReadModelBehind,
  ViewParked,
] as const;

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (SENTENCES.some((kind) => error instanceof kind)) return error.message;
  if (!isSystemError(error)) return error.stack ?? error.message;
  const { what, advice } = SYSTEM_ERRORS.find(({ codes }) => codes.includes(error.code ?? '')) ?? NO_ADVICE;
  return `Not done: ${what} (${error.message}).${advice}`;
};

/** What an operator can do about an error of the system, by its code. */
const SYSTEM_ERRORS: readonly {
  readonly codes: readonly string[];
  readonly what: string;
  readonly advice: string;
}[] = [
  {
    codes: ['EACCES', 'EPERM'],
    what: 'permission denied',
    advice: " Run this command as the service's user.",
  },
  {
    codes: ['ENOSPC', 'EDQUOT'],
    what: 'the disk is full',
    advice: ' Make room, and run the command again.',
  },
  {
    codes: ['EROFS'],
    what: 'the file system is read-only',
    advice: ' Name another folder, or mount it to be written to.',
  },
  {
    codes: ['EMFILE', 'ENFILE'],
    what: 'too many files are open',
    advice: ' Raise the limit (`ulimit -n`), and run the command again.',
  },
  {
    codes: ['EAGAIN', 'ENOMEM'],
    what: 'the machine lacks memory or processes',
    advice: ' Run the command again, or raise its limits.',
  },
];
const NO_ADVICE = { what: 'the system reports an error', advice: '' };

/**
 * Runs `work` with a signal that SIGINT, SIGTERM and SIGHUP abort. A second SIGINT or SIGTERM ends the process; a
 * terminal that closes may send SIGHUP several times.
 * @param hangUp false: SIGHUP is not handled, so that `nohup` works
 * @throws {Interrupted} `work` ended with the signal's reason
 */
export const stoppable = async <T>(
  work: (signal: AbortSignal) => Promise<T>,
  { hangUp = true } = {},
): Promise<T> => {
  const controller = longLived();
  const stop = (): void => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  if (hangUp) process.on('SIGHUP', stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    // What the signal has ended in the middle of a read has no sentence of its own.
    if (controller.signal.aborted && error === controller.signal.reason)
      throw new Interrupted('Interrupted before the end.');
    throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
  }
};

/** Reads a command line's whole number. */
export const wholeNumber =
  (min: number, max = Infinity) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const range = max === Infinity ? `from ${min} on` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };

/** Reads a command line's position, in the form that these commands print. */
export const position = (text: string): Position => {
  if (/^[0-9a-f]{14,32}$/.test(text)) return text as Position;
  throw new InvalidArgumentError('It must be a position as the commands print it: 14 or 32 hex digits.');
};
