import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
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
