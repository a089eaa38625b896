import { gapless } from '../../core/aggregate.js';
import { Slices } from '../../core/concurrency.js';
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  type Revision,
  START,
  type StreamName,
} from '../../core/event-store.js';
import type { Budget } from '../../engine/documents/reading.js';
import { isWithin, type Moment } from './moment.js';

/** Events of several streams up to a moment, in log order. */
export class PastEvents {
  readonly #events: readonly RecordedEvent[];

  constructor(moment: Moment, events: readonly RecordedEvent[]) {
    const inOrder = [...events].sort((a, b) => (a.position < b.position ? -1 : 1));
    const end = inOrder.findIndex((event) => !isWithin(moment, event));
    this.#events = end === -1 ? inOrder : inOrder.slice(0, end);
  }

  /** The position of the last event; `START` without one. */
  get last(): Position {
    return this.#events.at(-1)?.position ?? START;
  }

  /** The events after a position, as an `EventSource` gives them. */
  async *after(position: Position): AsyncGenerator<RecordedEvent> {
    for (const event of this.#events) if (event.position > position) yield event;
  }
}

/** Reads the events that a history needs of one stream. */
export type Reading = (past: Past) => Promise<readonly RecordedEvent[]>;

/** Streams that are read at the same time: each is a round trip to the store. */
const AT_ONCE = 16;
/**
 * Events of the first read from a stream's end: stores read by pages, and a full page would be too much for one event.
 */
const FEW = 4;

type StreamOptions = Parameters<EventStore['readStream']>[1];

/**
 * Reads streams up to a moment. Only the streams that an answer is about are read, so that its cost does not grow with
 * all that the service holds.
 */
export class Past {
  readonly #slices = new Slices();

  constructor(
    private readonly eventStore: Pick<EventStore, 'readStream'>,
    private readonly moment: Moment,
    private readonly budget: Budget,
  ) {}

  /** A stream from its beginning, up to the first event after the moment. @throws {TooFar} */
  async stream(name: StreamName): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of this.#read(name)) {
      events.push(event);
      // The event beyond the moment is kept: `PastEvents` ends the events of all streams at the first such one.
      if (!isWithin(this.moment, event)) break;
    }
    return events;
  }

  /** A stream's last event of a type, for one that is near the end of a long stream. @throws {TooFar} */
  async last(name: StreamName, storedType: string): Promise<readonly RecordedEvent[]> {
    let from: Revision | undefined;
    for (let limit = FEW; from !== -1; limit *= 2) {
      const place = from === undefined ? {} : { from };
      from = -1;
      for await (const event of this.#read(name, { direction: 'backward', limit, ...place })) {
        if (event.type === storedType) return [event];
        from = event.revision - 1;
      }
    }
    return [];
  }

  /** The events of all readings. @throws {TooFar} past the limits */
  async events(readings: Iterable<Reading> | AsyncIterable<Reading>): Promise<PastEvents> {
    let events: readonly RecordedEvent[] = [];
    let batch: Reading[] = [];
    const finish = async (): Promise<void> => {
      events = events.concat(...(await Promise.all(batch.map((reading) => reading(this)))));
      batch = [];
    };
    for await (const reading of readings) {
      // Counted for each stream: one without events costs a round trip, too.
      this.#spend();
      if (batch.push(reading) === AT_ONCE) await finish();
    }
    await finish();
    return new PastEvents(this.moment, events);
  }

  async *#read(name: StreamName, options?: StreamOptions): AsyncGenerator<RecordedEvent> {
    for await (const event of gapless(this.eventStore, name, options)) {
      this.#spend();
      await this.#slices.next();
      yield event;
    }
  }

  #spend(): void {
    if (!this.budget.spend()) throw this.budget.exceeded();
  }
}
