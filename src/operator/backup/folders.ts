import { realpathSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { readConfiguration } from '../../process/config.js';
import { StoreUnavailable, StoreUnusable } from '../../core/errors.js';
import { VaultUnavailable } from '../../core/vault/port.js';
import { Interrupted, OperatorError } from '../cli/program.js';

/**
 * DATA_DIR; nothing else of a service's configuration is asked for, keys least of all.
 * @throws {OperatorError} the service keeps its data on servers
 */
export const dataDirOf = (environment: Readonly<Record<string, string | undefined>>): string => {
  const { DATA_DIR, EVENTSTORE_URL, MONGODB_URL } = environment;
  const { dataDir, servers } = readConfiguration({ DATA_DIR, EVENTSTORE_URL, MONGODB_URL });
  if (servers)
    throw new OperatorError(
      'EVENTSTORE_URL and MONGODB_URL are set: servers are saved and put back by their own tools, the log first and then the vault; docs/production.md says how under "Backups". This command is for a data folder.',
    );
  return dataDir;
};

/** @throws {OperatorError} the place for a new folder is taken, not there, or within the data folder */
export const assertNewFolder = (folder: string, dataDir: string): void => {
  if (stats(folder)) throw new OperatorError(`${folder} exists already: name a new folder for each backup.`);
  const parent = dirname(folder);
  if (!stats(parent)?.isDirectory())
    throw new OperatorError(`There is no folder ${parent} to put the backup into.`);
  const within = join(realpathSync(parent), basename(folder));
  if (within.startsWith(realpathSync(dataDir) + sep))
    throw new OperatorError(
      `${folder} is inside the data folder: a loss of that folder would take the backup too.`,
    );
};

/** Whether both name one folder that is there. */
export const isSameFolder = (one: string, other: string): boolean => {
  const [first, second] = [stats(one), stats(other)];
  return !!first && !!second && first.dev === second.dev && first.ino === second.ino;
};

/** Begins with a dot, so that no tool that lists such folders takes it for one. */
export const unfinishedName = (kind: 'backup' | 'restore' | 'evidence', folder: string): string =>
  `.unfinished-${kind}-${basename(resolve(folder))}-`;

/**
 * Makes something in a folder of its own that goes with every failure; after a kill it stays, under a name that says
 * that it is unfinished.
 * @param parent where it is made
 * @throws {OperatorError} the disk is full, or the folder cannot be written to
 */
export const makeIn = async <T>(
  parent: string,
  name: string,
  make: (folder: string) => Promise<T>,
): Promise<T> => {
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(parent, name));
    return await make(folder);
  } catch (error) {
    if (KNOWN.some((known) => error instanceof known)) throw error;
    // LMDB passes on what the system says without its code.
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      `Not done: ${parent} could not be written to, or what was to be saved not read (${reason}). If the disk is full, make room; nothing was left behind.`,
      { cause: error },
    );
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
};

/** Sentences of their own. */
const KNOWN = [OperatorError, StoreUnusable, StoreUnavailable, VaultUnavailable];

/** @throws {OperatorError} somebody has asked the command to stop */
export const assertWanted = (signal: AbortSignal): void => {
  if (signal.aborted) throw new Interrupted('Stopped; nothing was left behind.');
};

/** LMDB's lock file says nothing outside of the folder where it was made. */
export const removeLocks = (folder: string): void => {
  for (const path of ['log', 'vault/look-ups', 'vault/audio'])
    rmSync(join(folder, path, 'lock.mdb'), { force: true });
};

const stats = (path: string) => statSync(path, { throwIfNoEntry: false });
