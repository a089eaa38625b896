import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './owner.js';

/** Tells this process from an earlier one that had its id, as the first process of a container has. */
const TOKEN = randomBytes(4).toString('hex');
const NAME = /^(.+-)([1-9]\d*)-([0-9a-f]{8})-\w{6}$/;

/** Names this machine, or container, in the prefix of folders that several of them make in one place. */
export const HOST_MARK = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/**
 * Makes a folder that only this process uses. Its name tells so, which is how others find what a killed process left.
 * @param prefix ends with `-`
 * @returns its path
 */
export const makeOwnFolder = (parent: string, prefix: string): Promise<string> =>
  mkdtemp(join(parent, `${prefix}${process.pid}-${TOKEN}-`));

/**
 * The folders of a kind whose processes have ended. Processes that cannot see each other's ids must not share a prefix.
 * @param isOfKind by the folder's prefix
 * @returns their names; of a parent that cannot be read: none
 */
export const leftFolders = async (
  parent: string,
  isOfKind: (prefix: string) => boolean,
): Promise<readonly string[]> =>
  (await readdir(parent).catch(() => [])).filter((name) => {
    const [, prefix = '', pid, token] = NAME.exec(name) ?? [];
    if (!isOfKind(prefix) || token === TOKEN) return false;
    return Number(pid) === process.pid || !isRunning(Number(pid));
  });
