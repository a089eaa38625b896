import { Command } from '@nestjs/cqrs';
import type { RequestContext } from '../core/command-context.js';
import type { Handled } from '../core/handle.js';

/**
 * A command that changes what the service holds: one class for each use case. `input` is all that it is decided by,
 * beside what is stored. Its handler loads, asks the decider and appends; a refusal is a value.
 */
export abstract class UseCase<S, Input> extends Command<Handled<S>> {
  /** The class's name, for logs: the bundler renames classes. */
  abstract readonly name: string;

  /** @param context who asks, under which id, at what time */
  constructor(
    readonly context: RequestContext,
    readonly input: Input,
  ) {
    super();
  }
}

/** A command whose handler threw `cause`: it was neither carried out nor refused. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';

  /** @param command the command's name */
  constructor(
    readonly command: string,
    cause: unknown,
  ) {
    super(`${command} failed.`, { cause });
  }
}

/**
 * The state that a successful command leaves behind.
 * @throws {Error} there is none: a fault of the program
 */
export const present = <T>(state: T): NonNullable<T> => {
  if (state === null || state === undefined)
    throw new Error('A command succeeded and left no record behind.');
  return state;
};
