import {
  type Position,
  type RecordedEvent,
  START,
  assertOneStart,
  type ReadAllOptions,
} from '../../core/event-store.js';
import { joined } from '../../core/signals.js';
import { GivenUp, Late, storeFault } from './faults.js';
import type { RawEvent } from './drivers/driver.js';
import { isKnown, ownStream, toPosition, toRaw, toRecorded, unplaced, weightOf } from './record.js';
import { PAGE_BYTES, PAGE_EVENTS } from './reading.js';
import type { Server } from './server.js';

/**
 * Where one side puts what comes from the server at once, and the other takes it in its own time: all that is there
 * each time, so that a fast consumer lets go of events as they come.
 */
export class Mailbox<T> {
  #items: T[] = [];
  #over = false;
  #wake: (() => void) | null = null;

  /** How many lie there now. */
  get size(): number {
    return this.#items.length;
  }

  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Nothing more comes. */
  end(): void {
    this.#over = true;
    this.#wake?.();
  }

  /** What has come, once something has; `null` once nothing more comes. */
  async take(): Promise<readonly T[] | null> {
    if (this.#items.length === 0 && !this.#over) await this.#arrival();
    if (this.#items.length === 0) return null;
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
  }
}

const BEGINNING = { commit: 0n, prepare: 0n };

/**
 * The events after a position, or from one, as far as one page goes. They are handed over while they come, and all of them are
 * taken off the server at once: its call is over in its time, whatever time the consumer takes.
 */
export class Page {
  /** How far it has come, events of others included. Of meaning once all events were taken. */
  scanned: Position;
  /** More may stand behind it. Of meaning once all events were taken. */
  more = false;
  readonly #box = new Mailbox<RecordedEvent>();
  readonly #start: Position;
  readonly #count: number;
  #read = 0;
  #bytes = 0;
  /** Events that it may still take. */
  #left: number;
  #takesStart: boolean;
  #over = false;
  #fault: Error | null = null;

  constructor(
    private readonly server: Server,
    at: Position,
    limit: number,
    private readonly signal: AbortSignal,
    /** An event at exactly that position is part of it. */
    inclusive = false,
  ) {
    this.#start = at > server.origin ? at : server.origin;
    this.scanned = this.#start;
    this.#takesStart = inclusive;
    this.#left = limit;
    // Reading forward begins with the event at the position, if there is one.
    this.#count = Math.min(limit + 1, PAGE_EVENTS);
    const from = toRaw(this.#start) ?? BEGINNING;
    const options = { from, direction: 'forwards', count: this.#count } as const;
    const { far, limits } = server;
    const call = far.run(
      'read',
      limits.pageDeadlineMs,
      (client) => client.readAll(options, (raw) => this.#event(raw)),
      signal,
    );
    // One listener a page: one for each wait costs more than the events.
    signal.addEventListener('abort', this.#giveUp);
    if (signal.aborted) this.#giveUp();
    call.then(
      () => this.#end(null),
      (error: unknown) => this.#end(error),
    );
  }

  /** What has come; `null` at the page's end. @throws {StoreUnavailable} it could not be read to its end */
  async take(): Promise<readonly RecordedEvent[] | null> {
    const events = await this.#box.take();
    if (events !== null) return events;
    if (this.#fault) throw this.#fault;
    return null;
  }

  #event(raw: RawEvent): boolean {
    this.#read++;
    if (this.#over) return false;
    if (this.#left === 0) return true;
    if (!isKnown(raw.position)) {
      this.#fault = storeFault(this.server, unplaced(raw));
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
    this.#box.put(event);
    return this.#bytes < PAGE_BYTES;
  }

  /** Given up is not the same as read to its end. */
  readonly #giveUp = (): void => this.#end(new GivenUp());

  #end(error: unknown): void {
    if (this.#over) return;
    this.signal.removeEventListener('abort', this.#giveUp);
    // A slow line still gets on by what has come.
    const late = error instanceof Late && this.scanned > this.#start;
    if (error && !late) this.#fault ??= storeFault(this.server, error);
    this.more = this.#read === this.#count || this.#bytes >= PAGE_BYTES || late;
    this.#over = true;
    this.#box.end();
  }
}

/** The log's events up to its end, by pages. @param open throws if the store was closed */
export async function* readLog(
  open: () => Server,
  options: ReadAllOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  assertOneStart(options);
  const { from, after = START, limit = Infinity } = options;
  let scanned = from ?? after;
  let inclusive = from !== undefined;
  toRaw(scanned);
  const reading = joined(open().closing);
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
