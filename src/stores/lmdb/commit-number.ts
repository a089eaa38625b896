import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { hasCode } from '../../core/errors.js';
import { lockFile } from './folder.js';
import { OncePerFolder } from './once-per-folder.js';

/** Offset and length of the newest commit's number in a lock file (struct MDB_txbody), in bytes. */
const AT = 8;
const BYTES = 8;

/** A write transaction did not begin from the newest commit. */
export class BegunFromOlder extends Error {
  constructor(newest: number) {
    super(`lock.mdb does not have the number of the newest commit, ${newest}`);
  }
}

/**
 * The number of the newest commit in the lock file, from which LMDB begins each transaction.
 *
 * A process that opens an environment writes the number that it has read just before, and so sets it back if another
 * process commits in between (`mdb_env_open2`; fixed in LMDB 0.9.29 as ITS#9496, but the package lmdb is built from a
 * branch with the former code). The next write transaction then begins without the newest commit, and writes over it.
 * So an opener corrects the number, and each write transaction compares the number it began from with the data file's.
 */
export class CommitNumber {
  private constructor(private readonly file: number | null) {}

  /**
   * Called once LMDB has opened the lock file. The file stays open as long as the environment: if a process closes any
   * of its handles on a file, the system releases all its locks on that file, LMDB's too.
   */
  static of(folder: string): CommitNumber {
    return OPEN.acquire(folder, () => new CommitNumber(opened(lockFile(folder))));
  }

  /** Called once LMDB has closed the environment. */
  close(): void {
    if (OPEN.release(this) && this.file !== null) closeSync(this.file);
  }

  /**
   * Makes the next transaction begin from the newest commit.
   * @param newest reads that commit's number from the data file; called again, as other processes may commit meanwhile
   */
  correct(newest: () => number): void {
    if (this.file === null) return;
    const bytes = Buffer.alloc(BYTES);
    for (let number = newest(), former = -1; number !== former; [former, number] = [number, newest()]) {
      readSync(this.file, bytes, 0, BYTES, AT);
      if (Number(bytes.readBigUInt64LE()) >= number) continue;
      bytes.writeBigUInt64LE(BigInt(number));
      writeSync(this.file, bytes, 0, BYTES, AT);
    }
  }
}

const OPEN = new OncePerFolder<CommitNumber>();

/** `null` if the file cannot be written, or made: then LMDB has not written to it either. */
const opened = (path: string): number | null => {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    // On a medium that may only be read, LMDB does without a lock file.
    if (['EROFS', 'EACCES', 'ENOENT'].some((code) => hasCode(error, code))) return null;
    throw error;
  }
};
