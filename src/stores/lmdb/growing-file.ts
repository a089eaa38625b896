import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readHead, fullLength } from './data-file.js';
import { asDiskFull } from './disk-room.js';

const KIB = 1024;
/** Pages of branches, of tables' heads and of the list of free pages, in bytes. */
const EVERY_TRANSACTION = 128 * KIB;
/** A put or a removal writes a page anew, and may split it. */
const EVERY_CHANGE = 8 * KIB;
/** What is written beyond the need, so that not every transaction has to. */
const AHEAD = { min: 64 * KIB, share: 8, max: 1024 * KIB };

/** What a transaction is going to write, at most. */
export interface Cost {
  /** How many entries are put or removed. */
  readonly changes: number;
  /** The size of all values together. */
  readonly bytes: number;
}

/** The cost of a write of a few small records. */
export const SMALL: Cost = { changes: 8, bytes: 4 * KIB };

/**
 * An LMDB data file that is made longer before LMDB needs it. A disk that LMDB itself finds full damages the memory of
 * the process: its own message about it is longer than the room that it has for it. So the blocks are there before.
 */
export class GrowingFile {
  #file: number | null = null;
  #pageSize: number | null = null;
  /** The file's length when it was last read, in bytes. No process makes the file shorter. */
  #length = 0;

  constructor(private readonly path: string) {}

  /**
   * Called in a write transaction, before its first put, when no other process writes to the file. Nothing is overwritten.
   * @param lastPage of the newest commit
   * @throws {DiskFull} there is no room for so much
   */
  makeRoom({ changes, bytes }: Cost, lastPage: number): void {
    const file = this.#opened();
    this.#pageSize ??= readHead(file)?.pageSize ?? null;
    if (this.#pageSize === null) return;
    const used = fullLength({ lastPage, pageSize: this.#pageSize });
    // No transaction writes more pages anew than there are.
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
   * finds empty pages, which it reports, rather than none, which would end the process.
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

/** Writes zeros: a file that was only made longer has no blocks yet. */
function extend(file: number, from: number, to: number): void {
  const zeros = Buffer.alloc(Math.min(to - from, AHEAD.max));
  for (let at = from; at < to;) at += writeSync(file, zeros, 0, Math.min(zeros.length, to - at), at);
}
