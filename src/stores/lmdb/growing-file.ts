import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readHead, fullLength } from './data-file.js';
import { asDiskFull } from './disk-room.js';

const KIB = 1024;
/** Pages of branches, of tables' heads and of the list of free pages, in bytes. */
const EVERY_TRANSACTION = 128 * KIB;
/** A put or a removal rewrites a page, and may split it. */
const EVERY_CHANGE = 8 * KIB;
/** How much more is written than needed, so that not every transaction has to extend the file. */
const AHEAD = { min: 64 * KIB, share: 8, max: 1024 * KIB };

/** The largest amount that a transaction writes. */
export interface Cost {
  /** How many entries are put or removed. */
  readonly changes: number;
  /** The size of all values together. */
  readonly bytes: number;
}

/** The cost of a write of a few small records. */
export const SMALL: Cost = { changes: 8, bytes: 4 * KIB };

/**
 * An LMDB data file that is extended before LMDB needs the blocks. If LMDB itself finds the disk full, it damages the
 * memory of the process: its message about it overflows the buffer.
 */
export class GrowingFile {
  #file: number | null = null;
  #pageSize: number | null = null;
  /** The file's length when it was last read, in bytes. No process makes the file shorter. */
  #length = 0;

  constructor(private readonly path: string) {}

  /**
   * Called in a write transaction, before its first put, when no other process writes to the file. Nothing is
   * overwritten.
   * @param lastPage of the newest commit
   * @throws {DiskFull} there is not enough room
   */
  makeRoom({ changes, bytes }: Cost, lastPage: number): void {
    const file = this.#opened();
    this.#pageSize ??= readHead(file)?.pageSize ?? null;
    if (this.#pageSize === null) return;
    const used = fullLength({ lastPage, pageSize: this.#pageSize });
    // A transaction rewrites at most all existing pages.
    const need = EVERY_TRANSACTION + 2 * bytes + Math.min(changes * EVERY_CHANGE, used);
    if (this.#length - used >= need) return;
    this.#length = fstatSync(file).size;
    if (this.#length - used >= need) return;
    const ahead = Math.min(AHEAD.max, Math.max(AHEAD.min, used / AHEAD.share));
    try {
      extend(file, this.#length, Math.ceil((used + need + ahead) / this.#pageSize) * this.#pageSize);
    } catch (error) {
      if (fstatSync(file).size - used < need) throw asDiskFull(dirname(this.path), error);
    }
  }

  /** Whether the file ends before the last page that its head names. It may, if its last pages are free. */
  isShort(): boolean {
    return this.#missing() > 0;
  }

  /**
   * Gives a short file the length that its head names; called under LMDB's write lock. If the file was cut, LMDB then
   * reads empty pages and reports them; missing pages would end the process.
   */
  restoreLength(): void {
    const missing = this.#missing();
    if (missing > 0) ftruncateSync(this.#opened(), fstatSync(this.#opened()).size + missing);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #missing(): number {
    const head = readHead(this.#opened());
    return head ? fullLength(head) - fstatSync(this.#opened()).size : 0;
  }

  #opened(): number {
    return (this.#file ??= openSync(this.path, 'r+'));
  }
}

/** Writes zeros: a file that is only truncated to a greater length has no blocks. */
function extend(file: number, from: number, to: number): void {
  const zeros = Buffer.alloc(Math.min(to - from, AHEAD.max));
  for (let at = from; at < to;) at += writeSync(file, zeros, 0, Math.min(zeros.length, to - at), at);
}
