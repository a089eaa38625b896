import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { StoreUnusable } from '../../event-store/errors.js';

// Where LMDB's head pages keep what is asked here (struct MDB_meta behind a page header of 24 bytes).
const HEAD_BYTES = 160;
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
const ROOTS_AT = [88, 136];
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const LMDB = 0xbeefc0de;
const NO_PAGE = 2n ** 64n - 1n;

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
    const head = newestHead(file);
    // After the head, since the file grows before it does: another process may be writing.
    const { size } = fstatSync(file);
    const pageSize = head?.readUInt32LE(PAGE_SIZE_AT) ?? 0;
    const roots = ROOTS_AT.map((at) => head?.readBigUInt64LE(at) ?? 0n).filter((page) => page !== NO_PAGE);
    if (head && roots.every((page) => (Number(page) + 1) * pageSize <= size)) return;
    throw new StoreUnusable(`${what} in ${path} is damaged: restore the vault from its backup.`);
  });
}

/**
 * Gives a short file the length that its head tells; called under LMDB's write lock. A file may rightly be short
 * where its last pages are free; if it was cut, LMDB now finds empty pages, which it reports.
 */
export function restoreLength(path: string): void {
  withFile(path, 'r+', (file) => {
    const head = newestHead(file);
    if (!head) return;
    const told = (Number(head.readBigUInt64LE(LAST_PAGE_AT)) + 1) * head.readUInt32LE(PAGE_SIZE_AT);
    if (fstatSync(file).size < told) ftruncateSync(file, told);
  });
}

/** LMDB keeps two copies of its head, written in turn. */
function newestHead(file: number): Buffer | null {
  const first = headAt(file, 0);
  if (!first) return null;
  const second = headAt(file, first.readUInt32LE(PAGE_SIZE_AT));
  return second && second.readBigUInt64LE(TRANSACTION_AT) > first.readBigUInt64LE(TRANSACTION_AT)
    ? second
    : first;
}

function headAt(file: number, at: number): Buffer | null {
  const head = Buffer.alloc(HEAD_BYTES);
  const read = readSync(file, head, 0, HEAD_BYTES, at);
  return read === HEAD_BYTES && head.readUInt32LE(MAGIC_AT) === LMDB ? head : null;
}

function withFile(path: string, flags: string, use: (file: number) => void): void {
  const file = openSync(path, flags);
  try {
    use(file);
  } finally {
    closeSync(file);
  }
}
