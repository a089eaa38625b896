import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { hasCode } from '../../core/errors.js';
import { Damaged, NotLmdb } from './faults.js';

/*
 * LMDB maps the file and trusts it: a page beyond the file's end or a wild offset ends the process by a signal, not by
 * an error. So the file is checked before it is mapped: both meta pages, the file's length, every branch page of every
 * tree, and every leaf if the file is small.
 */
const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const HEADER = 24;
const META_SIZE = 168;
// Offsets in a meta page of the fields that are read here (struct MDB_meta behind the page's header).
const AT = {
  flags: 18,
  magic: 24,
  version: 28,
  pageSize: 48,
  free: 48,
  main: 96,
  lastPage: 144,
  transaction: 152,
};
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const META = 0x08;
const BIG_DATA = 0x01;
const SUB_DATABASE = 0x02;
/** Above this many pages, leaves are not read at open (64 MiB of usual pages). */
const ALL_PAGES_UP_TO = 16_384;
/** How often pages are read again that changed while they were checked. */
const ATTEMPTS = 5;
const PAUSE_MS = 10;

/**
 * Checks an LMDB data file before it is opened; a missing one passes.
 * @throws {Damaged} it is cut short, damaged or not an LMDB file
 */
export function assertSound(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    // A process that was killed right after it made the file has left it empty; LMDB initialises an empty file.
    if (size > 0) checkSettled(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Another process may be writing: it reuses freed pages, and a meta page may be read half old and half new. So a
 * damaged file is checked again, and counts as damaged only if nothing was committed meanwhile.
 */
function checkSettled(file: number): void {
  for (let attempt = 1; ; attempt++) {
    const data = new DataFile(file);
    try {
      data.check();
      return;
    } catch (error) {
      pause(PAUSE_MS);
      const inUse = data.changed();
      if (attempt < ATTEMPTS) continue;
      if (inUse) return;
      throw error;
    }
  }
}

/** Blocks the process: nothing is served yet while a store is being opened. */
const pause = (milliseconds: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

interface Tree {
  readonly depth: number;
  readonly root: bigint;
}

class DataFile {
  #pageSize = 0;
  #pages = 0;
  #lastPage = 0n;
  #thorough = true;
  /** The number of the transaction in each head that was read, by the head's offset. */
  readonly #heads = new Map<number, bigint>();

  constructor(private readonly file: number) {}

  check(): void {
    const first = this.#meta(this.#head(0), 0);
    this.#pageSize = first.readUInt32LE(AT.pageSize);
    if (this.#pageSize < 512 || this.#pageSize > 65_536 || (this.#pageSize & (this.#pageSize - 1)) !== 0) {
      throw new Damaged('its page size makes no sense');
    }
    const second = this.#meta(this.#head(this.#pageSize), 1);
    const meta = transactionOf(second) > transactionOf(first) ? second : first;
    this.#assertByTurns(transactionOf(first), transactionOf(second));
    this.#lastPage = meta.readBigUInt64LE(AT.lastPage);
    // After the meta page, since the file grows before it does.
    this.#pages = Math.floor(fstatSync(this.file).size / this.#pageSize);
    // Pages at the end that were freed before they were written may be missing; then every page in use is checked.
    this.#thorough = this.#pages <= ALL_PAGES_UP_TO || BigInt(this.#pages) <= this.#lastPage;
    this.#tree(treeAt(meta, AT.free), false);
    this.#tree(treeAt(meta, AT.main), true);
  }

  /** Whether something was committed since `check` read the meta pages. */
  changed(): boolean {
    return [...this.#heads].some(
      ([offset, transaction]) => transactionOf(this.#bytes(offset, META_SIZE)) !== transaction,
    );
  }

  #head(offset: number): Buffer {
    const head = this.#bytes(offset, META_SIZE);
    this.#heads.set(offset, transactionOf(head));
    return head;
  }

  /**
   * Transactions are written to the two meta pages alternately, even numbers to the first. Other numbers would make
   * LMDB take an older state for the newest: the last acknowledged writes would be lost without an error.
   */
  #assertByTurns(even: bigint, odd: bigint): void {
    if (even < 2n && odd < 2n) return;
    if (even % 2n !== 0n || odd % 2n !== 1n || (even - odd) ** 2n !== 1n) {
      throw new Damaged('its meta pages contradict each other');
    }
  }

  #meta(page: Buffer, index: number): Buffer {
    if (page.readUInt32LE(AT.magic) !== MAGIC || (page.readUInt16LE(AT.flags) & META) === 0) {
      if (index === 0) throw new NotLmdb('its data.mdb is not a database file');
      throw new Damaged('its second meta page is broken');
    }
    if ((page.readUInt32LE(AT.version) & 0xffff) !== DATA_VERSION) {
      throw new NotLmdb('its data.mdb has another file format');
    }
    return page;
  }

  #tree({ root, depth }: Tree, named: boolean): void {
    if (root === NO_PAGE) return;
    if (depth < 1 || depth > 32) throw new Damaged('a tree has no sensible depth');
    this.#page(root, depth, named);
  }

  #page(number: bigint, depth: number, named: boolean): void {
    const leaf = depth === 1;
    const page = this.#read(number, leaf ? LEAF : BRANCH);
    const lower = page.readUInt16LE(20);
    const upper = page.readUInt16LE(22);
    // Offsets within a page are counted from the end of its header.
    if (lower > upper || upper > this.#pageSize - HEADER || lower % 2 !== 0) {
      throw new Damaged(`page ${number} has impossible bounds`);
    }
    const nodes = lower / 2;
    if (nodes < (leaf ? 0 : 2)) throw new Damaged(`page ${number} has too few entries`);
    for (let index = 0; index < nodes; index++) {
      const at = HEADER + page.readUInt16LE(HEADER + 2 * index);
      if (at < HEADER + upper || at + 8 > this.#pageSize)
        throw new Damaged(`page ${number} has a wild entry`);
      const keyEnd = at + 8 + page.readUInt16LE(at + 6);
      if (keyEnd > this.#pageSize) throw new Damaged(`page ${number} has a key beyond its end`);
      if (leaf) this.#leafEntry(page, number, at, keyEnd, named);
      else this.#child(page, at, depth, named);
    }
  }

  #child(page: Buffer, at: number, depth: number, named: boolean): void {
    const child = BigInt(page.readUInt32LE(at)) | (BigInt(page.readUInt16LE(at + 4)) << 32n);
    if (depth > 2 || named || this.#thorough) this.#page(child, depth - 1, named);
    else this.#assertInFile(child);
  }

  #leafEntry(page: Buffer, number: bigint, at: number, keyEnd: number, named: boolean): void {
    const size = page.readUInt32LE(at);
    const flags = page.readUInt16LE(at + 4);
    const inline = (flags & BIG_DATA) === 0;
    if ((flags & ~(BIG_DATA | SUB_DATABASE)) !== 0 || keyEnd + (inline ? size : 8) > this.#pageSize) {
      throw new Damaged(`page ${number} has an entry beyond its end`);
    }
    if (!inline) this.#overflow(page.readBigUInt64LE(keyEnd), size);
    if (named && (flags & SUB_DATABASE) !== 0) {
      if (!inline || size !== 48) throw new Damaged(`page ${number} names a broken table`);
      this.#tree(treeAt(page, keyEnd), false);
    }
  }

  #overflow(number: bigint, size: number): void {
    const pages = this.#read(number, OVERFLOW).readUInt32LE(20);
    if (pages * this.#pageSize < HEADER + size) throw new Damaged(`page ${number} is too short`);
    this.#assertInFile(number + BigInt(pages) - 1n);
  }

  #read(number: bigint, flag: number): Buffer {
    this.#assertInFile(number);
    const page = this.#bytes(Number(number) * this.#pageSize, this.#pageSize);
    if (page.readBigUInt64LE(0) !== number || (page.readUInt16LE(18) & 0xff) !== flag) {
      throw new Damaged(`page ${number} is not what it should be`);
    }
    return page;
  }

  #assertInFile(number: bigint): void {
    if (number < 2n || number > this.#lastPage || number >= BigInt(this.#pages)) {
      throw new Damaged(`page ${number} lies beyond its end: it was cut off`);
    }
  }

  #bytes(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(this.file, bytes, 0, length, offset) !== length) {
      throw new Damaged('data.mdb was cut off');
    }
    return bytes;
  }
}

const transactionOf = (meta: Buffer): bigint => meta.readBigUInt64LE(AT.transaction);

const treeAt = (bytes: Buffer, at: number): Tree => ({
  depth: bytes.readUInt16LE(at + 6),
  root: bytes.readBigUInt64LE(at + 40),
});

/** The part of a data file's head that others use. */
export interface LmdbHead {
  /** Bytes of a page. */
  readonly pageSize: number;
  readonly lastPage: number;
}

/** The length of a data file with all its pages, in bytes. The file may be shorter if its last pages are free. */
export const fullLength = ({ lastPage, pageSize }: LmdbHead): number => (lastPage + 1) * pageSize;

/** The newest of the head's copies, of which LMDB keeps two or three; `null`: no LMDB file. */
export function readHead(file: number): LmdbHead | null {
  const first = metaAt(file, 0);
  if (!first) return null;
  const pageSize = first.readUInt32LE(AT.pageSize);
  const metas = [first, metaAt(file, pageSize / 2), metaAt(file, pageSize)].filter((meta) => meta !== null);
  const newest = metas.reduce((a, b) => (transactionOf(b) > transactionOf(a) ? b : a));
  return {
    pageSize: newest.readUInt32LE(AT.pageSize),
    lastPage: Number(newest.readBigUInt64LE(AT.lastPage)),
  };
}

function metaAt(file: number, offset: number): Buffer | null {
  const meta = Buffer.alloc(META_SIZE);
  const isWhole = readSync(file, meta, 0, META_SIZE, offset) === META_SIZE;
  return isWhole && meta.readUInt32LE(AT.magic) === MAGIC ? meta : null;
}
