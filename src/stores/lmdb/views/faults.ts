import { StoreUnusable } from '../../../core/errors.js';
import { ReadStoreUnavailable } from '../../errors.js';

/** What LMDB and the parser say of bytes that nobody wrote so. */
const DAMAGE =
  /MDB_(?:CORRUPTED|PAGE_NOTFOUND|INVALID|VERSION_MISMATCH|PANIC|BAD_TXN)|Unexpected .*JSON|not valid JSON/;

/** What an operator can do about a folder that cannot be used. */
export const remedy = (folder: string): string =>
  `Stop every process that uses ${folder}, delete that folder and start again: views are rebuilt from the log.`;

export const damaged = (folder: string, what: string, cause?: unknown): StoreUnusable =>
  new StoreUnusable(`The read store in ${folder} is damaged (${what}). ${remedy(folder)}`, { cause });

/** A read's or write's failure as one of the port's errors. */
export function translated(folder: string, error: unknown): ReadStoreUnavailable | StoreUnusable {
  if (error instanceof ReadStoreUnavailable || error instanceof StoreUnusable) return error;
  const said = sentence(error);
  if (DAMAGE.test(said)) return damaged(folder, said, error);
  return new ReadStoreUnavailable(`The read store in ${folder} cannot answer (${said}).`, { cause: error });
}

export const tooLate = (folder: string): ReadStoreUnavailable =>
  new ReadStoreUnavailable(
    `The read store in ${folder} did not answer in time: another process may hold its write lock.`,
  );

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));
