import { AppendRefused } from '../errors.js';
import { MAX_APPEND_BYTES, type EncodedEvent, type Expected, type StreamName } from '../port.js';
import { isStreamName } from '../stream-name.js';
import { encodeRecord, MAX_LABEL_BYTES } from './record.js';

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
  if (typeof stream !== 'string' || !isStreamName(stream)) {
    throw new AppendRefused(
      'A stream is named <kind>-<id>, with at most 200 characters of letters, digits, _ and -.',
    );
  }
  if (expected !== 'no-stream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new AppendRefused("An append expects a revision (0 or more) or 'no-stream'.");
  }
  if (events.length === 0) throw new AppendRefused('An append holds at least one event.');
  const ids = events.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) {
    throw new AppendRefused('The events of an append have different ids.');
  }
  for (const { id, type } of events) {
    assertLabel('id', id);
    assertLabel('type', type);
  }
  const size = events.reduce((sum, { data, metadata }) => sum + data.byteLength + metadata.byteLength, 0);
  if (size > MAX_APPEND_BYTES) {
    throw new AppendRefused(`The append holds ${size} bytes; ${MAX_APPEND_BYTES} are the most that one may.`);
  }
  const first = expected === 'no-stream' ? 0 : expected + 1;
  const count = events.length;
  return {
    stream,
    expected,
    first,
    ids,
    records: events.map((event, ordinal) => encodeRecord(stream, first + ordinal, { ordinal, count }, event)),
  };
}

function assertLabel(what: string, label: string): void {
  if (typeof label !== 'string' || label === '' || Buffer.byteLength(label) > MAX_LABEL_BYTES) {
    throw new AppendRefused(`An event's ${what} is a text of 1 to ${MAX_LABEL_BYTES} bytes.`);
  }
}
