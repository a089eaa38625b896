import { closeSync, openSync, readSync } from 'node:fs';

// Where LMDB's head pages keep what is asked here (struct MDB_meta behind a page header of 24 bytes).
const HEAD_BYTES = 160;
const MAGIC = 24;
const PAGE_SIZE = 48;
const LAST_PAGE = 144;
const TRANSACTION = 152;
const LMDB = 0xbeefc0de;

/** What an LMDB data file says of itself. */
export interface LmdbHead {
  /** In bytes. */
  readonly pageSize: number;
  readonly lastPage: number;
}

/** How long an LMDB data file is at least, in bytes, unless its last pages are free. */
export const toldLength = ({ lastPage, pageSize }: LmdbHead): number => (lastPage + 1) * pageSize;

/** The newest of the head's copies, of which LMDB keeps two or three; `null`: no LMDB file. */
export function readHead(file: number): LmdbHead | null {
  const first = readCopy(file, 0);
  if (!first) return null;
  const size = first.head.pageSize;
  const copies = [first, readCopy(file, size / 2), readCopy(file, size)].filter((copy) => copy !== null);
  return copies.reduce((a, b) => (b.transaction > a.transaction ? b : a)).head;
}

function readCopy(
  file: number,
  at: number,
): { readonly transaction: bigint; readonly head: LmdbHead } | null {
  const bytes = Buffer.alloc(HEAD_BYTES);
  if (readSync(file, bytes, 0, HEAD_BYTES, at) < HEAD_BYTES || bytes.readUInt32LE(MAGIC) !== LMDB)
    return null;
  return {
    transaction: bytes.readBigUInt64LE(TRANSACTION),
    head: {
      pageSize: bytes.readUInt32LE(PAGE_SIZE),
      lastPage: Number(bytes.readBigUInt64LE(LAST_PAGE)),
    },
  };
}

/** Opens, works, closes. */
export function withFile<T>(path: string, flags: string, use: (file: number) => T): T {
  const file = openSync(path, flags);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
