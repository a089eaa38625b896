import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { damaged } from './faults.js';

// Where LMDB's head pages keep what is asked here (struct MDB_meta behind a page header of 24 bytes).
const HEAD_BYTES = 160;
const MAGIC = 24;
const PAGE_SIZE = 48;
const ROOTS = [88, 136];
const LAST_PAGE = 144;
const TRANSACTION = 152;
const LMDB = 0xbeefc0de;
const NO_PAGE = 2n ** 64n - 1n;

interface Head {
  readonly pageSize: number;
  readonly lastPage: number;
  /** The pages that the trees begin at, as far as they hold anything. */
  readonly roots: readonly number[];
}

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
  return head ? (head.lastPage + 1) * head.pageSize : 0;
}

const dataFile = (folder: string): string => join(folder, 'data.mdb');

/** The newest of the copies, of which LMDB keeps two or three. */
function readHead(file: number): Head | null {
  const first = readCopy(file, 0);
  if (!first) return null;
  const size = first.head.pageSize;
  const copies = [first, readCopy(file, size / 2), readCopy(file, size)].filter((copy) => copy !== null);
  return copies.reduce((a, b) => (b.transaction > a.transaction ? b : a)).head;
}

function readCopy(file: number, at: number): { readonly transaction: bigint; readonly head: Head } | null {
  const bytes = Buffer.alloc(HEAD_BYTES);
  if (readSync(file, bytes, 0, HEAD_BYTES, at) < HEAD_BYTES || bytes.readUInt32LE(MAGIC) !== LMDB)
    return null;
  const roots = ROOTS.map((offset) => bytes.readBigUInt64LE(offset)).filter((page) => page !== NO_PAGE);
  return {
    transaction: bytes.readBigUInt64LE(TRANSACTION),
    head: {
      pageSize: bytes.readUInt32LE(PAGE_SIZE),
      lastPage: Number(bytes.readBigUInt64LE(LAST_PAGE)),
      roots: roots.map(Number),
    },
  };
}

function withFile<T>(path: string, flags: string, use: (file: number) => T): T {
  const file = openSync(path, flags);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
