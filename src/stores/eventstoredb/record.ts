import type { EncodedEvent, Position, RecordedEvent, StreamName } from '../../core/event-store.js';
import type { ProposedEvent, RawEvent } from './drivers/driver.js';

/*
 * Both clients parse metadata that is JSON and keep no bytes of it. What would come back otherwise than it was sent
 * is stored behind this mark, with which no JSON begins.
 */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NOTHING = Buffer.alloc(0);

/** @returns the event with bytes of its own, as the client takes it */
export function toProposed({ id, type, data, metadata }: EncodedEvent): ProposedEvent {
  return {
    id,
    type,
    contentType: 'application/octet-stream',
    data: new Uint8Array(data),
    // No Buffer: the clients would store the JSON of one.
    metadata: new Uint8Array(comesBack(metadata) ? metadata : Buffer.concat([MARK, metadata])),
  };
}

/** @param position as the server said it, in the port's form */
export const toRecorded = (stream: StreamName, position: Position, raw: RawEvent): RecordedEvent => ({
  stream,
  revision: Number(raw.revision),
  position,
  id: raw.id,
  type: raw.type,
  // As the client made them: another view of the same bytes costs as much as the rest of an event.
  data: raw.data instanceof Uint8Array ? raw.data : bytesOf(raw.data),
  metadata: metadataOf(raw.metadata),
});

/** What a page or a buffer counts of an event. */
export const weightOf = ({ data, metadata }: RecordedEvent): number => data.byteLength + metadata.byteLength;

function comesBack(metadata: Uint8Array): boolean {
  const bytes = bytesOf(metadata);
  if (startsMarked(bytes)) return false;
  let parsed: unknown;
  try {
    parsed = JSON.parse(bytes.toString());
  } catch {
    return true;
  }
  return bytesOf(parsed).equals(bytes);
}

function metadataOf(metadata: unknown): Buffer {
  if (metadata === undefined) return NOTHING;
  const bytes = bytesOf(metadata);
  return startsMarked(bytes) ? bytes.subarray(MARK.length) : bytes;
}

const startsMarked = (bytes: Buffer): boolean =>
  bytes[0] === MARK[0] && bytes.subarray(0, MARK.length).equals(MARK);

/** Without a copy where they are bytes; else as whoever wrote JSON with a JSON type meant them. */
function bytesOf(value: unknown): Buffer {
  return ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(JSON.stringify(value));
}
