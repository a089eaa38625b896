import { assertRoom } from '../disk-room.js';
import { AppendRefused, StoreUnavailable } from '../../../core/errors.js';
import {
  START,
  type Appended,
  type Conflict,
  type EncodedEvent,
  type EventStore,
  type Expected,
  type FeedItem,
  type LogId,
  type Position,
  type RecordedEvent,
  type StreamName,
} from '../../../core/event-store.js';
import { assertOneStart, type ReadAllOptions } from '../../../core/read-all.js';
import { isStreamName } from '../../../core/stream-name.js';
import type { EmbeddedEventStore } from './embedded-event-store.js';
import { commitFault } from './faults.js';
import { toPosition, toSequence } from './position.js';
import { prepare } from './prepare.js';
import type { LogReader } from './reading.js';
import type { SharedLog } from './shared-log.js';

type StreamOptions = NonNullable<Parameters<EventStore['readStream']>[1]>;

interface LogOptions {
  readonly readOnly: boolean;
  readonly deadlineMs: number;
  readonly usesKeptBack: (stream: StreamName) => boolean;
}

/** One handle on the log of a folder. */
export class EmbeddedLog implements EmbeddedEventStore {
  readonly folder: string;
  readonly logId: LogId;
  #closed: Promise<void> | null = null;

  constructor(
    private readonly log: SharedLog,
    private readonly options: LogOptions,
  ) {
    this.folder = log.tables.folder;
    this.logId = log.tables.logId;
  }

  async append(
    stream: StreamName,
    expected: Expected,
    events: readonly EncodedEvent[],
  ): Promise<Appended | Conflict> {
    if (this.options.readOnly) throw new AppendRefused('The event log was opened for reading only.');
    const append = prepare(stream, expected, events);
    this.#reader();
    if (!this.options.usesKeptBack(stream)) this.#assertRoom();
    return this.log.queue.append(append, this.options.deadlineMs);
  }

  async *readStream(
    stream: StreamName,
    { from, direction = 'forward', limit = Infinity }: StreamOptions = {},
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    const last = isStreamName(stream) ? this.#reader().lastRevision(stream) : null;
    if (last === null) return;
    const forward = direction === 'forward';
    let next = Math.max(0, forward ? (from ?? 0) : Math.min(from ?? last, last));
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

  ordinal(position: Position): number {
    return toSequence(position);
  }

  async verify(): Promise<{ readonly events: number }> {
    return this.#reader().verify();
  }

  close(): Promise<void> {
    this.#closed ??= this.log.release(this.options.deadlineMs);
    return this.#closed;
  }

  #assertRoom(): void {
    try {
      assertRoom(this.folder);
    } catch (error) {
      throw commitFault(this.folder, error);
    }
  }

  #reader(): LogReader {
    if (this.#closed) throw new StoreUnavailable(`The event log in ${this.folder} was closed.`);
    return this.log.reader;
  }
}
