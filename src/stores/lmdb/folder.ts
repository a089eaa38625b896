import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../../core/errors.js';
import { asDiskFull, assertRoom } from './disk-room.js';

/** The mode of files that only their owner may read and write. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Room for over 300 readers. LMDB accepts a longer lock file than it needs, and initialises one that has only zeros. */
const LOCK_BYTES = 20 * 1024;

/** An LMDB folder's data file. */
export const dataFile = (folder: string): string => join(folder, 'data.mdb');
export const lockFile = (folder: string): string => join(folder, 'lock.mdb');
/** The file that records on which device the lock file was when LMDB mapped it (`mapping`): copies may be on another. */
export const mappedFile = (folder: string): string => join(folder, 'mapped');

/** Whether a folder has a data file that is not empty: LMDB reads an empty one past its end, which kills the process. */
export const hasData = (folder: string): boolean =>
  existsSync(dataFile(folder)) && statSync(dataFile(folder)).size > 0;

/** Makes a folder that other users cannot read, or makes an existing one so. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  chmodSync(path, PRIVATE_FOLDER);
}

/** Makes the files of an LMDB folder unreadable for other users: LMDB creates them, and copies, by the process's mask. */
export function makeStorePrivate(folder: string): void {
  for (const path of [dataFile(folder), lockFile(folder), mappedFile(folder)])
    if (existsSync(path)) chmodSync(path, PRIVATE_FILE);
}

/**
 * Makes an LMDB folder's lock file before LMDB does. LMDB would map a file that has no blocks on the disk: if the disk
 * is full, the first write to such a page ends the process by a signal.
 * @param folder exists
 * @throws {DiskFull} there is no room for the lock file, or the store is new and only the disk's reserve is free
 */
export function makeLockFile(folder: string): void {
  if (!existsSync(dataFile(folder))) assertRoom(folder);
  const path = lockFile(folder);
  if (existsSync(path)) return;
  try {
    makeFileOnce(path, Buffer.alloc(LOCK_BYTES));
  } catch (error) {
    throw asDiskFull(folder, error);
  }
}

/**
 * Makes a private file, whole or not at all. An existing file of that name is not changed. The folder is not synced:
 * the caller does that if the file must outlast a loss of power.
 */
export function makeFileOnce(path: string, content: Buffer): void {
  const draft = join(dirname(path), `.draft.${randomUUID()}`);
  try {
    writeFileSync(draft, content, { mode: PRIVATE_FILE, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
