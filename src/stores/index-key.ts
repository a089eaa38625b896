import { createHash } from 'node:crypto';
import type { IndexKey, Keys } from './read-store.js';

/*
 * Index keys as bytes that sort as the keys do, for LMDB; the MongoDB adapter uses them in cursors only. The bytes of a
 * key are those of its parts, one after the other; in an index entry those of the document's id follow:
 *
 *     number   NUMBER, then 8 bytes, big-endian: the number plus 2^53
 *     text     STRING (an id: ID), its UTF-8 bytes with each zero byte followed by ESCAPED, then a zero byte
 *     a text longer than EXACT_BYTES: the same of its first EXACT_BYTES, then ABBREVIATED and the SHA-256 of it all
 */

/** The most parts that one index key may have, so that an encoded key fits every store's limit. */
export const MAX_KEY_PARTS = 5;

/**
 * Strings are ordered exactly by this many bytes; those that have the same first bytes have an arbitrary, fixed order.
 */
export const EXACT_BYTES = 255;

/** The longest encoding of one part or id. */
export const MAX_PART_BYTES = 1 + EXACT_BYTES + 2 + 32;

// Every tag is below ESCAPED and ABBREVIATED, which alone may follow a zero byte inside a string.
const ID = 0x01;
const NUMBER = 0x10;
const STRING = 0x20;
const ABBREVIATED = 0xfe;
const ESCAPED = 0xff;

/**
 * Ends a range: a key's bytes followed by `BEHIND` sort after every key that begins with the key's parts. Keys that
 * begin with its bytes, but not with its parts, sort after that: their last common part is a longer text, in which an
 * escaped zero or an abbreviation follows.
 */
export const BEHIND = Buffer.of(ABBREVIATED);

/** A number is written as two halves of 32 bits: the unit of the upper one. */
const UPPER_HALF = 2 ** 32;
/** Added to the upper half, so that it is never negative: the least safe integer is above -(2^53). */
const UPPER_OFFSET = 2 ** 21;

/** A document's key in an index that sorts by these values; `null`: the index does not list it. */
export function indexKeyOf(names: readonly string[], keys: Keys): IndexKey | null {
  const key: (string | number)[] = [];
  for (const name of names) {
    const value = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (value === undefined) return null;
    key.push(value);
  }
  return key;
}

/**
 * Refuses a key that no store accepts: a programming error of the view that made it.
 * @throws {TypeError} too many parts, or one that is neither a string nor a safe integer
 */
export function assertIndexKey(key: IndexKey): void {
  if (key.length > MAX_KEY_PARTS) {
    throw new TypeError(`An index key has at most ${MAX_KEY_PARTS} parts, this one has ${key.length}.`);
  }
  assertSortable(key);
}

/** @throws {TypeError} one of the values is neither a string nor a safe integer */
export function assertSortable(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== 'string' && !Number.isSafeInteger(value)) {
      throw new TypeError(`An index key is made of strings and safe integers, not of ${String(value)}.`);
    }
  }
}

/**
 * An index key as bytes that sort as the keys do: numbers before strings, and a key before all that begin with its parts,
 * whose bytes begin with its bytes. A lone surrogate counts as U+FFFD, as UTF-8 has none.
 * @throws {TypeError} as `assertIndexKey`
 */
export function encodeKey(key: IndexKey): Buffer {
  assertIndexKey(key);
  return Buffer.from(scratch.subarray(0, writeKey(key)));
}

/**
 * The key of a document's entry in LMDB: the prefix, the document's index key and its id.
 * @param prefix what all keys of the index begin with
 * @param key one that `assertIndexKey` accepts
 */
export function encodePlace(prefix: Buffer, key: IndexKey, id: string): Buffer {
  const size = writeText(ID, id, writeKey(key));
  const place = Buffer.allocUnsafe(prefix.length + size);
  place.set(prefix);
  place.set(scratch.subarray(0, size), prefix.length);
  return place;
}

/**
 * For a range of texts that begin with `text`: the bytes of a string part begin with the returned ones if, and only if,
 * its text begins with `text`.
 * @throws {TypeError} the text has more than `EXACT_BYTES`
 */
export function encodeStart(text: string): Buffer {
  const end = writeText(STRING, text, 0) - 1;
  if (end - 1 > EXACT_BYTES)
    throw new TypeError(`A text to start with is at most ${EXACT_BYTES} bytes long.`);
  return Buffer.from(scratch.subarray(0, end));
}

/** An id as bytes in id order. It ends a key in an index: its tag sorts before any further part. */
export const encodeId = (id: string): Buffer => Buffer.from(scratch.subarray(0, writeText(ID, id, 0)));

/** Keys are written here, then copied: a buffer for each part would cost more than its bytes. */
const scratch = Buffer.allocUnsafe((MAX_KEY_PARTS + 1) * MAX_PART_BYTES);

/** Writes a key at the beginning of `scratch`. @returns where it ends there */
function writeKey(key: IndexKey): number {
  let at = 0;
  for (const part of key) at = typeof part === 'number' ? writeNumber(part, at) : writeText(STRING, part, at);
  return at;
}

function writeNumber(value: number, at: number): number {
  const upper = Math.floor(value / UPPER_HALF);
  scratch[at] = NUMBER;
  scratch.writeUInt32BE(upper + UPPER_OFFSET, at + 1);
  return scratch.writeUInt32BE(value - upper * UPPER_HALF, at + 5);
}

function writeText(tag: number, text: string, at: number): number {
  if (text.includes('\0') || Buffer.byteLength(text) > EXACT_BYTES) {
    const escaped = encodeEscaped(tag, Buffer.from(text));
    scratch.set(escaped, at);
    return at + escaped.length;
  }
  scratch[at] = tag;
  const end = at + 1 + scratch.write(text, at + 1);
  scratch[end] = 0;
  return end + 1;
}

/** The bytes of a text that has zero bytes, or is longer than `EXACT_BYTES`. */
function encodeEscaped(tag: number, source: Buffer): Buffer {
  const bytes = [tag];
  for (const byte of source) {
    const width = byte === 0 ? 2 : 1;
    if (bytes.length - 1 + width > EXACT_BYTES) {
      const hash = createHash('sha256').update(source).digest();
      return Buffer.concat([Buffer.from([...bytes, 0, ABBREVIATED]), hash]);
    }
    bytes.push(byte);
    if (byte === 0) bytes.push(ESCAPED);
  }
  bytes.push(0);
  return Buffer.from(bytes);
}
