/*
 * lmdb/log/: the event log in an LMDB environment, for all processes of one host. It promises what `EventStore` does. It
 * may assume that a transaction is stored whole or not at all (`environment`). Order: `openEmbeddedLog` opens a folder
 * once for each process; an append is encoded (`record`), queued, and written with others in one transaction
 * (`appending`); reads take a page at a time (`reading`); a live feed reads pages and waits at the log's end (`tail`).
 */
import { AppendRefused } from '../../../core/errors.js';
import {
  type Appended,
  type Conflict,
  type EncodedEvent,
  type EventStore,
  type Expected,
  type FeedItem,
  type LogId,
  type Position,
  type RecordedEvent,
  START,
  type StreamName,
  assertOneStart,
  type ReadAllOptions,
  isStreamName,
} from '../../../core/event-store.js';
import { DEADLINE_MS } from '../environment.js';
import { OncePerFolder } from '../once-per-folder.js';
import { AppendQueue, type Failpoint, prepare } from './appending.js';
import { LogReader } from './reading.js';
import { toPosition, toSequence } from './record.js';
import { logFolder, openTables, type Tables, beginLife } from './tables.js';
import { AppendNotice, Tail } from './tail.js';

/** The event store in a folder, with operations that only an embedded log has. */
export interface EmbeddedEventStore extends EventStore {
  /** The folder's real path. */
  readonly folder: string;
  /**
   * Compares every event with its checksum and with the index of streams.
   * @throws {StoreUnusable} another program has changed the files
   */
  verify(): Promise<{ readonly events: number }>;
}

type StreamOptions = NonNullable<Parameters<EventStore['readStream']>[1]>;

export interface EmbeddedLogOptions {
  /** For an operator's reads beside a running service: never takes the write lock, refuses to append. */
  readonly readOnly?: boolean;
  /** How long an append may take before it fails with `StoreUnavailable`, in milliseconds. Default 5,000. */
  readonly deadlineMs?: number;
  /** The stream that may be appended to while only the disk's reserve is free. Default: none. */
  readonly reserveFor?: StreamName;
  /** Called at every step of an append; for tests. Only the first handle of a process on a folder can set it. */
  readonly failpoint?: Failpoint;
}

/** One handle on the log of a folder. */
class EmbeddedLog implements EmbeddedEventStore {
  readonly folder: string;
  readonly logId: LogId;
  readonly life: LogId;
  readonly #deadlineMs: number;
  #closed: Promise<void> | null = null;

  constructor(
    private readonly log: SharedLog,
    private readonly options: EmbeddedLogOptions,
  ) {
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.folder = log.tables.environment.folder;
    this.logId = log.tables.logId;
    this.life = log.tables.life;
  }

  async append(
    stream: StreamName,
    expected: Expected,
    events: readonly EncodedEvent[],
  ): Promise<Appended | Conflict> {
    if (this.options.readOnly) throw new AppendRefused('The event log was opened for reading only.');
    const append = prepare(stream, expected, events);
    // Throws if this handle is closed.
    this.#reader();
    if (stream !== this.options.reserveFor) this.log.tables.environment.assertRoom();
    return this.log.queue.append(append, this.#deadlineMs);
  }

  async *readStream(
    stream: StreamName,
    { from, direction = 'forward', limit = Infinity }: StreamOptions = {},
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    if (!isStreamName(stream)) return;
    const forward = direction === 'forward';
    const first = Math.max(0, from ?? 0);
    // Usually the stream has no event after the caller's revision: one look-up is much cheaper than the search for the
    // last revision.
    if (forward && first > 0 && !this.#reader().has(stream, first)) return;
    const last = this.#reader().lastRevision(stream);
    if (last === null) return;
    let next = forward ? first : Math.max(0, Math.min(from ?? last, last));
    if (!forward && from !== undefined && from < 0) return;
    const span = Math.min(limit, forward ? last - next + 1 : next + 1);
    const step = forward ? 1 : -1;
    for (let left = span; left > 0;) {
      const page = this.#reader().ofStream(stream, next, next + step * (left - 1), step);
      yield* page;
      left -= page.length;
      next += step * page.length;
    }
  }

  async *readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent, void, undefined> {
    assertOneStart(options);
    const { after = START, from, limit = Infinity } = options;
    let last = from === undefined ? toSequence(after) : Math.max(0, toSequence(from) - 1);
    for (let left = limit; left > 0;) {
      const page = this.#reader().after(last, left);
      if (page.length === 0) return;
      yield* page;
      last += page.length;
      left -= page.length;
    }
  }

  async *subscribeToAll({
    after,
    signal,
  }: {
    after?: Position;
    signal: AbortSignal;
  }): AsyncGenerator<FeedItem, void, undefined> {
    let last = toSequence(after ?? toPosition(0));
    let position = toPosition(last);
    let liveAt: number | null = this.#reader().head();
    const stopped = (): boolean => signal.aborted;
    while (!stopped()) {
      if (liveAt !== null && last >= liveAt) {
        liveAt = null;
        yield { kind: 'live' };
        continue;
      }
      const page = this.#reader().after(last, Infinity);
      for (const event of page) {
        if (stopped()) return;
        yield { kind: 'event', after: position, position: event.position, event };
        position = event.position;
        last++;
        if (last === liveAt) break;
      }
      if (page.length === 0) await this.log.tail.wait(last, signal);
    }
  }

  async head(): Promise<Position> {
    return toPosition(this.#reader().head());
  }

  readonly ordinalUnit = 'events';

  ordinal(position: Position): number {
    return toSequence(position);
  }

  async verify(): Promise<{ readonly events: number }> {
    return this.#reader().verify();
  }

  close(): Promise<void> {
    this.#closed ??= this.log.release(this.#deadlineMs);
    return this.#closed;
  }

  #reader(): LogReader {
    if (this.#closed) throw this.log.tables.environment.faults.closed();
    return this.log.reader;
  }
}

const OPEN = new OncePerFolder<SharedLog>();

/** Shared by all handles of this process on one folder: one queue stores the appends of all writers. */
class SharedLog {
  readonly reader: LogReader;
  readonly tail: Tail;
  readonly queue: AppendQueue;

  private constructor(
    readonly tables: Tables,
    failpoint: Failpoint | undefined,
  ) {
    this.reader = new LogReader(tables);
    const { folder, readOnly } = tables.environment;
    this.tail = new Tail(() => this.reader.head(), new AppendNotice(folder, readOnly));
    this.queue = new AppendQueue(tables, (head) => this.tail.appended(head), failpoint);
  }

  /** @throws {StoreUnusable} see `openEmbeddedLog` */
  static acquire(folder: string, readOnly: boolean, failpoint: Failpoint | undefined): SharedLog {
    const path = logFolder(folder, readOnly);
    const log = OPEN.acquire(path, () => new SharedLog(openTables(path, readOnly), failpoint));
    const { environment } = log.tables;
    if (readOnly || !environment.readOnly) return log;
    OPEN.release(log);
    throw environment.faults.unusable('is open in this process for reading only.');
  }

  /** The last handle closes the files. Writes that are under way end first, unless the deadline passes. */
  async release(deadlineMs: number): Promise<void> {
    if (!OPEN.release(this)) return;
    this.tail.close();
    await this.tables.environment.close(deadlineMs, this.queue.whenIdle());
  }
}

/**
 * Opens the event log in a folder, or makes it. All processes, the operator's included, open it this way; any number of
 * them on one host may have it open at once.
 * @throws {StoreUnusable} the folder is damaged, of a newer version, not ours, or cannot be made
 */
export async function openEmbeddedLog(
  folder: string,
  options: EmbeddedLogOptions = {},
): Promise<EmbeddedEventStore> {
  const { readOnly = false, failpoint } = options;
  return new EmbeddedLog(SharedLog.acquire(folder, readOnly, failpoint), options);
}

/**
 * Gives a log that was restored from a backup another `life`, so that views and tokens from before the restore are no
 * longer valid.
 * @param folder the log's, which no process has open
 * @throws {StoreUnusable} there is no log, or it is damaged
 */
export async function beginNewLife(folder: string): Promise<void> {
  const { environment } = openTables(logFolder(folder, false), false);
  try {
    beginLife(environment);
  } finally {
    await environment.close();
  }
}

/**
 * Copies a log's data file as of one moment, beside any writer.
 * @param folder the log's, which this process does not have open
 * @param target an empty folder
 * @throws {StoreUnusable} there is no log, or it is damaged
 * @throws Error of the system, if the target cannot be written
 */
export async function copyLog(folder: string, target: string): Promise<void> {
  const { environment } = openTables(logFolder(folder, true), true);
  try {
    await environment.copyTo(target);
  } finally {
    await environment.close();
  }
}
