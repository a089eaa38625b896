import { writeSync } from 'node:fs';

/**
 * Ends this process at once, after LMDB failed to commit: what it writes about that runs over the memory that it has
 * for it, and its writing thread may hold a lock for good. Nothing is closed, and no handler runs: a process that
 * exits in the usual way waits for its threads. What was acknowledged is on the disk, and the next start goes on.
 */
export function storeLost(folder: string): void {
  try {
    writeSync(
      2,
      `The store in ${folder} could not be written, and the process ends: see that its disk has room and works, then start again. Nothing that was acknowledged is lost.\n`,
    );
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

/** Ends the process if LMDB fails to commit, also where nobody waits for it any more. */
export function guarded<T>(folder: string, commit: Promise<T>): Promise<T> {
  return commit.catch((error: unknown) => {
    if (isFailedCommit(error)) storeLost(folder);
    throw error;
  });
}

/** Whether LMDB failed to commit, rather than what was to be done in the transaction. */
const isFailedCommit = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'commitError' in error;
