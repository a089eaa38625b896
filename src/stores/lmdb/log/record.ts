import { crc32 } from 'node:zlib';
import {
  type EncodedEvent,
  type Position,
  type RecordedEvent,
  type Revision,
  START,
  type StreamName,
} from '../../../core/event-store.js';
import { Damaged } from '../faults.js';

/** The number of an event in the whole log, counted from 1 without a gap. 0: before the first. */
export type Sequence = number;

// 14 hex digits hold every safe integer, so the width never changes.
const WIDTH = 14;
const POSITION = /^[0-9a-f]{14}$/;

/** The position of the event with that number; of 0, `START`. */
export const toPosition = (sequence: Sequence): Position =>
  sequence === 0 ? START : (sequence.toString(16).padStart(WIDTH, '0') as Position);

/** @throws {RangeError} the text is not a position of this adapter */
export function toSequence(position: Position): Sequence {
  if (position === START) return 0;
  const sequence = POSITION.test(position) ? Number.parseInt(position, 16) : Number.NaN;
  if (!Number.isSafeInteger(sequence) || sequence === 0) {
    throw new RangeError('This is not a position of an embedded log.');
  }
  return sequence;
}

/*
 * An event's bytes, big-endian: checksum u32 over all that follows | format u8 | lengths of stream, type and id u8 each
 * (`assertAppendable` refuses longer ones) | revision u48 | ordinal in its append u32 | events of its append u32 |
 * length of data u32 | stream, type, id, data, metadata. By ordinal and number of events, the log distinguishes a
 * repeated append, which gets the first answer, from an append of some of its events, which is a conflict.
 */
const FORMAT = 1;
/** Where the bytes begin that the checksum covers. */
const CHECKED_FROM = 4;
const HEADER = 26;

/** The place of an event in its append. */
export interface Place {
  readonly ordinal: number;
  readonly count: number;
}

/** An event's record, as `decodeRecord` reads it. */
export function encodeRecord(
  stream: StreamName,
  revision: Revision,
  { ordinal, count }: Place,
  event: EncodedEvent,
): Buffer {
  const typeBytes = Buffer.byteLength(event.type);
  const idBytes = Buffer.byteLength(event.id);
  const { data, metadata } = event;
  const record = Buffer.allocUnsafe(
    HEADER + stream.length + typeBytes + idBytes + data.byteLength + metadata.byteLength,
  );
  record[4] = FORMAT;
  record[5] = stream.length;
  record[6] = typeBytes;
  record[7] = idBytes;
  record.writeUIntBE(revision, 8, 6);
  record.writeUInt32BE(ordinal, 14);
  record.writeUInt32BE(count, 18);
  record.writeUInt32BE(data.byteLength, 22);
  let at = HEADER;
  at += record.write(stream, at, 'latin1');
  at += record.write(event.type, at);
  at += record.write(event.id, at);
  record.set(data, at);
  record.set(metadata, at + data.byteLength);
  record.writeUInt32BE(crc32(record.subarray(CHECKED_FROM)), 0);
  return record;
}

/**
 * @param record its bytes become the event's: they must be the caller's own, not LMDB's
 * @throws {Damaged} the bytes are not those that `encodeRecord` made
 */
export function decodeRecord(sequence: Sequence, record: Buffer): RecordedEvent {
  assertWhole(sequence, record);
  const typeAt = HEADER + record.readUInt8(5);
  const idAt = typeAt + record.readUInt8(6);
  const dataAt = idAt + record.readUInt8(7);
  const metadataAt = dataAt + record.readUInt32BE(22);
  return {
    stream: record.toString('latin1', HEADER, typeAt) as StreamName,
    revision: record.readUIntBE(8, 6),
    position: toPosition(sequence),
    id: record.toString('utf8', idAt, dataAt),
    type: record.toString('utf8', typeAt, idAt),
    data: record.subarray(dataAt, metadataAt),
    metadata: record.subarray(metadataAt),
  };
}

/** The place of a record in its append, without decoding the rest. */
export function placeOf(sequence: Sequence, record: Buffer): Place {
  assertWhole(sequence, record);
  return { ordinal: record.readUInt32BE(14), count: record.readUInt32BE(18) };
}

function assertWhole(sequence: Sequence, record: Buffer): void {
  if (record.byteLength < HEADER || record.readUInt32BE(0) !== crc32(record.subarray(CHECKED_FROM))) {
    throw new Damaged(`event ${sequence} of the log does not match its checksum`);
  }
  if (record[4] !== FORMAT) {
    throw new Damaged(`event ${sequence} of the log has the unknown format ${record[4]}`);
  }
}
