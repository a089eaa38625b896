import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** This process as the owner of leases: `<host>/<pid>`. */
export const ownName = (): string => `${hostname()}/${process.pid}`;

/**
 * Whether an owner is a process of this machine that runs no more, so that after a crash the next process takes over
 * at once. Anything else is not known to be gone: leases only save work, and a dead owner's die out.
 * @param owner `<host>/<pid>/<anything>`
 */
export const isGone = (owner: string): boolean => {
  const [host, pid, ...rest] = owner.split('/');
  if (host !== hostname() || rest.length === 0 || !/^[1-9]\d*$/.test(pid ?? '')) return false;
  return !isRunning(Number(pid));
};

/** Whether a process of this machine runs. One that ended does not, also while its parent has not asked for its status. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // Only Linux has the file.
    return true;
  }
};

/** A lease's owner without what makes it unique to the run. */
export const processOf = (owner: string): string => owner.replace(/\/[0-9a-f-]{36}$/, '');
