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

/** An adapter's log, empty and of its own, on which several handles (or processes) can stand. */
export interface LogUnderTest {
  readonly store: EventStore;
  /** One more handle on the same log, as another process has it where the adapter can. */
  another(): Promise<EventStore>;
  /** After every handle was closed. */
  remove(): Promise<void>;
}

export const event = (text = 'x', id: string = randomUUID()): EncodedEvent => ({
  id,
  type: 'thing.happened',
  data: Buffer.from(JSON.stringify({ text })),
  metadata: Buffer.from('{"schemaVersion":1}'),
});

export const events = (count: number): EncodedEvent[] => Array.from({ length: count }, () => event());

/** What an append to the limit may still hold as data of its last event, which has none yet counted. */
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

/** Takes from a feed until `enough` says so; the feed is left there. */
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

/** What a consumer compares: bytes as text. */
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

/** Appends as every writer does: what is not known to be stored is sent again. */
export const surely = (
  store: EventStore,
  stream: StreamName,
  expected: Expected,
  batch: EncodedEvent[],
): Promise<Appended | Conflict> => untilAnswered(() => store.append(stream, expected, batch));

/** Appends one event wherever the stream now stands. */
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
