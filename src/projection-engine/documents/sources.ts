import type { EventStore, Position, RecordedEvent, StreamName } from '../../event-store/port.js';

/**
 * Where folds outside the live passes take their events from: every event of the documents in question that stands
 * after a position, in log order; others beside them do no harm. It may end anywhere beyond what is asked for.
 */
export type EventSource = (after: Position) => AsyncIterable<RecordedEvent>;

/** The whole log. */
export const wholeLog =
  (eventStore: Pick<EventStore, 'readAll'>): EventSource =>
  (after) =>
    eventStore.readAll({ after });

/**
 * The events of some streams, for whoever knows that all of a document's events are in them. They are read from
 * their beginning whatever is asked for: a stream has no index of positions.
 */
export const streamsOf =
  (eventStore: Pick<EventStore, 'readStream'>, streams: readonly StreamName[]): EventSource =>
  (after) =>
    merged(
      streams.map((stream) => eventStore.readStream(stream)),
      after,
    );

/** In log order. At each step the first of what is at hand: a handful of streams needs no heap. */
async function* merged(
  sources: readonly AsyncIterable<RecordedEvent>[],
  after: Position,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const readers = sources.map((source) => source[Symbol.asyncIterator]());
  try {
    const heads = await Promise.all(readers.map(async (reader) => ({ reader, next: await reader.next() })));
    for (;;) {
      let earliest: (typeof heads)[number] | null = null;
      let event: RecordedEvent | null = null;
      for (const head of heads) {
        if (head.next.done === true || (event !== null && head.next.value.position > event.position))
          continue;
        earliest = head;
        event = head.next.value;
      }
      if (earliest === null || event === null) return;
      if (event.position > after) yield event;
      earliest.next = await earliest.reader.next();
    }
  } finally {
    for (const reader of readers) await reader.return?.();
  }
}
