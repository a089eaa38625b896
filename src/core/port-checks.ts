import { AppendRefused, AppendTooLarge } from './errors.js';
import {
  MAX_APPEND_BYTES,
  type EncodedEvent,
  type EventStore,
  type Expected,
  type StreamName,
} from './event-store.js';
import { isStreamName } from './stream-name.js';

/** Longest type and id of an event, in UTF-8 bytes. */
export const MAX_LABEL_BYTES = 255;

/** What `MAX_APPEND_BYTES` bounds: the bytes of an append as EventStoreDB counts them. */
export const appendBytes = (events: readonly EncodedEvent[]): number =>
  events.reduce(
    (sum, { type, data, metadata }) => sum + data.byteLength + metadata.byteLength + 2 * type.length,
    0,
  );

/**
 * What every adapter asks of an append before it touches its store.
 * @throws {AppendRefused} no store would take it, however often it is sent
 */
export function assertAppendable(
  stream: StreamName,
  expected: Expected,
  events: readonly EncodedEvent[],
): void {
  if (typeof stream !== 'string' || !isStreamName(stream)) {
    throw new AppendRefused(
      'A stream is named <kind>-<id>, with at most 200 characters of letters, digits, _ and -.',
    );
  }
  if (expected !== 'no-stream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new AppendRefused("An append expects a revision (0 or more) or 'no-stream'.");
  }
  if (events.length === 0) throw new AppendRefused('An append holds at least one event.');
  if (new Set(events.map(({ id }) => id)).size !== events.length) {
    throw new AppendRefused('The events of an append have different ids.');
  }
  for (const { id, type } of events) {
    assertLabel('id', id);
    assertLabel('type', type);
    if (type.startsWith('$')) throw new AppendRefused("Types that begin with $ are the store's own.");
  }
  const size = appendBytes(events);
  if (size > MAX_APPEND_BYTES) {
    throw new AppendTooLarge(
      `The append holds ${size} bytes; ${MAX_APPEND_BYTES} are the most that one may.`,
    );
  }
}

function assertLabel(what: string, label: string): void {
  if (typeof label !== 'string' || label === '' || Buffer.byteLength(label) > MAX_LABEL_BYTES) {
    throw new AppendRefused(`An event's ${what} is a text of 1 to ${MAX_LABEL_BYTES} bytes.`);
  }
}

export type ReadAllOptions = NonNullable<Parameters<EventStore['readAll']>[0]>;

/** @throws {TypeError} a read of the log has two beginnings */
export function assertOneStart({ after, from }: ReadAllOptions): void {
  if (after !== undefined && from !== undefined)
    throw new TypeError('A read of the log begins after a position or from one, not both.');
}
