import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The name of this process, `<host>/<pid>`. A lease's owner is this name and `/<uuid>`, since a later process may have
 * the same id, as in a container that is restarted.
 */
export const processName = (): string => `${hostname()}/${process.pid}`;

/**
 * Whether a lease's owner is a process of this machine that has ended, so that its leases are taken over at once. False
 * for an owner on another machine or in another form: its leases have to expire.
 * @param owner `<host>/<pid>/<anything>`
 */
export const isGone = (owner: string): boolean => {
  const [host, pid, ...rest] = owner.split('/');
  if (host !== hostname() || rest.length === 0 || !/^[1-9]\d*$/.test(pid ?? '')) return false;
  return !isProcessRunning(Number(pid));
};

/** Whether a process of this machine runs. On Linux, one that has ended but is still a zombie does not. */
export const isProcessRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // Only Linux has this file.
    return true;
  }
};

/** The name of the process in a lease's owner: the owner without `/<uuid>`. */
export const processNameOf = (owner: string): string => owner.replace(/\/[0-9a-f-]{36}$/, '');
