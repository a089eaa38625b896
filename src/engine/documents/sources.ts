import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';

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
