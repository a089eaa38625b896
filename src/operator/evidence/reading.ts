import { StoreUnusable } from '../../core/errors.js';
import {
  START,
  type EventStore,
  type Position,
  type RecordedEvent,
  type StreamName,
} from '../../core/event-store.js';
import { toPosition, toSequence } from '../../stores/lmdb/log/record.js';

/** An event that the store itself refuses to return. */
export interface Refused {
  /** The store's own sentence. */
  readonly refusal: string;
}

/** Whether the store refused to read on. */
export const isRefused = (item: RecordedEvent | Refused): item is Refused => 'refusal' in item;

/**
 * A stream's events up to its end, or to the first that the store refuses, which is then the last item. The store reads
 * and refuses whole pages, so after the last good page the events are read one at a time.
 */
export async function* readAsFarAsGiven(
  log: Pick<EventStore, 'readStream'>,
  stream: StreamName,
): AsyncGenerator<RecordedEvent | Refused, void, undefined> {
  let next = 0;
  try {
    for await (const event of log.readStream(stream)) {
      yield event;
      next = event.revision + 1;
    }
    return;
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
  }
  for (;;) {
    const item = await one(log.readStream(stream, { from: next, limit: 1 }));
    if (item === null) return;
    yield item;
    if (isRefused(item)) return;
    next = item.revision + 1;
  }
}

/** With more refusals than this, more than single events are damaged. */
const MAX_REFUSALS = 1_000;

/**
 * The log in its order, with a refusal in place of each event that the store does not return.
 * @param past the position of the event that follows a position; `null`: not known, and a refusal ends the reading
 * @param from the log is read after this position
 */
export async function* readAllThatIsGiven(
  log: Pick<EventStore, 'readAll' | 'head'>,
  past: ((position: Position) => Position) | null,
  from: Position = START,
): AsyncGenerator<RecordedEvent | Refused, void, undefined> {
  const end = await log.head();
  let after = from;
  for (let refusals = 0; ; refusals++) {
    try {
      for await (const event of log.readAll({ after })) {
        yield event;
        after = event.position;
      }
      return;
    } catch (error) {
      if (!(error instanceof StoreUnusable) || past === null || refusals === MAX_REFUSALS) throw error;
    }
    for (;;) {
      const item = await one(log.readAll({ after, limit: 1 }));
      if (item === null) return;
      yield item;
      if (!isRefused(item)) after = item.position;
      else if ((after = past(after)) >= end) return;
      else break;
    }
  }
}

/** The position of the event that follows a position of an embedded log, whose positions have no gaps. */
export const pastNext = (position: Position): Position => toPosition(toSequence(position) + 1);

const one = async (events: AsyncIterable<RecordedEvent>): Promise<RecordedEvent | Refused | null> => {
  try {
    for await (const event of events) return event;
    return null;
  } catch (error) {
    if (error instanceof StoreUnusable) return { refusal: error.message };
    throw error;
  }
};
