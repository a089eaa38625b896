import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** For its owner alone. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Makes the folder, or closes an existing one to everybody else. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  chmodSync(path, PRIVATE_FOLDER);
}

/** Closes the files of an LMDB folder to everybody else: LMDB makes them by the process's mask, and a copy by another. */
export function privateStore(folder: string): void {
  for (const name of ['data.mdb', 'lock.mdb']) {
    const path = join(folder, name);
    if (existsSync(path)) chmodSync(path, PRIVATE_FILE);
  }
}
