import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { AppendRefused } from '../../src/core/errors.js';
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
  assertAppendable,
  assertOneStart,
  type ReadAllOptions,
} from '../../src/core/event-store.js';

const positionOf = (index: number): Position => String(index + 1).padStart(16, '0') as Position;
const indexAfter = (position: Position): number => (position === START ? 0 : Number(position));

/** An event store in memory. It has the whole contract except durability and other processes. */
export class MemoryEventStore implements EventStore {
  readonly logId: LogId;
  readonly life: LogId;
  readonly log: RecordedEvent[];
  readonly #streams: Map<StreamName, RecordedEvent[]>;
  readonly #sleepers: Set<() => void>;
  /** By stream, the revision before which its events were removed. */
  readonly #letGo: Map<StreamName, number>;
  #closed = false;

  /** @param beside a store whose log this one shares, as another handle */
  constructor(beside?: MemoryEventStore) {
    this.logId = beside?.logId ?? (randomUUID() as string as LogId);
    this.life = beside?.life ?? this.logId;
    this.log = beside?.log ?? [];
    this.#streams = beside ? beside.#streams : new Map<StreamName, RecordedEvent[]>();
    this.#letGo = beside ? beside.#letGo : new Map<StreamName, number>();
    this.#sleepers = beside ? beside.#sleepers : new Set<() => void>();
  }

  async append(
    stream: StreamName,
    expected: Expected,
    events: readonly EncodedEvent[],
  ): Promise<Appended | Conflict> {
    assertAppendable(stream, expected, events);
    const kept = events.map(copy);
    await turn();
    const present = this.#streams.get(stream) ?? [];
    const first = expected === 'no-stream' ? 0 : expected + 1;
    const there = present.slice(first, first + kept.length);
    if (there.length === kept.length && there.every((event, index) => event.id === kept[index]?.id)) {
      return answer(there);
    }
    if (present.length !== first) {
      return { kind: 'conflict', actual: present.length === 0 ? 'no-stream' : present.length - 1 };
    }
    const recorded = kept.map((event, index) => ({
      ...event,
      stream,
      revision: first + index,
      position: positionOf(this.log.length + index),
    }));
    this.#streams.set(stream, [...present, ...recorded]);
    this.log.push(...recorded);
    for (const wake of this.#sleepers) wake();
    return answer(recorded);
  }

  async *readStream(
    stream: StreamName,
    options: { from?: number; direction?: 'forward' | 'backward'; limit?: number } = {},
  ): AsyncIterable<RecordedEvent> {
    const present = [...(this.#streams.get(stream) ?? [])];
    await turn();
    const backward = options.direction === 'backward';
    const from = options.from ?? (backward ? present.length - 1 : 0);
    const least = this.#letGo.get(stream) ?? 0;
    const chosen = (backward ? present.slice(0, from + 1).reverse() : present.slice(from)).filter(
      ({ revision }) => revision >= least,
    );
    yield* chosen.slice(0, options.limit ?? chosen.length).map(copyRecorded);
  }

  /** Removes the beginning of a stream, as a server does after a scavenge with `$tb`. */
  scavenge(stream: StreamName, before: number): void {
    this.#letGo.set(stream, before);
  }

  async *readAll(options: ReadAllOptions = {}): AsyncIterable<RecordedEvent> {
    assertOneStart(options);
    const { after = START, from, limit = this.log.length } = options;
    const first = from === undefined ? indexAfter(after) : Math.max(0, indexAfter(from) - 1);
    const isLeft = ({ stream, revision }: RecordedEvent): boolean =>
      revision >= (this.#letGo.get(stream) ?? 0);
    const chosen =
      this.#letGo.size === 0
        ? this.log.slice(first, first + limit)
        : this.log.slice(first).filter(isLeft).slice(0, limit);
    await turn();
    yield* chosen.map(copyRecorded);
  }

  async *subscribeToAll(options: { after?: Position; signal: AbortSignal }): AsyncIterable<FeedItem> {
    const { signal } = options;
    let after = options.after ?? START;
    const stored = this.log.length;
    let announced = false;
    while (!signal.aborted && !this.#closed) {
      const event = this.log[indexAfter(after)];
      if (!announced && indexAfter(after) >= stored) {
        announced = true;
        yield { kind: 'live' };
      } else if (event === undefined) {
        await this.#sleep(signal);
      } else {
        const item: FeedItem = {
          kind: 'event',
          after,
          position: event.position,
          event: copyRecorded(event),
        };
        after = event.position;
        yield item;
      }
    }
  }

  async head(): Promise<Position> {
    await turn();
    return this.log.at(-1)?.position ?? START;
  }

  readonly ordinalUnit = 'events';

  ordinal(position: Position): number {
    return Number(position);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#sleepers) wake();
  }

  #sleep(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#sleepers.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

const copy = (event: EncodedEvent): EncodedEvent => ({
  id: event.id,
  type: event.type,
  data: Uint8Array.from(event.data),
  metadata: Uint8Array.from(event.metadata),
});

const copyRecorded = (event: RecordedEvent): RecordedEvent => ({
  ...copy(event),
  stream: event.stream,
  revision: event.revision,
  position: event.position,
});

function answer(events: readonly RecordedEvent[]): Appended {
  const last = events.at(-1);
  if (last === undefined) throw new AppendRefused('An append needs at least one event.');
  return { kind: 'appended', revision: last.revision, position: last.position };
}
