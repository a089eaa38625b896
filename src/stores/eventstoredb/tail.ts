import type { Position, RecordedEvent } from '../../core/event-store.js';
import { GivenUp } from './connection.js';
import type { RawEvent, RawPosition } from './drivers/driver.js';
import { Mailbox } from './mailbox.js';
import { isKnown, toPosition, toRaw } from './position.js';
import { ownStream } from './reading.js';
import { toRecorded, weightOf } from './record.js';
import type { Server } from './server.js';

/** A place up to which nothing of this log stands. */
export class Passed {
  constructor(readonly position: Position) {}
}

/**
 * A live subscription with a bounded buffer. Everything is taken off at once, for the server throws out whoever is
 * slow; when the buffer is full the subscription is closed, and its consumer goes on by pages once it is empty.
 */
export class Tail {
  /** Whether anything came at all. */
  fruitful = false;
  /** Why it ended; `null` where it was closed on purpose, for a full buffer or by its consumer. */
  fault: Error | null = null;
  readonly #box = new Mailbox<RecordedEvent | Passed>();
  readonly #ending = new AbortController();
  #bytes = 0;
  #over = false;

  constructor(
    private readonly server: Server,
    /** Where an event stands, at or before `last`: from there the server is asked. */
    after: Position,
    /** The last position that came, to which nothing goes back. */
    private last: Position,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', this.close);
    if (signal.aborted) this.close();
    const from = toRaw(after) ?? { commit: 0n, prepare: 0n };
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
        (fault: unknown) => this.#end(fault as Error),
      );
  }

  /** What has come, in its order; `null` once nothing more comes. */
  async take(): Promise<readonly (RecordedEvent | Passed)[] | null> {
    const items = await this.#box.take();
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

  #put(position: Position, item: RecordedEvent | Passed): void {
    this.last = position;
    this.fruitful = true;
    this.#box.put(item);
    const { bufferEvents, bufferBytes } = this.server.limits;
    if (this.#box.size >= bufferEvents || this.#bytes >= bufferBytes) this.close();
  }

  #end(fault: Error | null): void {
    if (this.#over) return;
    this.#over = true;
    this.signal.removeEventListener('abort', this.close);
    this.fault = fault instanceof GivenUp ? null : fault;
    this.#box.end();
  }
}
