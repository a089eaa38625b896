import type { EncodedEvent, Expected, StreamName } from '../../../core/event-store.js';
import { assertAppendable } from '../../../core/port-checks.js';
import { encodeRecord } from './record.js';

/** An append with all its bytes made: what is left for the transaction cannot fail for what the caller gave. */
export interface PreparedAppend {
  readonly stream: StreamName;
  readonly expected: Expected;
  /** The first event's revision. */
  readonly first: number;
  readonly ids: readonly string[];
  readonly records: readonly Buffer[];
}

/** @throws {AppendRefused} no store would take it, however often it is sent */
export function prepare(
  stream: StreamName,
  expected: Expected,
  events: readonly EncodedEvent[],
): PreparedAppend {
  assertAppendable(stream, expected, events);
  const first = expected === 'no-stream' ? 0 : expected + 1;
  const count = events.length;
  return {
    stream,
    expected,
    first,
    ids: events.map(({ id }) => id),
    records: events.map((event, ordinal) => encodeRecord(stream, first + ordinal, { ordinal, count }, event)),
  };
}
