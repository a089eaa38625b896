import type { RecordedEvent } from '../port.js';
import { GivenUp } from './connection.js';
import type { RawEvent, RawPosition } from './drivers/driver.js';
import { isKnown, toPosition, toRaw } from './position.js';
import { ownStream } from './reading.js';
import { toRecorded, weightOf } from './record.js';
import type { Server } from './server.js';
import type { Position } from '../port.js';

/** One thing that came over the subscription: an event of this log, or a place up to which there is none. */
export interface TailItem {
  readonly position: Position;
  readonly event: RecordedEvent | null;
}

/**
 * A live subscription with a bounded buffer. Everything is taken off at once, for the server throws out whoever is
 * slow; when the buffer is full the subscription is closed, and its consumer goes on by pages once it is empty.
 */
export class Tail {
  #items: TailItem[] = [];
  #taken = 0;
  #bytes = 0;
  #over: { readonly fault: unknown } | null = null;
  #wake: (() => void) | null = null;
  readonly #ending = new AbortController();

  constructor(
    private readonly server: Server,
    /** The last position that came, to which nothing goes back. */
    private last: Position,
  ) {
    const from = toRaw(last) ?? { commit: 0n, prepare: 0n };
    const observer = {
      event: (raw: RawEvent) => this.#event(raw),
      passed: (raw: RawPosition) => this.#passed(raw),
    };
    const { near, names, limits } = server;
    near
      .hold(
        (client) => client.subscribe(from, names.filter, observer),
        this.#ending.signal,
        limits.deadlineMs,
      )
      .then(
        () => this.#end(new Error('the server ended the subscription')),
        (fault: unknown) => this.#end(fault),
      );
  }

  /**
   * What has come, in its order, when something has: all of it at once.
   * @returns `null` once nothing more comes: `fault` says why
   */
  async next(signal: AbortSignal): Promise<readonly TailItem[] | null> {
    if (this.#items.length === 0 && !this.#over && !signal.aborted) await this.#arrival(signal);
    if (this.#items.length === 0) return null;
    const items = this.#items;
    this.#items = [];
    this.#taken += items.length;
    this.#bytes = 0;
    return items;
  }

  /** Whether anything came at all. */
  get fruitful(): boolean {
    return this.#taken > 0;
  }

  /** Why it ended; `null` where it was closed on purpose, for a full buffer or by its consumer. */
  get fault(): unknown {
    return this.#over?.fault ?? null;
  }

  close(): void {
    this.#end(null);
    this.#ending.abort();
  }

  #event(raw: RawEvent): void {
    if (this.#over || !isKnown(raw.position)) return;
    const position = toPosition(raw.position);
    if (position <= this.last) return;
    const stream = ownStream(this.server.names, raw);
    if (stream === null) {
      this.last = position;
      return;
    }
    const event = toRecorded(stream, raw);
    this.#bytes += weightOf(event);
    this.#add({ position, event });
    this.server.head.reached(position);
  }

  #passed(raw: RawPosition): void {
    if (this.#over || !isKnown(raw)) return;
    const position = toPosition(raw);
    if (position > this.last) this.#add({ position, event: null });
  }

  #add(item: TailItem): void {
    this.last = item.position;
    this.#items.push(item);
    this.#wake?.();
    const { bufferEvents, bufferBytes } = this.server.limits;
    if (this.#items.length >= bufferEvents || this.#bytes >= bufferBytes) this.close();
  }

  #end(fault: unknown): void {
    this.#over ??= { fault: fault instanceof GivenUp ? null : fault };
    this.#wake?.();
  }

  #arrival(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake = null;
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener('abort', wake);
    });
  }
}
