import { refusalToApiError } from './http/api-error.js';
import type { Handled } from '../core/handle.js';

/**
 * A command's outcome, a refusal turned into the error that answers it.
 * @throws {ApiError} the command was refused
 */
export const settle = <S>(handled: Handled<S>): Extract<Handled<S>, { kind: 'done' }> => {
  if (handled.kind === 'refused') throw refusalToApiError(handled.refusal);
  return handled;
};

/**
 * The state of a record that a successful command leaves behind.
 * @throws {Error} a stream without it, which no successful command leaves
 */
export const present = <T>(state: T | null | undefined): T => {
  if (state === null || state === undefined)
    throw new Error('A command succeeded and left no record behind.');
  return state;
};
