import { existsSync, fstatSync, ftruncateSync } from 'node:fs';
import { join } from 'node:path';
import { readHead, toldLength as lengthTold, withFile } from '../lmdb-head.js';
import { damaged } from './faults.js';

/**
 * LMDB maps its file and takes the head's word for its length: a page behind the file's end would end the process.
 * So a file that was cut is refused here, before LMDB sees it.
 * @throws {StoreUnusable} the file is cut short or no LMDB file
 */
export function assertWhole(folder: string): void {
  const path = dataFile(folder);
  if (!existsSync(path)) return;
  withFile(path, 'r', (file) => {
    const head = readHead(file);
    const { size } = fstatSync(file);
    if (size === 0) return;
    if (!head) throw damaged(folder, 'data.mdb does not begin as a store does');
    if (head.roots.some((page) => (page + 1) * head.pageSize > size))
      throw damaged(folder, 'data.mdb is cut short');
  });
}

/** The file ends before the last page that its head tells. It may rightly do so, where its last pages are free. */
export const isShort = (folder: string): boolean => missing(folder) > 0;

/**
 * Gives a short file the length that its head tells; to be called under LMDB's write lock. If the file was cut, LMDB
 * then finds empty pages, which it reports, rather than none, which would end the process.
 */
export function restoreLength(folder: string): void {
  if (missing(folder) === 0) return;
  withFile(dataFile(folder), 'r+', (file) => ftruncateSync(file, toldLength(file)));
}

const missing = (folder: string): number =>
  withFile(dataFile(folder), 'r', (file) => Math.max(0, toldLength(file) - fstatSync(file).size));

function toldLength(file: number): number {
  const head = readHead(file);
  return head ? lengthTold(head) : 0;
}

const dataFile = (folder: string): string => join(folder, 'data.mdb');
