import type { Database } from 'lmdb';
import { crc32 } from 'node:zlib';
import type { StoredDocument } from '../../read-store.js';
import type { Current } from '../../rules.js';

/**
 * A document's record in LMDB. The fields that a guarded write compares come first, so that it parses nothing:
 *
 *     u32 checksum of all that follows | u8 bytes of the position | u8 bytes of the repairs | u24 bytes of the entries |
 *     position | repairs | entries | JSON text
 *
 * `repairs` is their number as u32, nothing if there were none. `entries` are the document's keys in the index store,
 * each behind its length as u16, in the order of the indexes' names: equal bytes mean that no index changes.
 */
const POSITION_SIZE = 4;
const REPAIRS_SIZE = 5;
const ENTRIES_SIZE = 6;
const HEADER = 9;

/** A record without its text. */
export interface RecordHead extends Current {
  readonly checksum: number;
  readonly entriesStart: number;
  readonly textStart: number;
}

/** LMDB's own bytes of a value, valid only until the next read. The length of `bytes` may be wrong: use `size`. */
export interface Lent {
  readonly bytes: Buffer;
  readonly size: number;
}

/** A value's bytes without copying them; `null` if there is none. */
export const lend = (database: Database<Buffer, Buffer>, key: Buffer): Lent | null => {
  const bytes: Uint8Array | undefined = database.getBinaryFast(key);
  if (!bytes) return null;
  if (Buffer.isBuffer(bytes)) return { bytes, size: bytes.length };
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), size: bytes.byteLength };
};

/** Index entries as one run of bytes. */
export function packEntries(keys: readonly Buffer[]): Buffer {
  let size = 0;
  for (const key of keys) size += 2 + key.length;
  const packed = Buffer.allocUnsafe(size);
  let at = 0;
  for (const key of keys) {
    at = packed.writeUInt16BE(key.length, at);
    packed.set(key, at);
    at += key.length;
  }
  return packed;
}

/** The keys that `packEntries` was given. */
function unpackEntries(packed: Buffer): readonly Buffer[] {
  const keys: Buffer[] = [];
  for (let at = 0; at + 2 <= packed.length;) {
    const end = at + 2 + packed.readUInt16BE(at);
    keys.push(packed.subarray(at + 2, end));
    at = end;
  }
  return keys;
}

/** A document's record. @param entries its packed index keys @param text its body as JSON */
export function encodeRecord({ position, repairs }: Current, entries: Buffer, text: string): Buffer {
  const positionBytes = Buffer.byteLength(position);
  if (positionBytes > 255) throw new TypeError('A position is at most 255 bytes long.');
  const repairsBytes = repairs === 0 ? 0 : 4;
  const entriesStart = HEADER + positionBytes + repairsBytes;
  const textStart = entriesStart + entries.length;
  const record = Buffer.allocUnsafe(textStart + Buffer.byteLength(text));
  record[POSITION_SIZE] = positionBytes;
  record[REPAIRS_SIZE] = repairsBytes;
  record.writeUIntBE(entries.length, ENTRIES_SIZE, HEADER - ENTRIES_SIZE);
  record.write(position, HEADER);
  if (repairsBytes > 0) record.writeUInt32BE(repairs, HEADER + positionBytes);
  entries.copy(record, entriesStart);
  record.write(text, textStart);
  record.writeUInt32BE(crc32(record.subarray(POSITION_SIZE)), 0);
  return record;
}

/** @returns `null` if the bytes are not a record */
export function readHead({ bytes, size }: Lent): RecordHead | null {
  if (size < HEADER) return null;
  const repairsStart = HEADER + (bytes[POSITION_SIZE] ?? 0);
  const repairsBytes = bytes[REPAIRS_SIZE] ?? 0;
  const entriesStart = repairsStart + repairsBytes;
  const textStart = entriesStart + bytes.readUIntBE(ENTRIES_SIZE, HEADER - ENTRIES_SIZE);
  if (textStart >= size || (repairsBytes !== 0 && repairsBytes !== 4)) return null;
  const position = bytes.toString('utf8', HEADER, repairsStart);
  const repairs = repairsBytes === 0 ? 0 : bytes.readUInt32BE(repairsStart);
  return { checksum: bytes.readUInt32BE(0), position, repairs, entriesStart, textStart };
}

/** A copy of the record's index entries that stays valid after the next read; `the same` if they equal `packed`. */
export const entriesUnless = (
  { bytes }: Lent,
  { entriesStart, textStart }: RecordHead,
  packed: Buffer,
): readonly Buffer[] | 'the same' =>
  bytes.compare(packed, 0, packed.length, entriesStart, textStart) === 0
    ? 'the same'
    : unpackEntries(Buffer.from(bytes.subarray(entriesStart, textStart)));

/** @returns `null` if the record is not as it was written */
export function readDocument(
  { bytes, size }: Lent,
  { checksum, textStart }: RecordHead,
): StoredDocument | null {
  if (crc32(bytes.subarray(POSITION_SIZE, size)) !== checksum) return null;
  return JSON.parse(bytes.toString('utf8', textStart, size)) as StoredDocument;
}
