import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyTick, IDLE_POLL_MS } from '../core/shared-interval.js';
import { isProcessRunning } from './owner.js';

/** Distinguishes this process from an earlier one with the same id, as in a container that is restarted. */
const TOKEN = randomBytes(4).toString('hex');
/** Form of a folder's name: prefix, process id, token, and the suffix of `mkdtemp`. */
const NAME = /^(.+-)([1-9]\d*)-([0-9a-f]{8})-\w{6}$/;

/** Identifies this machine or container, for the prefix of folders in a place that several of them share. */
export const HOST_MARK = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/**
 * Makes a folder that only this process uses. Its name contains the process's id, by which `leftFolders` finds the
 * folders of killed processes.
 * @param prefix ends with `-`
 * @returns its path
 */
export const makeOwnFolder = (parent: string, prefix: string): Promise<string> =>
  mkdtemp(join(parent, `${prefix}${process.pid}-${TOKEN}-`));

/** Whether `makeOwnFolder` of any process has made a folder. @param isOfKind as of `leftFolders` */
export const isOwnFolder = (name: string, isOfKind: (prefix: string) => boolean): boolean =>
  isOfKind(NAME.exec(name)?.[1] ?? '');

/**
 * Finds the folders whose processes have ended. Processes that cannot see each other's ids must not share a prefix.
 * @param isOfKind returns whether a prefix is one of those to find
 * @returns the folders' names; empty: none, or the parent cannot be read
 */
export const leftFolders = async (
  parent: string,
  isOfKind: (prefix: string) => boolean,
): Promise<readonly string[]> =>
  (await readdir(parent).catch(() => [])).filter((name) => {
    const [, prefix = '', pid, token] = NAME.exec(name) ?? [];
    if (!isOfKind(prefix) || token === TOKEN) return false;
    return Number(pid) === process.pid || !isProcessRunning(Number(pid));
  });

/** A folder whose time has not changed for this long is in use by no process. */
const SILENT_MS = 4 * IDLE_POLL_MS;
const POLL_MS = 250;

/**
 * Renews the time of a folder at intervals, by which `isRenewed` finds out elsewhere that the folder is in use.
 * @returns ends that
 */
export const keepRenewed = (folder: string): (() => void) =>
  everyTick(IDLE_POLL_MS, () => {
    const now = new Date();
    // The folder may have been removed.
    utimes(folder, now, now).catch(() => undefined);
  });

/**
 * Whether a process that this one may not see, as of another container, uses a folder. Takes some seconds if none does.
 */
export const isRenewed = async (folder: string): Promise<boolean> => {
  const first = await timeOf(folder);
  for (let waited = 0; waited < SILENT_MS; waited += POLL_MS) {
    await sleep(POLL_MS);
    const time = await timeOf(folder);
    if (time === null) return false;
    if (time !== first) return true;
  }
  return false;
};

const timeOf = (folder: string): Promise<number | null> =>
  stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
