import { StoreUnavailable, StoreUnusable } from '../../../core/errors.js';
import { DamagedRecord } from './record.js';

/** What LMDB says of pages that it did not write so. */
const DAMAGE = /MDB_(?:CORRUPTED|PAGE_NOTFOUND|INVALID|VERSION_MISMATCH|PANIC)/;

/** A damaged log is never repaired in place: what it held can only come back from a backup. */
export const damaged = (folder: string, what: string, cause?: unknown): StoreUnusable =>
  new StoreUnusable(
    `The event log in ${folder} is damaged (${what}). Stop every process that uses it and put back the last backup of that folder.`,
    { cause },
  );

export const notOurs = (folder: string, what: string): StoreUnusable =>
  new StoreUnusable(
    `What lies in ${folder} is no event log of this service (${what}). Give the log a folder of its own.`,
  );

/** The first sentence of an error, for a message of ours. */
export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A failed read as one of the port's errors. */
export function readFault(folder: string, error: unknown): Error {
  if (error instanceof StoreUnusable || error instanceof StoreUnavailable) return error;
  // A key or value that cannot be parsed is none that was ever written.
  const unreadable = error instanceof RangeError || error instanceof TypeError;
  if (unreadable || error instanceof DamagedRecord || DAMAGE.test(sentence(error))) {
    return damaged(folder, sentence(error), error);
  }
  return new StoreUnavailable(`The event log in ${folder} cannot be read (${sentence(error)}).`, {
    cause: error,
  });
}

/** Why nothing was written. */
export const commitFault = (folder: string, error: unknown): StoreUnavailable =>
  new StoreUnavailable(`The event log in ${folder} could not be written (${sentence(error)}).`, {
    cause: error,
  });
