import { crc32 } from 'node:zlib';
import type { StoredDocument } from '../port.js';

/**
 * A document as LMDB keeps it. What a guarded write compares stands in front, so that it parses nothing:
 *
 *     u32 checksum of all that follows | u8 bytes of the position | u32 bytes of the entries | position | entries | JSON text
 *
 * `entries` are the document's keys in the index store, each behind its length as u16, in the order of the
 * indexes' names: equal bytes mean that no index changes.
 */
const POSITION_SIZE = 4;
const ENTRIES_SIZE = 5;
const HEADER = 9;

/** The part of a record that says what it is, without its text. */
export interface RecordHead {
  readonly checksum: number;
  readonly position: string;
  readonly entriesStart: number;
  readonly textStart: number;
}

/** LMDB lends its bytes only until the next read, and lies about their length: sizes are passed on. */
export interface Lent {
  readonly bytes: Buffer;
  readonly size: number;
}

/** Index entries as one run of bytes. */
export function packEntries(keys: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  for (const key of keys) {
    const size = Buffer.allocUnsafe(2);
    size.writeUInt16BE(key.length);
    parts.push(size, key);
  }
  return Buffer.concat(parts);
}

/** The keys that `packEntries` was given. */
export function unpackEntries(packed: Buffer): Buffer[] {
  const keys: Buffer[] = [];
  for (let at = 0; at + 2 <= packed.length;) {
    const end = at + 2 + packed.readUInt16BE(at);
    keys.push(packed.subarray(at + 2, end));
    at = end;
  }
  return keys;
}

export function encodeRecord(position: string, entries: Buffer, text: string): Buffer {
  const positionBytes = Buffer.byteLength(position);
  if (positionBytes > 255) throw new TypeError('A position is at most 255 bytes long.');
  const textStart = HEADER + positionBytes + entries.length;
  const record = Buffer.allocUnsafe(textStart + Buffer.byteLength(text));
  record[POSITION_SIZE] = positionBytes;
  record.writeUInt32BE(entries.length, ENTRIES_SIZE);
  record.write(position, HEADER);
  entries.copy(record, HEADER + positionBytes);
  record.write(text, textStart);
  record.writeUInt32BE(crc32(record.subarray(POSITION_SIZE)), 0);
  return record;
}

/** @returns `null` where the bytes are no record */
export function readHead({ bytes, size }: Lent): RecordHead | null {
  if (size < HEADER) return null;
  const entriesStart = HEADER + (bytes[POSITION_SIZE] ?? 0);
  const textStart = entriesStart + bytes.readUInt32BE(ENTRIES_SIZE);
  if (textStart >= size) return null;
  const position = bytes.toString('utf8', HEADER, entriesStart);
  return { checksum: bytes.readUInt32BE(0), position, entriesStart, textStart };
}

/** A copy of the record's entries, which outlives the lent bytes. */
export const copyEntries = ({ bytes }: Lent, { entriesStart, textStart }: RecordHead): Buffer =>
  Buffer.from(bytes.subarray(entriesStart, textStart));

/** @returns `null` where the record is not as it was written */
export function readDocument(
  { bytes, size }: Lent,
  { checksum, textStart }: RecordHead,
): StoredDocument | null {
  if (crc32(bytes.subarray(POSITION_SIZE, size)) !== checksum) return null;
  return JSON.parse(bytes.toString('utf8', textStart, size)) as StoredDocument;
}
