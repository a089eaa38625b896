import {
  type Position,
  type RecordedEvent,
  START,
  assertOneStart,
  type ReadAllOptions,
} from '../../core/event-store.js';
import { anySignal } from '../../core/signals.js';
import { AsyncQueue } from './async-queue.js';
import type { RawEvent } from './drivers/driver.js';
import { Cancelled, TimedOut, storeFault } from './faults.js';
import { PAGE_BYTES, PAGE_EVENTS } from './reading.js';
import { isKnown, ownStream, toPosition, toRaw, toRecorded, missingPosition, weightOf } from './record.js';
import type { Server } from './server.js';

const BEGINNING = { commit: 0n, prepare: 0n };

/**
 * A page of the log's events in order, read by one call that begins with the construction. The call does not wait for
 * the consumer, so that the deadline holds. Call `take` until it returns `null`; the next page then begins at
 * `scanned`, if `more`.
 */
export class Page {
  /** The position up to which `$all` was read, events of other logs included. */
  scanned: Position;
  /** Whether the log may have events after `scanned`. */
  more = false;
  readonly #events = new AsyncQueue<RecordedEvent>();
  readonly #start: Position;
  readonly #count: number;
  #read = 0;
  #bytes = 0;
  /** How many more events of this log the page may have. */
  #left: number;
  #takesStart: boolean;
  #isEnded = false;
  #fault: Error | null = null;

  /**
   * @param at where the page begins
   * @param limit most events of this log
   * @param signal its abort ends the call; the page then has a fault
   * @param inclusive whether an event at exactly `at` is part of the page
   */
  constructor(
    private readonly server: Server,
    at: Position,
    limit: number,
    private readonly signal: AbortSignal,
    inclusive = false,
  ) {
    // No event of a stream is at `origin`, so a page that excludes it misses none.
    this.#start = at > server.origin ? at : server.origin;
    this.scanned = this.#start;
    this.#takesStart = inclusive;
    this.#left = limit;
    // The server begins with the event at the position, if there is one.
    this.#count = Math.min(limit + 1, PAGE_EVENTS);
    const from = toRaw(this.#start) ?? BEGINNING;
    const options = { from, direction: 'forwards', count: this.#count } as const;
    const { bulk, limits } = server;
    const call = bulk.run(
      'read',
      limits.pageDeadlineMs,
      (client) => client.readAll(options, (raw) => this.#event(raw)),
      signal,
    );
    // `run` ends late if it waits for a slot: this ends the page at once. One listener for the page: one for each `take`
    // would cost more than the events.
    signal.addEventListener('abort', this.#cancel);
    if (signal.aborted) this.#cancel();
    call.then(
      () => this.#end(null),
      (error: unknown) => this.#end(error),
    );
  }

  /** The events that have come; `null` at the page's end. @throws {StoreUnavailable} it could not be read to its end */
  async take(): Promise<readonly RecordedEvent[] | null> {
    const events = await this.#events.take();
    if (events !== null) return events;
    if (this.#fault) throw this.#fault;
    return null;
  }

  /** @returns whether to read on */
  #event(raw: RawEvent): boolean {
    this.#read++;
    if (this.#isEnded) return false;
    // Read on to the call's end, so that `#read` shows whether the log may have more events.
    if (this.#left === 0) return true;
    if (!isKnown(raw.position)) {
      this.#fault = storeFault(this.server, missingPosition(raw));
      return false;
    }
    const position = toPosition(raw.position);
    if (position < this.scanned || (position === this.scanned && !this.#takesStart)) return true;
    this.#takesStart = false;
    this.scanned = position;
    const stream = ownStream(this.server.names, raw);
    if (stream === null) return true;
    const event = toRecorded(stream, position, raw);
    this.server.head.reached(position);
    this.#left--;
    this.#bytes += weightOf(event);
    this.#events.put(event);
    return this.#bytes < PAGE_BYTES;
  }

  readonly #cancel = (): void => this.#end(new Cancelled());

  #end(error: unknown): void {
    if (this.#isEnded) return;
    this.signal.removeEventListener('abort', this.#cancel);
    // After the deadline, the received events are a shorter page: so a slow connection can still read the whole log.
    const late = error instanceof TimedOut && this.scanned > this.#start;
    if (error && !late) this.#fault ??= storeFault(this.server, error);
    this.more = this.#read === this.#count || this.#bytes >= PAGE_BYTES || late;
    this.#isEnded = true;
    this.#events.end();
  }
}

/**
 * The log's events in order up to its end, by pages.
 * @param open called before each page; throws if the store was closed
 * @throws {StoreUnavailable} a page could not be read to its end
 * @throws {RangeError} the position is not of this adapter
 * @throws {TypeError} the options have two beginnings
 */
export async function* readLog(
  open: () => Server,
  options: ReadAllOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  assertOneStart(options);
  const { from, after = START, limit = Infinity } = options;
  let scanned = from ?? after;
  let inclusive = from !== undefined;
  // Throws if it is not a position of this adapter.
  toRaw(scanned);
  const reading = anySignal(open().closing);
  let left = limit;
  try {
    for (let more = left > 0; more;) {
      const page = new Page(open(), scanned, left, reading.signal, inclusive);
      for (let events = await page.take(); events !== null; events = await page.take()) {
        left -= events.length;
        for (const event of events) yield event;
      }
      scanned = page.scanned;
      inclusive = false;
      more = page.more && left > 0;
    }
  } finally {
    reading.end();
  }
}
