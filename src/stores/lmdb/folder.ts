import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../../core/errors.js';
import { asDiskFull, assertRoom } from './disk-room.js';

/** The mode of files that their owner alone may read and write. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Room for over 300 readers. LMDB takes a longer lock file than it needs, and begins one of zeros anew. */
const LOCK_BYTES = 20 * 1024;

/** An LMDB folder's data file. */
export const dataFile = (folder: string): string => join(folder, 'data.mdb');
export const lockFile = (folder: string): string => join(folder, 'lock.mdb');
/** The file that records where the lock file was when LMDB mapped it. */
export const mappedFile = (folder: string): string => join(folder, 'mapped');

/** Makes the folder, or closes an existing one to other users. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  chmodSync(path, PRIVATE_FOLDER);
}

/** Closes the files of an LMDB folder to other users: LMDB makes them by the process's mask, and a copy by another. */
export function privateStore(folder: string): void {
  for (const path of [dataFile(folder), lockFile(folder), mappedFile(folder)])
    if (existsSync(path)) chmodSync(path, PRIVATE_FILE);
}

/**
 * Makes an LMDB folder's lock file before LMDB does, which maps it without blocks: on a full disk, the first touch of
 * such a page ends the process by a signal.
 * @param folder is there
 * @throws {DiskFull} a new store is not begun on a disk that is as good as full
 */
export function makeLockFile(folder: string): void {
  if (!existsSync(dataFile(folder))) assertRoom(folder);
  const path = lockFile(folder);
  if (existsSync(path)) return;
  try {
    makeWhole(path, Buffer.alloc(LOCK_BYTES));
  } catch (error) {
    throw asDiskFull(folder, error);
  }
}

/** Makes a private file: whole or not at all, and never over another process's. Its name is not synced. */
export function makeWhole(path: string, content: Buffer): void {
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

interface Shared<T> {
  readonly value: T;
  users: number;
}

/** What all handles of this process on one folder share: LMDB allows an environment to be opened once in a process. */
export class OncePerFolder<T> {
  readonly #open = new Map<string, Shared<T>>();

  /** The value for a folder, made for its first user. */
  acquire(key: string, make: () => T): T {
    const shared = this.#open.get(key) ?? { value: make(), users: 0 };
    this.#open.set(key, shared);
    shared.users++;
    return shared.value;
  }

  /** @returns whether it was the last one, which closes it */
  release(value: T): boolean {
    for (const [key, shared] of this.#open) {
      if (shared.value !== value) continue;
      if (--shared.users > 0) return false;
      this.#open.delete(key);
    }
    return true;
  }
}
