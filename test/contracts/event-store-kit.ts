import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../src/core/errors.js';
import {
  MAX_APPEND_BYTES,
  type Appended,
  type Conflict,
  type EncodedEvent,
  type EventStore,
  type Expected,
  type FeedItem,
  type Position,
  type RecordedEvent,
  type StreamName,
} from '../../src/core/event-store.js';

/** A new, empty log of an adapter. Several handles, or processes, can open it. */
export interface LogUnderTest {
  readonly store: EventStore;
  /** Opens another handle on the same log: as another process does, if the adapter can. */
  another(): Promise<EventStore>;
  /** Called after every handle was closed. */
  remove(): Promise<void>;
}

export const event = (text = 'x', id: string = randomUUID()): EncodedEvent => ({
  id,
  type: 'thing.happened',
  data: Buffer.from(JSON.stringify({ text })),
  metadata: Buffer.from('{"schemaVersion":1}'),
});

export const events = (count: number): EncodedEvent[] => Array.from({ length: count }, () => event());

/** Bytes that the last event's data may have if the batch is to be as large as an append may be. */
export const spaceBeside = (...batch: readonly EncodedEvent[]): number =>
  batch.reduce(
    (left, { type, data, metadata }, index) =>
      left - 2 * type.length - metadata.byteLength - (index === batch.length - 1 ? 0 : data.byteLength),
    MAX_APPEND_BYTES,
  );

export const aStream = (): StreamName => `thing-${randomUUID()}` as StreamName;

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Reads items of a feed until `enough` returns true, then ends the feed. */
export async function take(
  feed: AsyncIterable<FeedItem>,
  enough: (items: readonly FeedItem[]) => boolean,
): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  for await (const item of feed) {
    items.push(item);
    if (enough(items)) break;
  }
  return items;
}

/** The event with its bytes as text, for comparing. */
export const plain = (recorded: RecordedEvent) => ({
  stream: recorded.stream,
  revision: recorded.revision,
  id: recorded.id,
  type: recorded.type,
  data: Buffer.from(recorded.data).toString(),
  metadata: Buffer.from(recorded.metadata).toString(),
});

export const texts = (recorded: readonly RecordedEvent[]): unknown[] =>
  recorded.map(({ data }) => (JSON.parse(Buffer.from(data).toString()) as { text: unknown }).text);

export const positionsOf = (recorded: readonly RecordedEvent[]): Position[] =>
  recorded.map(({ position }) => position);

export function appended(outcome: Appended | Conflict): Appended {
  if (outcome.kind !== 'appended') throw new Error(`conflict at ${outcome.actual}`);
  return outcome;
}

/** Makes a call again while the store is unavailable. @throws {StoreUnavailable} it stays so */
export async function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries > 300) throw error;
      await sleep(20);
    }
  }
}

/** Appends as every writer does: if the outcome is unknown, it sends the same events again. */
export const surely = (
  store: EventStore,
  stream: StreamName,
  expected: Expected,
  batch: EncodedEvent[],
): Promise<Appended | Conflict> => untilAnswered(() => store.append(stream, expected, batch));

/** Appends one event at the stream's current revision. */
export async function appendAnywhere(
  store: EventStore,
  stream: StreamName,
  one = event(),
): Promise<Appended> {
  for (let expected: Expected = 'no-stream'; ;) {
    const outcome = await store.append(stream, expected, [one]);
    if (outcome.kind === 'appended') return outcome;
    expected = outcome.actual;
  }
}

export const eventsOf = (items: readonly FeedItem[]): RecordedEvent[] =>
  items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
