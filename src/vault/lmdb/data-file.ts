import { existsSync, fstatSync, ftruncateSync } from 'node:fs';
import { readHead, toldLength, withFile } from '../../stores/lmdb/lmdb-head.js';
import { StoreUnusable } from '../../core/errors.js';

/**
 * LMDB maps its file and takes the head's word for its length: touching a page behind the file's end would end the
 * process. So a file that was cut is refused before LMDB sees it.
 * @param what lies in it, at the beginning of a sentence
 * @throws {StoreUnusable} cut short, or no LMDB file
 */
export function assertWhole(path: string, what: string): void {
  if (!existsSync(path)) return;
  withFile(path, 'r', (file) => {
    if (fstatSync(file).size === 0) return;
    const head = readHead(file);
    // After the head, since the file grows before it does: another process may be writing.
    const { size } = fstatSync(file);
    if (head?.roots.every((page) => (page + 1) * head.pageSize <= size)) return;
    throw new StoreUnusable(`${what} in ${path} is damaged: restore the vault from its backup.`);
  });
}

/**
 * Gives a short file the length that its head tells; called under LMDB's write lock. A file may rightly be short
 * where its last pages are free; if it was cut, LMDB now finds empty pages, which it reports.
 */
export function restoreLength(path: string): void {
  withFile(path, 'r+', (file) => {
    const head = readHead(file);
    if (head && fstatSync(file).size < toldLength(head)) ftruncateSync(file, toldLength(head));
  });
}
