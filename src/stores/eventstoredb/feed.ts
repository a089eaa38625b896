import { backoff, pause } from '../../core/backoff.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { FeedItem, Position, RecordedEvent } from '../../core/event-store.js';
import { anySignal } from '../../core/signals.js';
import { AsyncQueue } from './async-queue.js';
import type { RawEvent, RawPosition } from './drivers/driver.js';
import { asClientError, closedError, Cancelled, storeFault } from './faults.js';
import { Page } from './page.js';
import { PAGE_EVENTS } from './reading.js';
import {
  isKnown,
  isOnRecord,
  missingPosition,
  ownStream,
  toPosition,
  toRaw,
  toRecorded,
  weightOf,
} from './record.js';
import type { Server } from './server.js';

/** An item of the feed without an event: up to this position, no further event of this log exists. */
export class Passed {
  constructor(readonly position: Position) {}
}

/** How often, within `silentMs`, the log is checked for events that the subscription has not delivered. */
const CHECKS = 4;

/** A subscription stayed open and delivered nothing, while the log grew. */
class Silent extends StoreUnavailable {
  constructor({ address, limits }: Server) {
    super(
      `The subscription to EventStoreDB at ${address} has brought nothing for ${limits.silentMs / 1_000} s while the log went on.`,
    );
  }
}

/**
 * A live subscription with a bounded buffer. Items are buffered as they come, since the server drops slow consumers. If
 * the buffer is full the subscription is closed: its consumer empties the buffer and then reads pages.
 */
class BufferedSubscription {
  /** Whether it has delivered anything. */
  hasDelivered = false;
  /** Why it ended; `null` if it was closed on purpose, for a full buffer or by its consumer. */
  fault: Error | null = null;
  readonly #queue = new AsyncQueue<RecordedEvent | Passed>();
  readonly #ending = new AbortController();
  readonly #watch: NodeJS.Timeout;
  #bytes = 0;
  #over = false;
  /** Set while the log has events after the last delivered item: that item, and since when. */
  #behind: { readonly last: Position; readonly since: number } | null = null;

  constructor(
    private readonly server: Server,
    /** The position of an event, at or before `last`: the subscription begins there. */
    after: Position,
    /** The last position that was delivered: items at or before it are ignored. */
    private last: Position,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', this.close);
    this.#watch = setInterval(() => void this.#check(), server.limits.silentMs / CHECKS).unref();
    if (signal.aborted) this.close();
    const from = toRaw(after) ?? { commit: 0n, prepare: 0n };
    const observer = {
      event: (raw: RawEvent) => this.#event(raw),
      passed: (raw: RawPosition) => this.#passed(raw),
    };
    const { interactive, names, limits } = server;
    interactive
      .hold(
        (client) => client.subscribe(from, names.filter, observer),
        this.#ending.signal,
        limits.deadlineMs,
      )
      .then(
        () => this.#end(new Error('the server ended the subscription')),
        (fault: unknown) => this.#end(fault as Error),
      );
  }

  /** Waits for items and takes all that are buffered, in order; `null` at the end. */
  async take(): Promise<readonly (RecordedEvent | Passed)[] | null> {
    const items = await this.#queue.take();
    this.#bytes = 0;
    return items;
  }

  readonly close = (): void => {
    this.#end(null);
    this.#ending.abort();
  };

  #event(raw: RawEvent): void {
    if (this.#over) return;
    if (!isKnown(raw.position)) {
      this.#fail(missingPosition(raw));
      return;
    }
    const position = toPosition(raw.position);
    if (position <= this.last) return;
    const stream = ownStream(this.server.names, raw);
    if (stream === null) {
      this.last = position;
      return;
    }
    const event = toRecorded(stream, position, raw);
    this.#bytes += weightOf(event);
    this.server.head.reached(position);
    this.#put(position, event);
  }

  #passed(raw: RawPosition): void {
    if (this.#over || !isKnown(raw)) return;
    const position = toPosition(raw);
    if (position > this.last) this.#put(position, new Passed(position));
  }

  /**
   * After a change of the leader, a server may keep a subscription open but deliver nothing (observed). So this ends a
   * subscription that has delivered nothing for `silentMs` while the log grew.
   */
  async #check(): Promise<void> {
    const { head, limits, interactive } = this.server;
    const { last } = this;
    const end = head.known > last ? head.known : await head.find().catch(() => last);
    if (this.#over) return;
    if (end <= this.last || last !== this.last) this.#behind = null;
    else if (this.#behind?.last !== last) this.#behind = { last, since: performance.now() };
    else if (performance.now() - this.#behind.since >= limits.silentMs) {
      this.#fail(new Silent(this.server));
      // The cause may be the connection, or its node: use a new one.
      interactive.renew();
      this.server.counts.silentFeeds++;
    }
  }

  #put(position: Position, item: RecordedEvent | Passed): void {
    this.last = position;
    this.hasDelivered = true;
    this.#queue.put(item);
    const { bufferEvents, bufferBytes } = this.server.limits;
    if (this.#queue.size >= bufferEvents || this.#bytes >= bufferBytes) this.close();
  }

  /** Ends it and its call: the feed reads pages from the last delivered item on. */
  #fail(fault: Error): void {
    this.#end(fault);
    this.#ending.abort();
  }

  #end(fault: Error | null): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#watch);
    this.signal.removeEventListener('abort', this.close);
    this.fault = fault instanceof Cancelled ? null : fault;
    this.#queue.end();
  }
}

/** The first and the longest pause before a broken feed is reopened, in milliseconds. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
const LIVE = Symbol('live');

type Item = RecordedEvent | Passed | typeof LIVE;

/**
 * The live feed: pages up to the log's end, then a subscription. When the subscription ends, the feed starts again from
 * its position. It fails only if the store is closed.
 */
export class LogFeed {
  /** Position of the last item that was yielded; before the first, where the feed begins. */
  #position: Position;
  /** How far `$all` was read: `#position`, or beyond it if only events of other logs follow. */
  #scanned: Position;
  #live = false;
  #failures = 0;
  #page: Page | null = null;
  #subscription: BufferedSubscription | null = null;
  /** Aborts with the consumer's signal, when the store is closed, or when the consumer ends the iteration. */
  #signal: AbortSignal;

  constructor(
    private readonly server: Server,
    after: Position,
    private readonly consumer: AbortSignal,
  ) {
    this.#position = after;
    this.#scanned = this.#resumable;
    this.#signal = consumer;
  }

  /**
   * @throws {RangeError} the position is not of this adapter
   * @throws {StoreUnavailable} the store was closed
   */
  async *items(): AsyncGenerator<FeedItem, void, undefined> {
    // Throws if it is not a position of this adapter.
    toRaw(this.#position);
    const feeding = anySignal(this.consumer, this.server.closing);
    this.#signal = feeding.signal;
    try {
      for (let batch = await this.#next(); batch !== null; batch = await this.#next()) {
        for (const item of batch) {
          if (this.#signal.aborted) break;
          if (item === LIVE) {
            yield { kind: 'live' };
            continue;
          }
          const { position } = item;
          this.#scanned = position;
          const event = item instanceof Passed ? null : item;
          if (event === null && !this.#mayPass(position)) continue;
          const after = this.#position;
          this.#position = position;
          yield event ? { kind: 'event', after, position, event } : { kind: 'passed', after, position };
        }
      }
    } finally {
      feeding.end();
      this.#subscription?.close();
    }
    if (!this.consumer.aborted) throw closedError(this.server.address);
  }

  /** The next items; `null`: the feed ends. */
  async #next(): Promise<readonly Item[] | null> {
    const stopped = (): boolean => this.#signal.aborted;
    while (!stopped()) {
      try {
        const subscription = this.#subscription;
        const items = subscription ? await this.#fromSubscription(subscription) : await this.#fromPage();
        if (items.length > 0) return items;
      } catch (error) {
        await this.#broken(error);
      }
    }
    return null;
  }

  async #fromPage(): Promise<readonly Item[]> {
    this.#page ??= new Page(this.server, this.#scanned, PAGE_EVENTS, this.#signal);
    const page = this.#page;
    const events = await page.take();
    if (events !== null) {
      this.#failures = 0;
      return events;
    }
    this.#page = null;
    this.#scanned = page.scanned;
    if (page.more) return [new Passed(page.scanned)];
    this.#subscription = new BufferedSubscription(this.server, this.#start, this.#scanned, this.#signal);
    if (this.#live) return [];
    this.#live = true;
    return [LIVE];
  }

  async #fromSubscription(subscription: BufferedSubscription): Promise<readonly Item[]> {
    const items = await subscription.take();
    if (items !== null) return items;
    this.#subscription = null;
    subscription.close();
    if (subscription.hasDelivered) this.#failures = 0;
    if (subscription.fault) throw subscription.fault;
    return [];
  }

  /**
   * Whether a `Passed` may be yielded: only if an event of this log is known to follow. Otherwise a view could move beyond
   * the log's last event, and would be taken for a view of another log.
   */
  #mayPass(position: Position): boolean {
    return position > this.#position && position <= this.server.head.known;
  }

  async #broken(error: unknown): Promise<void> {
    this.#page = null;
    if (this.#signal.aborted) return;
    const { message, cause } = storeFault(this.server, error);
    this.server.onTrouble(`The live feed broke off and is taken up again. ${message}`);
    // The server may be unable to read from a position between two events: restart from the last event.
    if (asClientError(cause).type === 'unknown') this.#scanned = this.#resumable;
    await pause(backoff(this.#failures++, FIRST_PAUSE_MS, MAX_PAUSE_MS), this.#signal);
  }

  /**
   * Where the subscription begins: the position of an event, at or before `#scanned`. A server of version 23.10 skips one
   * record from the given position: from a position between two events it would skip the next event.
   */
  get #start(): Position {
    return isOnRecord(this.#scanned)
      ? this.#scanned
      : isOnRecord(this.#resumable)
        ? this.#resumable
        : this.server.origin;
  }

  /** The last item's position, or `origin` before the first item: the server can read from there. */
  get #resumable(): Position {
    const { origin } = this.server;
    return this.#position > origin ? this.#position : origin;
  }
}
