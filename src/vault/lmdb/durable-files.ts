import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PRIVATE_FILE } from '../../stores/lmdb/folder.js';

/** File work that survives a power cut: contents are synced, and so is the folder that names them. */

/** Makes names added to or removed from a folder durable. Windows cannot open folders, and does so by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using(path, 'r', (folder) => folder.sync());
}

/** As `syncFolder`, but blocks: for the start of a process, when no request waits. */
export function syncFolderNow(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Opens, works, closes. @param flags as of `fs.open`; a new file is private */
export async function using<T>(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, PRIVATE_FILE);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Writes over a part of a file and syncs it. */
export function overwriteNow(path: string, bytes: Buffer, offset: number): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, bytes, 0, bytes.length, offset);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
