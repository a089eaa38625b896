import {
  open,
  type Database,
  type DatabaseOptions,
  type Key,
  type RootDatabase,
  type RootDatabaseOptions,
} from 'lmdb';
import { realpathSync, writeSync } from 'node:fs';
import { within } from '../../core/backoff.js';
import { messageOf } from '../../core/errors.js';
import { Claim } from './claim.js';
import { BegunFromOlder, CommitNumber } from './commit-number.js';
import { assertSound } from './data-file.js';
import { assertRoom } from './disk-room.js';
import { Faults, type StoreKind } from './faults.js';
import { dataFile, hasData, makeLockFile, makePrivateFolder, makeStorePrivate } from './folder.js';
import { type Cost, GrowingFile, SMALL } from './growing-file.js';
import { assertMappable, noteMapped } from './mapping.js';

/** Default time limit of a write. */
export const DEADLINE_MS = 5_000;
/**
 * How often a transaction is begun again if it began from an older commit. Once is enough, unless other processes
 * keep opening the environment.
 */
const ATTEMPTS = 20;

export interface OpenOptions extends Pick<
  RootDatabaseOptions,
  'encoding' | 'keyEncoding' | 'eventTurnBatching'
> {
  /** For reads beside a running service: takes no write lock and makes nothing. */
  readonly readOnly?: boolean;
}

export interface WriteOptions {
  /** The largest amount that the effect puts and removes. Default: `SMALL`. */
  readonly cost?: Cost;
  /** `free`: refused if the disk is nearly full. `reserve` (default): for writes that only move or remove data. */
  readonly room?: 'free' | 'reserve';
  /**
   * After this time an effect that has not begun is never run; one that has begun may still be committed. Default
   * 5,000.
   */
  readonly deadlineMs?: number;
}

interface NewestCommit {
  readonly lastTxnId: number;
  readonly lastPageNumber: number;
}

/**
 * An LMDB environment in a private folder. Any number of processes of one host may have it open at once. The stores and
 * the vault open it, check by `assertOwn` and `assertFormat` that it is theirs, open their `table`s, and then `read`
 * and `write`; they call `close` at the end.
 */
export class Environment<Value = unknown, LmdbKey extends Key = Key> {
  private readonly file: GrowingFile;
  private readonly commitNumber: CommitNumber;

  private constructor(
    readonly folder: string,
    readonly root: RootDatabase<Value, LmdbKey>,
    readonly faults: Faults,
    readonly readOnly: boolean,
    private readonly claim: Claim,
  ) {
    this.file = new GrowingFile(dataFile(folder));
    this.commitNumber = CommitNumber.of(folder);
  }

  /**
   * Makes the folder unless it is only read.
   * @param folder as `realFolder` returns it
   * @throws {StoreUnusable} it is damaged, cannot be opened, or its disk is full
   */
  static open<Value, LmdbKey extends Key>(
    folder: string,
    kind: StoreKind,
    { readOnly = false, ...options }: OpenOptions = {},
  ): Environment<Value, LmdbKey> {
    const faults = new Faults(folder, kind);
    let root: RootDatabase<Value, LmdbKey> | undefined;
    let environment: Environment<Value, LmdbKey> | undefined;
    let claim: Claim | undefined;
    try {
      claim = Claim.take(folder);
      assertMappable(folder);
      // LMDB maps the file without checks: damage may end the process by a signal.
      assertSound(dataFile(folder));
      if (!readOnly) makeLockFile(folder);
      root = open<Value, LmdbKey>({
        path: folder,
        noSubdir: false,
        readOnly,
        maxDbs: 8,
        maxReaders: 254,
        // With overlapping flushes a process would read another's write before it is durable. And if a process is
        // killed in such a flush, LMDB confuses its mutex with the writers': another process in a transaction gets
        // MDB_PANIC for good.
        overlappingSync: false,
        ...options,
      });
      const made = (environment = new Environment<Value, LmdbKey>(folder, root, faults, readOnly, claim));
      const { file, commitNumber } = made;
      commitNumber.correct(() => made.lastCommit());
      noteMapped(folder);
      if (!readOnly) {
        if (file.isShort()) root.transactionSync(() => file.restoreLength());
        makeStorePrivate(folder);
      }
      return made;
    } catch (error) {
      (environment ?? root)?.close().catch(() => undefined);
      if (!environment) claim?.release();
      throw faults.notOpened(error);
    }
  }

  /** Runs `use`, and closes the environment if that throws. @throws {StoreUnusable} the failure, in the store's words */
  prepared<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      this.close().catch(() => undefined);
      throw this.faults.notOpened(error);
    }
  }

  /** Opens a table, which is made unless it is only read. @throws {StoreUnusable} a reader found none */
  table<V, K extends Key>(options: DatabaseOptions & { readonly name: string }): Database<V, K> {
    const opened = (): Database<V, K> | undefined => this.root.openDB<V, K>(options);
    const table = this.readOnly ? opened() : this.writeNow(opened);
    if (!table) throw this.faults.missing();
    return table;
  }

  /**
   * Refuses a folder whose tables are another program's: our own first table is made before any other.
   * @param first begins the first table's name
   * @throws {StoreUnusable}
   */
  assertOwn(first: string): void {
    const names = [...this.root.getKeys()].map(String);
    if (names.length > 0 && !names.some((name) => name.startsWith(first)))
      throw this.faults.foreign('its tables are others');
  }

  /**
   * Marks a new store with the format that it is laid out in. Two processes may begin one store at once: the first to
   * get the write lock marks it.
   * @param mark puts the format, and what else a store begins with
   * @throws {StoreUnusable} it has another format, or none
   */
  assertFormat(known: number, read: () => string | undefined, mark: () => void): void {
    if (!this.readOnly && read() === undefined) {
      this.writeNow(() => {
        if (read() === undefined) mark();
      });
    }
    const written = Number(read());
    if (!(written > 0)) throw this.faults.foreign('it has no format');
    if (written !== known) throw this.faults.otherFormat(written, known);
  }

  /**
   * Runs synchronous reads on one snapshot, of the newest state that any process has committed.
   * @throws {StoreUnusable} what was read is damaged
   */
  read<T>(reads: () => T): T {
    try {
      // Otherwise they would use the snapshot of this event turn's first read.
      this.root.resetReadTxn();
      return reads();
    } catch (error) {
      throw this.canRead() ? this.faults.notRead(error) : this.faults.noSnapshot(error);
    }
  }

  /** Whether LMDB can begin a read. If it cannot, a read fails with a `TypeError` of the driver, without the cause. */
  private canRead(): boolean {
    try {
      this.root.useReadTransaction().done();
      return true;
    } catch {
      return false;
    }
  }

  /** Number of the newest committed transaction, of any process. */
  lastCommit(): number {
    return this.newest().lastTxnId;
  }

  /**
   * Runs `effect` in a write transaction; durable when it resolves. It must not throw once it has begun to put: LMDB
   * keeps what was put.
   * @throws the port's error for an unavailable store: the disk is full, or the outcome is unknown
   */
  async write<T>(effect: () => T, options: WriteOptions = {}): Promise<T> {
    const { cost = SMALL, room = 'reserve', deadlineMs = DEADLINE_MS } = options;
    let isLate = false;
    try {
      if (room === 'free') assertRoom(this.folder);
      const commit = this.again(() =>
        this.root.transaction(() => {
          if (isLate) return null;
          this.assertNewest();
          this.makeRoom(cost);
          return { result: effect() };
        }),
      );
      const done = await within(deadlineMs, commit, () => null);
      if (!done) throw this.faults.late(deadlineMs);
      return done.result;
    } catch (error) {
      isLate = true;
      throw this.faults.notWritten(error);
    }
  }

  /** As `write`, blocking the process: for a start that nothing else waits for. */
  writeNow<T>(effect: () => T, cost: Cost = SMALL): T {
    for (let attempt = 1; ; attempt++)
      try {
        return this.root.transactionSync(() => {
          this.assertNewest();
          this.makeRoom(cost);
          return effect();
        });
      } catch (error) {
        if (!(error instanceof BegunFromOlder) || attempt === ATTEMPTS) throw error;
      }
  }

  /** Runs `effect` in a write transaction that stores nothing if it throws. It calls `makeRoom` before its first put. */
  writeWhole<T>(effect: () => T): Promise<T> {
    return this.again(() =>
      this.root.childTransaction(() => {
        this.assertNewest();
        return effect();
      }),
    );
  }

  /** Within a write transaction, before its first put. @throws {DiskFull} */
  makeRoom(cost: Cost): void {
    this.file.makeRoom(cost, this.newest().lastPageNumber);
  }

  /** @throws the port's error for an unavailable store, if the disk is nearly full */
  assertRoom(): void {
    try {
      assertRoom(this.folder);
    } catch (error) {
      throw this.faults.notWritten(error);
    }
  }

  /**
   * Copies the data file as of one moment, beside any writer: writers wait only while its head pages are read. It copies
   * page by page: a compacted copy would have head pages that look like damaged ones.
   * @param target an empty folder
   * @throws Error of the system, if the target cannot be written
   */
  copyTo(target: string): Promise<void> {
    return this.root.backup(target, false);
  }

  /**
   * Closes the files once `pending` and LMDB's own writes have ended. A transaction that waits for another process's
   * lock cannot be cancelled: if it lasts beyond the deadline, the files stay open.
   */
  async close(deadlineMs = DEADLINE_MS, pending: Promise<unknown> = Promise.resolve()): Promise<void> {
    const closing = pending.then(async () => {
      await this.root.close();
      this.file.close();
      this.commitNumber.close();
      this.claim.release();
    });
    await within(deadlineMs, closing, () => undefined).catch(() => undefined);
  }

  /** The newest commit of any process, from the head of the data file. */
  private newest(): NewestCommit {
    // `getStats` has it too, but also walks the list of free pages, and needs a snapshot.
    const { env } = this.root as unknown as { readonly env: { info(): NewestCommit } };
    return env.info();
  }

  /**
   * In a write transaction, before anything is put.
   * @throws {BegunFromOlder} this transaction would overwrite the newest commit; the next one will not
   */
  private assertNewest(): void {
    const newest = this.lastCommit();
    if (this.root.getWriteTxnId() === newest + 1) return;
    this.commitNumber.correct(() => newest);
    throw new BegunFromOlder(newest);
  }

  /**
   * Runs a transaction, again if it had begun from an older commit. Ends the process if LMDB fails to commit, even
   * after the caller's deadline.
   */
  private async again<T>(transaction: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++)
      try {
        return await transaction();
      } catch (error) {
        const isFailedCommit = typeof error === 'object' && error !== null && 'commitError' in error;
        if (isFailedCommit) endProcess(this.folder);
        if (!(error instanceof BegunFromOlder) || attempt === ATTEMPTS) throw error;
      }
  }
}

/**
 * The real path of a store's folder, which is made unless it is only read.
 * @throws {StoreUnusable} it cannot be made, or there is no store to be read
 */
export function realFolder(folder: string, kind: StoreKind, readOnly: boolean): string {
  if (readOnly && !hasData(folder)) throw new Faults(folder, kind).missing();
  try {
    if (!readOnly) makePrivateFolder(folder);
    return realpathSync(folder);
  } catch (error) {
    throw new Faults(folder, kind).unusable(`cannot be made or read (${messageOf(error)}).`, error);
  }
}

/**
 * Ends this process at once, after LMDB failed to commit: its message about that overflows the buffer, and its writing
 * thread may hold a lock for good. It closes nothing and runs no handler, since a usual exit would wait for that
 * thread. Every acknowledged write is on the disk, and the next start finds it.
 */
function endProcess(folder: string): void {
  try {
    writeSync(
      2,
      `The store in ${folder} could not be written, and the process ends: see that its disk has room and works, then start again. Nothing that was acknowledged is lost.\n`,
    );
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
