import type { FeedItem, Position } from '../port.js';
import { asClientError } from './describe.js';
import { logPage, PAGE_EVENTS, type Page } from './reading.js';
import { closedError, storeFault, type Server } from './server.js';
import { Tail } from './tail.js';

const FIRST_PAUSE_MS = 50;

/**
 * The live feed: pages up to the log's end, then a subscription, and after whatever ends that the same again from
 * where it stood. It fails for nothing but the store's closing.
 */
export class LogFeed {
  /** Of the last item handed over. */
  #position: Position;
  /** How far the log was looked through: at least there, further where events of others follow. */
  #scanned: Position;
  #live = false;
  #failures = 0;

  /** The consumer's signal or the store's closing. */
  readonly #signal: AbortSignal;

  constructor(
    private readonly server: Server,
    after: Position,
    private readonly consumer: AbortSignal,
  ) {
    this.#position = after;
    this.#scanned = this.#resumable;
    this.#signal = AbortSignal.any([consumer, server.closing]);
  }

  async *items(): AsyncGenerator<FeedItem, void, undefined> {
    const stopped = (): boolean => this.#signal.aborted;
    while (!stopped()) {
      try {
        yield* this.#pages();
        if (!this.#live && !stopped()) {
          this.#live = true;
          yield { kind: 'live' };
        }
        yield* this.#tail();
      } catch (error) {
        await this.#broken(error);
      }
    }
    if (!this.consumer.aborted) throw closedError(this.server.address);
  }

  async *#pages(): AsyncGenerator<FeedItem, void, undefined> {
    const ahead = new AbortController();
    const signal = AbortSignal.any([ahead.signal, this.#signal]);
    try {
      for (let next: Promise<Page> | null = this.#page(signal); next !== null;) {
        const page: Page = await next;
        this.#scanned = page.scanned;
        // The next page is on its way while this one is consumed.
        next = page.more ? this.#page(signal) : null;
        next?.catch(() => undefined);
        for (const event of page.events) {
          if (this.#signal.aborted) return;
          const after = this.#position;
          this.#position = event.position;
          yield { kind: 'event', after, position: event.position, event };
        }
        if (page.events.length > 0) this.#failures = 0;
        else if (page.more) yield* this.#passed(page.scanned);
      }
    } finally {
      ahead.abort();
    }
  }

  async *#tail(): AsyncGenerator<FeedItem, void, undefined> {
    const tail = new Tail(this.server, this.#scanned);
    try {
      for (let items = await tail.next(this.#signal); items !== null; items = await tail.next(this.#signal)) {
        for (const { position, event } of items) {
          if (this.#signal.aborted) return;
          this.#scanned = position;
          if (event) {
            const after = this.#position;
            this.#position = position;
            yield { kind: 'event', after, position, event };
          } else yield* this.#passed(position);
        }
      }
      if (tail.fruitful) this.#failures = 0;
      if (tail.fault !== null && !this.#signal.aborted) throw tail.fault as Error;
    } finally {
      tail.close();
    }
  }

  /**
   * A stretch without an event of this log. Told only where one is known to follow: a view that stood beyond the
   * log's last event would be taken for one of another log.
   */
  *#passed(position: Position): Generator<FeedItem, void, undefined> {
    if (position <= this.#position || position > this.server.head.known) return;
    const after = this.#position;
    this.#position = position;
    yield { kind: 'passed', after, position };
  }

  #page(signal: AbortSignal): Promise<Page> {
    return logPage(this.server, this.#scanned, PAGE_EVENTS, signal);
  }

  async #broken(error: unknown): Promise<void> {
    if (this.#signal.aborted) return;
    const { message, cause } = storeFault(this.server, error);
    this.server.onTrouble(`The live feed broke off and is taken up again. ${message}`);
    // Perhaps the server does not read from a place between two events: then on from the last one.
    if (asClientError(cause).type === 'unknown') this.#scanned = this.#resumable;
    await this.#pause();
  }

  get #resumable(): Position {
    const { origin } = this.server;
    return this.#position > origin ? this.#position : origin;
  }

  /** Longer with each failure, and never the same for two that failed together. */
  #pause(): Promise<void> {
    const { longestPauseMs } = this.server.limits;
    const full = Math.min(longestPauseMs, FIRST_PAUSE_MS * 2 ** Math.min(this.#failures++, 20));
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, full * (0.5 + Math.random() / 2));
      this.#signal.addEventListener('abort', done);
      if (this.#signal.aborted) done();
    });
  }
}
