/*
 * eventstoredb/: the event log in EventStoreDB or KurrentDB. It promises what `EventStore` does. It may assume that the
 * server stores events with the same ids at the same place once. Order: `open` parses the `url`, loads a client
 * (`drivers`), connects (`connection`) and finds or begins the log; then `appending` appends, `reading` reads streams,
 * `page` reads the whole log and `feed` follows it; `record` converts events and positions, `faults` errors.
 */
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
  type ReadAllOptions,
} from '../../core/event-store.js';
import { append, prepare } from './appending.js';
import { closedError, storeFault } from './faults.js';
import { LogFeed } from './feed.js';
import { readLog } from './page.js';
import { readStream } from './reading.js';
import { toRaw } from './record.js';
import type { Server } from './server.js';

/** One handle on a log at an EventStoreDB server. */
export class EventStoreDbStore implements EventStore {
  readonly logId: LogId;
  readonly life: LogId;
  readonly #appending = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  constructor(
    private readonly server: Server,
    private readonly closing: AbortController,
  ) {
    this.logId = server.logId;
    this.life = server.logId;
  }

  async append(
    stream: StreamName,
    expected: Expected,
    events: readonly EncodedEvent[],
  ): Promise<Appended | Conflict> {
    const prepared = prepare(stream, expected, events);
    const outcome = append(this.#open(), prepared);
    this.#appending.add(outcome);
    try {
      return await outcome;
    } finally {
      this.#appending.delete(outcome);
    }
  }

  async *readStream(
    stream: StreamName,
    options: Parameters<EventStore['readStream']>[1] = {},
  ): AsyncGenerator<RecordedEvent, void, undefined> {
    yield* readStream(this.#open(), stream, options);
  }

  readAll(options: ReadAllOptions = {}): AsyncGenerator<RecordedEvent, void, undefined> {
    return readLog(() => this.#open(), options);
  }

  subscribeToAll({
    after = START,
    signal,
  }: {
    after?: Position;
    signal: AbortSignal;
  }): AsyncGenerator<FeedItem, void, undefined> {
    return new LogFeed(this.server, after, signal).items();
  }

  async head(): Promise<Position> {
    const server = this.#open();
    try {
      return await server.head.find();
    } catch (error) {
      throw storeFault(server, error);
    }
  }

  readonly ordinalUnit = 'bytes';

  ordinal(position: Position): number {
    return Number(toRaw(position)?.commit ?? 0n);
  }

  get silentFeeds(): number {
    return this.server.counts.silentFeeds;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // Appends that have begun end first, within their deadlines.
    while (this.#appending.size > 0) await Promise.allSettled(this.#appending);
    this.closing.abort();
    await Promise.all([this.server.interactive.close(), this.server.bulk.close()]);
  }

  #open(): Server {
    if (this.#closed) throw closedError(this.server.address);
    return this.server;
  }
}
