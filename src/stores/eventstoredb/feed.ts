import { backoff, pause } from '../../core/backoff.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { FeedItem, Position, RecordedEvent } from '../../core/event-store.js';
import { anySignal } from '../../core/signals.js';
import { AsyncQueue } from './async-queue.js';
import type { RawEvent, RawPosition } from './drivers/driver.js';
import { asClientError, closedError, Cancelled, storeFault } from './faults.js';
import { Page } from './page.js';
import { PAGE_EVENTS } from './reading.js';
import { isKnown, isOnRecord, ownStream, toPosition, toRaw, toRecorded, weightOf } from './record.js';
import type { Server } from './server.js';

/** A place up to which there is nothing of this log. */
export class Passed {
  constructor(readonly position: Position) {}
}

/** How often the log is checked in the time that it may go on without its subscription. */
const CHECKS = 4;

/** A subscription stayed open and brought nothing. */
class Silent extends StoreUnavailable {
  constructor({ address, limits }: Server) {
    super(
      `The subscription to EventStoreDB at ${address} has brought nothing for ${limits.silentMs / 1_000} s while the log went on.`,
    );
  }
}

/**
 * A live subscription with a bounded buffer. Everything is taken off at once, since the server drops slow consumers;
 * when the buffer is full the subscription is closed, and its consumer goes on by pages once it is empty.
 */
export class Tail {
  /** Whether anything came at all. */
  fruitful = false;
  /** Why it ended; `null` if it was closed on purpose, for a full buffer or by its consumer. */
  fault: Error | null = null;
  readonly #queue = new AsyncQueue<RecordedEvent | Passed>();
  readonly #ending = new AbortController();
  readonly #watch: NodeJS.Timeout;
  #bytes = 0;
  #over = false;
  /** What it had brought when the log was first seen beyond that, and when that was. */
  #behind: { readonly last: Position; readonly since: number } | null = null;

  constructor(
    private readonly server: Server,
    /** The position of an event, at or before `last`: the subscription begins there. */
    after: Position,
    /** The last position that came, to which nothing goes back. */
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

  /** What has come, in its order; `null` once nothing more comes. */
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
    if (this.#over || !isKnown(raw.position)) return;
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
   * A server may leave a subscription open that brings nothing any more, seen after changes of the leader: if the log has
   * gone on without it for too long, it ends here.
   */
  async #check(): Promise<void> {
    const { head, limits, interactive } = this.server;
    const { last } = this;
    const end = head.known > last ? head.known : await head.find().catch(() => last);
    if (this.#over) return;
    if (end <= this.last || last !== this.last) this.#behind = null;
    else if (this.#behind?.last !== last) this.#behind = { last, since: performance.now() };
    else if (performance.now() - this.#behind.since >= limits.silentMs) {
      this.#end(new Silent(this.server));
      this.#ending.abort();
      // Perhaps it is the connection that is stuck, or its node.
      interactive.renew();
      this.server.counts.silentFeeds++;
    }
  }

  #put(position: Position, item: RecordedEvent | Passed): void {
    this.last = position;
    this.fruitful = true;
    this.#queue.put(item);
    const { bufferEvents, bufferBytes } = this.server.limits;
    if (this.#queue.size >= bufferEvents || this.#bytes >= bufferBytes) this.close();
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

const FIRST_PAUSE_MS = 50;
const LIVE = Symbol('live');

type Item = RecordedEvent | Passed | typeof LIVE;

/**
 * The live feed: pages up to the log's end, then a subscription, and after whatever ends that the same again from
 * its position. It fails only if the store is closed.
 */
export class LogFeed {
  /** Of the last item handed over. */
  #position: Position;
  /** How far the log was looked through: at least there, further where events of others follow. */
  #scanned: Position;
  #live = false;
  #failures = 0;
  #page: Page | null = null;
  #tail: Tail | null = null;
  /** Aborts with the consumer's, with the store's closing, or as the consumer has gone away. */
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

  /** @throws {RangeError | StoreUnavailable} the position is none of this adapter's; the store was closed */
  async *items(): AsyncGenerator<FeedItem, void, undefined> {
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
      this.#tail?.close();
    }
    if (!this.consumer.aborted) throw closedError(this.server.address);
  }

  /** What comes next; `null` once the feed is to end. */
  async #next(): Promise<readonly Item[] | null> {
    const stopped = (): boolean => this.#signal.aborted;
    while (!stopped()) {
      try {
        const items = this.#tail ? await this.#fromTail(this.#tail) : await this.#fromPage();
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
    this.#tail = new Tail(this.server, this.#record, this.#scanned, this.#signal);
    if (this.#live) return [];
    this.#live = true;
    return [LIVE];
  }

  async #fromTail(tail: Tail): Promise<readonly Item[]> {
    const items = await tail.take();
    if (items !== null) return items;
    this.#tail = null;
    tail.close();
    if (tail.fruitful) this.#failures = 0;
    if (tail.fault) throw tail.fault;
    return [];
  }

  /**
   * Whether a stretch without an event of this log is passed on: if one is known to follow. A view that were beyond
   * the log's last event would be taken for one of another log.
   */
  #mayPass(position: Position): boolean {
    return position > this.#position && position <= this.server.head.known;
  }

  async #broken(error: unknown): Promise<void> {
    this.#page = null;
    if (this.#signal.aborted) return;
    const { message, cause } = storeFault(this.server, error);
    this.server.onTrouble(`The live feed broke off and is taken up again. ${message}`);
    // Perhaps the server does not read from a place between two events: then on from the last one.
    if (asClientError(cause).type === 'unknown') this.#scanned = this.#resumable;
    await pause(backoff(this.#failures++, FIRST_PAUSE_MS, this.server.limits.maxPauseMs), this.#signal);
  }

  /**
   * The position of an event, not behind what was looked through. A server of 23.10 reads one record from where a
   * subscription shall begin and goes on after it: from between two events it would pass over the next one.
   */
  get #record(): Position {
    return isOnRecord(this.#scanned)
      ? this.#scanned
      : isOnRecord(this.#resumable)
        ? this.#resumable
        : this.server.origin;
  }

  get #resumable(): Position {
    const { origin } = this.server;
    return this.#position > origin ? this.#position : origin;
  }
}
