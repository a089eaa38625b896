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
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
};

/** A lease's owner without what makes it unique to the run. */
export const processOf = (owner: string): string => owner.replace(/\/[0-9a-f-]{36}$/, '');
