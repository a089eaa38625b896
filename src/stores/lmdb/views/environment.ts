import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { assertRoom, DiskFull } from '../disk-room.js';
import { type Cost, GrowingFile, SMALL } from '../growing-file.js';
import { makeLockFile } from '../lock-file.js';
import { privateFolder, privateStore } from '../private.js';
import { guarded } from '../store-lost.js';
import { StoreUnusable } from '../../../core/errors.js';
import { assertWhole, isShort, restoreLength } from './data-file.js';
import { remedy, sentence, tooLate, translated } from './faults.js';

/** Raised with every change of how documents, entries or registers are laid out. */
const FORMAT = 2;
const FORMAT_KEY = Buffer.from('format');
const REGISTERS = 'registers';

export interface EmbeddedReadStoreOptions {
  /** How long a write may take before it is given up with `ReadStoreUnavailable`, in milliseconds. Default 5,000. */
  readonly deadline?: number;
  /** For operators' reads beside a running service: takes no write lock, refuses to write. */
  readonly readOnly?: boolean;
}

export interface WriteOptions {
  /** What is put and removed, at most. */
  readonly cost?: Cost;
  /** `free`: not where the disk is as good as full. What only moves or removes may use what is `kept back`. */
  readonly room?: 'free' | 'kept back';
}

/** One folder's LMDB environment, shared by all handles of this process: LMDB wants a folder opened once in each. */
export class Environment {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #file: GrowingFile;
  #users = 1;

  private constructor(
    readonly folder: string,
    readonly readOnly: boolean,
    root: RootDatabase<Buffer, Buffer>,
    readonly documents: Database<Buffer, Buffer>,
    /** A document's keys in its indexes, to its key within its generation. */
    readonly entries: Database<Buffer, Buffer>,
    /** Checkpoints, leases, pointers and numbers. */
    readonly registers: Database<Buffer, Buffer>,
  ) {
    this.#root = root;
    this.#file = new GrowingFile(join(folder, 'data.mdb'));
  }

  static #open = new Map<string, Environment>();

  /** @throws {StoreUnusable} the folder cannot be used: the sentence says why and what to do */
  static acquire(folder: string, readOnly: boolean): Environment {
    const path = prepare(folder, readOnly);
    const key = `${path}\0${readOnly ? 'r' : 'w'}`;
    const shared = Environment.#open.get(key);
    if (shared) {
      shared.#users++;
      return shared;
    }
    const opened = Environment.#start(path, readOnly);
    Environment.#open.set(key, opened);
    return opened;
  }

  static #start(folder: string, readOnly: boolean): Environment {
    let root: RootDatabase<Buffer, Buffer> | undefined;
    try {
      assertWhole(folder);
      if (!readOnly) makeLockFile(folder);
      root = open<Buffer, Buffer>({
        path: folder,
        noSubdir: false,
        readOnly,
        maxDbs: 8,
        maxReaders: 254,
        // By default commits are flushed under a mutex of their own. Where a process is killed in it, LMDB takes its
        // mutex for that of writers: another process, in the middle of a transaction, has its environment end in
        // MDB_PANIC for good.
        overlappingSync: false,
        encoding: 'binary',
        keyEncoding: 'binary',
      });
      if (!readOnly && isShort(folder)) root.transactionSync(() => restoreLength(folder));
      assertOurs(folder, root);
      if (!readOnly) privateStore(folder);
      const registers = database(root, folder, REGISTERS);
      assertFormat(folder, registers, readOnly);
      const documents = database(root, folder, 'documents');
      const entries = database(root, folder, 'entries');
      return new Environment(folder, readOnly, root, documents, entries, registers);
    } catch (error) {
      root?.close().catch(() => undefined);
      if (error instanceof StoreUnusable) throw error;
      if (error instanceof DiskFull) throw new StoreUnusable(error.message, { cause: error });
      throw new StoreUnusable(
        `The read store in ${folder} cannot be opened (${sentence(error)}). ${remedy(folder)}`,
        {
          cause: error,
        },
      );
    }
  }

  /** Reads see every write that any process has committed, not what stood at this event turn's first read. */
  refresh(): void {
    this.#root.resetReadTxn();
  }

  /** Number of the newest committed transaction, by whatever process. */
  lastCommit(): number {
    return (this.#root.getStats() as { readonly lastTxnId: number }).lastTxnId;
  }

  /**
   * Runs `effect` in a write transaction. It must not throw once it has begun to put: LMDB keeps what was put.
   * An effect that has not begun by the deadline never will; one that has may still be committed afterwards.
   */
  async transact<T>(effect: () => T, deadline: number, options: WriteOptions = {}): Promise<T> {
    const { cost = SMALL, room = 'kept back' } = options;
    let expired = false;
    try {
      if (room === 'free') assertRoom(this.folder);
      const transaction = this.#root.transaction(() => {
        if (expired) return null;
        this.#file.makeRoom(cost);
        return { result: effect() };
      });
      const done = await within(this.folder, deadline, guarded(this.folder, transaction));
      if (!done) throw tooLate(this.folder);
      return done.result;
    } catch (error) {
      expired = true;
      throw translated(this.folder, error);
    }
  }

  /** The last handle's closing lets go of the folder; pending writes settle first, as far as the deadline allows. */
  async release(deadline: number): Promise<void> {
    if (--this.#users > 0) return;
    for (const [key, environment] of Environment.#open) {
      if (environment === this) Environment.#open.delete(key);
    }
    const closed = this.#root.close();
    await within(this.folder, deadline, closed).catch(() => undefined);
    this.#file.close();
  }
}

function prepare(folder: string, readOnly: boolean): string {
  if (readOnly) {
    if (!existsSync(join(folder, 'data.mdb')))
      throw new StoreUnusable(`There is no read store in ${folder}.`);
    return realpathSync(folder);
  }
  try {
    privateFolder(folder);
    return realpathSync(folder);
  } catch (error) {
    throw new StoreUnusable(`The folder ${folder} cannot be made or read (${sentence(error)}).`, {
      cause: error,
    });
  }
}

/** @throws {StoreUnusable} a reader found the store before its first writer had made it */
function database(
  root: RootDatabase<Buffer, Buffer>,
  folder: string,
  name: string,
): Database<Buffer, Buffer> {
  const opened = root.openDB<Buffer, Buffer>({ name, encoding: 'binary', keyEncoding: 'binary' }) as
    Database<Buffer, Buffer> | undefined;
  if (!opened) throw new StoreUnusable(`There is no read store in ${folder} yet.`);
  return opened;
}

function assertFormat(folder: string, registers: Database<Buffer, Buffer>, readOnly: boolean): void {
  if (!readOnly && !registers.doesExist(FORMAT_KEY)) {
    registers.transactionSync(() => {
      if (!registers.doesExist(FORMAT_KEY)) void registers.put(FORMAT_KEY, Buffer.from(String(FORMAT)));
    });
  }
  const written = Number(registers.getBinary(FORMAT_KEY)?.toString() ?? Number.NaN);
  if (written === FORMAT) return;
  if (!Number.isSafeInteger(written)) throw new StoreUnusable(notOurs(folder));
  if (written < FORMAT) {
    throw new StoreUnusable(
      `The read store in ${folder} was written by an older version (format ${written}, this one knows ${FORMAT}) ` +
        `and cannot be read any more. ${remedy(folder)}`,
    );
  }
  throw new StoreUnusable(
    `The read store in ${folder} was written by a newer version (format ${written}, this one knows ${FORMAT}). ` +
      `Run that version, or begin anew: ${remedy(folder)}`,
  );
}

/** Our first database is there before any other is made, so a folder that has others only is somebody else's. */
function assertOurs(folder: string, root: RootDatabase<Buffer, Buffer>): void {
  const names = [...root.getKeys()].map((key) => key.toString());
  if (names.length > 0 && !names.some((name) => name.startsWith(REGISTERS)))
    throw new StoreUnusable(notOurs(folder));
}

const notOurs = (folder: string): string =>
  `What lies in ${folder} is no read store of this service: give it a folder of its own.`;

async function within<T>(folder: string, milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate(folder)), milliseconds);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
