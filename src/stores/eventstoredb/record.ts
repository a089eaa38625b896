import {
  START,
  type EncodedEvent,
  type Position,
  type RecordedEvent,
  type StreamName,
  isStreamName,
} from '../../core/event-store.js';
import type { ProposedEvent, RawEvent, RawPosition, StreamFilter } from './drivers/driver.js';

const LOG_NAME = /^[A-Za-z0-9_-]{1,100}$/;

/** Whether a text can name a log. It has no dot: a dot ends the log's name in a stored name. */
export const isLogName = (name: string): boolean => LOG_NAME.test(name);

/**
 * How one log's streams are named at the server, which may hold several logs: `name.<stream>`, or plainly if the log
 * has no name. No stream name has a dot, so the two forms cannot be confused.
 */
export class LogNames {
  /** The stream whose first event is the log's identity; no stream name itself. */
  readonly identity: string;
  /** Selects this log's events for a subscription: the server sends neither those of other logs nor its own. */
  readonly filter: StreamFilter;
  readonly #prefix: string;

  constructor(log: string | null) {
    this.#prefix = log === null ? '' : `${log}.`;
    this.identity = `${this.#prefix}assay_log`;
    this.filter = log === null ? { regex: '^[A-Za-z0-9_-]+$' } : { prefixes: [this.#prefix] };
  }

  /** The name under which a stream of this log is stored. */
  stored(stream: StreamName): string {
    return this.#prefix + stream;
  }

  /** The stream of this log that is stored under a name; `null`: it belongs to another log or another program. */
  own(stored: string): StreamName | null {
    if (!stored.startsWith(this.#prefix)) return null;
    const name = this.#prefix === '' ? stored : stored.slice(this.#prefix.length);
    return isStreamName(name) ? name : null;
  }
}

/*
 * The commit position, then the prepare position, 16 hex digits each, so that byte order compares commits first. So a
 * checkpoint (C, 0) sorts before the event at (C, C), as it must: it covers everything before C.
 */
const HALF = 16;
const POSITION = /^[0-9a-f]{32}$/;
/** The server's number for an unknown position. */
const NONE = 0xffff_ffff_ffff_ffffn;

const half = (part: bigint): string => part.toString(16).padStart(HALF, '0');

/** Whether a position is present and known. */
export const isKnown = (raw: RawPosition | null | undefined): raw is RawPosition =>
  raw !== null && raw !== undefined && raw.commit < NONE && raw.prepare < NONE && raw.commit >= 0n;

/** The position as hex, so that the order of texts is that of positions. */
export function toPosition({ commit, prepare }: RawPosition): Position {
  const first = half(commit);
  return (first + (prepare === commit ? first : half(prepare))) as Position;
}

/** Whether it is the position of an event; a checkpoint's may be between two. */
export const isOnRecord = (position: Position): boolean =>
  position !== START && position.slice(0, HALF) === position.slice(HALF);

/** `null` for `START`. @throws {RangeError} the text is not a position of this adapter */
export function toRaw(position: Position): RawPosition | null {
  if (position === START) return null;
  if (!POSITION.test(position)) throw new RangeError('This is not a position of an EventStoreDB log.');
  return {
    commit: BigInt(`0x${position.slice(0, HALF)}`),
    prepare: BigInt(`0x${position.slice(HALF)}`),
  };
}

/*
 * Both clients parse JSON and drop its bytes. Metadata that would not be restored byte by byte from its JSON is stored
 * behind this mark, with which no JSON begins. Such data is stored as bytes.
 */
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NOTHING = Buffer.alloc(0);

/**
 * @returns the event for the client, with a copy of its bytes. Its data is JSON if the same bytes can be restored from
 *   it
 */
export function toProposed({ id, type, data, metadata }: EncodedEvent): ProposedEvent {
  const common = {
    id,
    type,
    // No Buffer: the clients would store the JSON of one.
    metadata: new Uint8Array(needsMark(bytesOf(metadata)) ? Buffer.concat([MARK, metadata]) : metadata),
  };
  const json = asJson(bytesOf(data));
  return json?.isExact && isObject(json.value)
    ? { ...common, contentType: 'application/json', data: json.value }
    : { ...common, contentType: 'application/octet-stream', data: new Uint8Array(data) };
}

/** @param position the server's, in the port's form */
export const toRecorded = (stream: StreamName, position: Position, raw: RawEvent): RecordedEvent => ({
  stream,
  revision: Number(raw.revision),
  position,
  id: raw.id,
  type: raw.type,
  // The client's own array: a Buffer over the same bytes would cost as much as the rest of an event.
  data: raw.data instanceof Uint8Array ? raw.data : bytesOf(raw.data),
  metadata: metadataOf(raw.metadata),
});

/** An event's size in bytes, as pages and buffers count it. */
export const weightOf = ({ data, metadata }: RecordedEvent): number => data.byteLength + metadata.byteLength;

const needsMark = (metadata: Buffer): boolean => {
  if (startsMarked(metadata)) return true;
  const json = asJson(metadata);
  return json !== null && !json.isExact;
};

/** The JSON value in some bytes, and whether its text is exactly these bytes; `null`: they are not JSON. */
function asJson(bytes: Buffer): { readonly value: unknown; readonly isExact: boolean } | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return { value, isExact: bytesOf(value).equals(bytes) };
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function metadataOf(metadata: unknown): Buffer {
  if (metadata === undefined) return NOTHING;
  const bytes = bytesOf(metadata);
  return startsMarked(bytes) ? bytes.subarray(MARK.length) : bytes;
}

const startsMarked = (bytes: Buffer): boolean =>
  bytes[0] === MARK[0] && bytes.subarray(0, MARK.length).equals(MARK);

/** The bytes without a copy; for a value that a client has parsed (another program wrote it as JSON), its JSON. */
function bytesOf(value: unknown): Buffer {
  return ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(JSON.stringify(value));
}

/** The stream of this log that an event belongs to; `null`: it is another log's, or the server's own. */
export const ownStream = (
  names: LogNames,
  { streamId, type }: Pick<RawEvent, 'streamId' | 'type'>,
): StreamName | null => (type.startsWith('$') ? null : names.own(streamId));

/** The error of an event that the server sent without its position. */
export const missingPosition = ({ streamId, revision }: RawEvent): Error =>
  new Error(`event ${revision} of ${streamId} came without its position`);
