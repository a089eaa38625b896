import { realpathSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf, StoreUnusable, Unavailable } from '../../core/errors.js';
import { readConfiguration } from '../../process/config.js';
import { HOST_MARK, leftFolders, makeOwnFolder } from '../../process/own-folders.js';
import { lockFile, mappedFile } from '../../stores/lmdb/folder.js';
import { syncFolder } from '../../vault/lmdb/durable-files.js';
import { Interrupted, OperatorError } from './program.js';

/**
 * Reads DATA_DIR, without the rest of the configuration, which may be incomplete.
 * @throws {OperatorError} the service keeps its data on servers
 */
export const dataDirOf = (environment: Readonly<Record<string, string | undefined>>): string => {
  const { DATA_DIR, EVENTSTORE_URL, MONGODB_URL } = environment;
  const { dataDir, servers } = readConfiguration({ DATA_DIR, EVENTSTORE_URL, MONGODB_URL });
  if (servers)
    throw new OperatorError(
      'EVENTSTORE_URL and MONGODB_URL are set, and this command is for a data folder. Back up servers with their own tools, the log first and then the vault: see docs/production/backup.md.',
    );
  return dataDir;
};

/** Whether both paths are the same existing folder. */
export const isSameFolder = (one: string, other: string): boolean => {
  const [first, second] = [stats(one), stats(other)];
  return !!first && !!second && first.dev === second.dev && first.ino === second.ino;
};

/** Prefix of folders that are not finished. They are hidden, so that no tool uses them. */
const UNFINISHED = '.unfinished-';
/** How much of the finished folder's name is in the temporary name: file systems allow 255 bytes. */
const NAME_BYTES = 150;

/** Beginning of the name of a folder that is not finished. */
export const unfinishedName = (kind: 'backup' | 'restore' | 'evidence', folder: string): string =>
  `${UNFINISHED}${kind}-${Buffer.from(basename(resolve(folder)))
    .subarray(0, NAME_BYTES)
    .toString()}-`;

/**
 * Makes a new folder, complete or not at all. If the process is killed, an unfinished folder remains beside it until
 * the next folder is made there.
 * @param make fills the unfinished folder, which is removed after a failure
 * @throws {OperatorError} the folder exists, its parent does not, the disk is full, or it cannot be written to
 */
export const makeNewFolder = async <T>(
  folder: string,
  kind: 'backup' | 'evidence',
  make: (unfinished: string) => Promise<T>,
): Promise<T> => {
  assertFree(folder);
  const parent = dirname(folder);
  return makeIn(parent, unfinishedName(kind, folder), async (unfinished) => {
    const made = await make(unfinished);
    assertFree(folder);
    await rename(unfinished, folder);
    await syncFolder(parent);
    return made;
  });
};

const assertFree = (folder: string): void => {
  if (stats(folder)) throw new OperatorError(`${folder} exists already: name a new folder.`);
  const parent = dirname(folder);
  if (!stats(parent)?.isDirectory())
    throw new OperatorError(`There is no folder ${parent}: create it first.`);
};

/**
 * Checks that what a command makes is not inside what it reads, so that both would be lost together.
 * @param path need not exist
 * @param what the folder that is read, in the message: `the data folder`
 * @throws {OperatorError} the path is inside the folder, also by a link or by another mount. The folder itself is
 *   not refused
 */
export const assertOutside = (path: string, folder: string, what: string): void => {
  for (let at = resolve(path); at !== dirname(at);) {
    // Above a link are the folders in which its target is.
    at = dirname(stats(at) ? realpathSync(at) : at);
    if (isSameFolder(at, folder))
      throw new OperatorError(
        `${path} is inside ${what}, ${folder}: a loss of that folder would take both. Name a folder outside it.`,
      );
  }
};

/**
 * Calls `make` with a temporary folder, which is removed at the end. Before, it removes those that killed commands of
 * this machine have left there.
 * @param name of the temporary folder, by `unfinishedName`
 * @throws {OperatorError} the disk is full, or the folder cannot be written to
 */
export const makeIn = async <T>(
  parent: string,
  name: string,
  make: (folder: string) => Promise<T>,
): Promise<T> => {
  let folder: string | null = null;
  try {
    await sweepUnfinished(parent);
    folder = await makeOwnFolder(parent, `${name}${HOST_MARK}-`);
    return await make(folder);
  } catch (error) {
    if ([OperatorError, StoreUnusable, Unavailable].some((known) => error instanceof known)) throw error;
    // LMDB's errors have the system's text, but not its code.
    const reason = messageOf(error);
    throw new OperatorError(
      `Not done: a file could not be read, or ${parent} not be written to (${reason}). If the disk is full, make room. Nothing was left behind.`,
      { cause: error },
    );
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
};

/** Removes only folders of this machine: whether a process of another machine still runs cannot be found out here. */
const sweepUnfinished = async (parent: string): Promise<void> => {
  const isOurs = (prefix: string): boolean =>
    prefix.startsWith(UNFINISHED) && prefix.endsWith(`-${HOST_MARK}-`);
  // Folders of another user's commands cannot be removed, and stay.
  for (const left of await leftFolders(parent, isOurs))
    await rm(join(parent, left), { recursive: true, force: true }).catch(() => undefined);
};

/** @throws {Interrupted} the operator has stopped the command */
export const assertWanted = (signal: AbortSignal): void => {
  if (signal.aborted) throw new Interrupted('Stopped; nothing was left behind.');
};

/** Removes LMDB's lock files and our notes about them, which are only valid in the folder where they were made. */
export const removeLocks = (folder: string): void => {
  for (const path of ['log', 'vault/look-ups', 'vault/audio'])
    for (const file of [lockFile, mappedFile]) rmSync(file(join(folder, path)), { force: true });
};

/** The files by which a data folder is recognised. */
const DATA_FILES = [
  ['event log', join('log', 'data.mdb')],
  ['vault', join('vault', 'look-ups', 'data.mdb')],
] as const;

/**
 * Call it before opening. Opening creates what is missing: a misspelt name would create a data folder with keys, and a
 * lost vault would become an empty one.
 * @param named the variable that names the folder, or `''`
 * @throws {OperatorError} the folder has no event log or no vault
 */
export const assertDataFolder = (folder: string, named = ''): void => {
  for (const [what, file] of DATA_FILES) {
    if (stats(join(folder, file))) continue;
    const hint =
      named === '' ? '' : ` ${named} names the service’s data folder, which its first start makes.`;
    throw new OperatorError(`${folder} is not a data folder: it holds no ${what} (${file}).${hint}`);
  }
};

const stats = (path: string) => statSync(path, { throwIfNoEntry: false });
