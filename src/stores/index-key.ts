import { createHash } from 'node:crypto';
import type { IndexKey, Keys } from './read-store.js';

/** The most parts that one index key may have, so that an encoded key fits every store's limit. */
export const MAX_KEY_PARTS = 5;

/** Strings are ordered exactly by this many bytes; those that agree in all of them keep an arbitrary, fixed order. */
export const EXACT_BYTES = 255;

/** The longest encoding of one part or id. */
export const MAX_PART_BYTES = 1 + EXACT_BYTES + 2 + 32;

// Every tag is below ESCAPED and ABBREVIATED, which alone may follow a zero byte inside a string.
const ID = 0x01;
const NUMBER = 0x10;
const STRING = 0x20;
const ABBREVIATED = 0xfe;
const ESCAPED = 0xff;

/** Behind a key's bytes: sorts after everything that begins with that key, and before all else that begins with its bytes. */
export const BEHIND = Buffer.of(ABBREVIATED);

const HIGH = 2 ** 32;
const HIGH_OFFSET = 2 ** 21;

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
 * Refuses a key that no store would take: a programming error of the view that made it.
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
 * An index key as bytes whose order is the key's order: shorter keys before longer ones, numbers before strings,
 * and the bytes of a prefix are a prefix of the bytes (where another key begins with them, it sorts after `BEHIND`). A lone surrogate counts as U+FFFD, as UTF-8 has none.
 * @throws {TypeError} as `assertIndexKey`
 */
export function encodeKey(key: IndexKey): Buffer {
  assertIndexKey(key);
  return Buffer.concat(
    key.map((part) => (typeof part === 'number' ? encodeNumber(part) : encodeText(STRING, part))),
  );
}

/**
 * The bytes that every string part begins with whose text begins with this one, and no other part.
 * @throws {TypeError} it is longer than strings are told apart by
 */
export function encodeStart(text: string): Buffer {
  const whole = encodeText(STRING, text);
  if (whole.length - 2 > EXACT_BYTES)
    throw new TypeError(`A text to start with is at most ${EXACT_BYTES} bytes long.`);
  return whole.subarray(0, -1);
}

/** An id as bytes in id order. It ends a key in an index: its tag sorts before any further part. */
export const encodeId = (id: string): Buffer => encodeText(ID, id);

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(9);
  const high = Math.floor(value / HIGH);
  bytes[0] = NUMBER;
  bytes.writeUInt32BE(high + HIGH_OFFSET, 1);
  bytes.writeUInt32BE(value - high * HIGH, 5);
  return bytes;
}

function encodeText(tag: number, text: string): Buffer {
  const size = Buffer.byteLength(text);
  const zeros = text.includes('\0');
  if (!zeros && size <= EXACT_BYTES) {
    const bytes = Buffer.allocUnsafe(size + 2);
    bytes[0] = tag;
    bytes.write(text, 1);
    bytes[size + 1] = 0;
    return bytes;
  }
  return encodeAwkward(tag, Buffer.from(text));
}

/** Zero bytes are escaped so that the closing one is the only one of its kind; what is too long ends in its hash. */
function encodeAwkward(tag: number, source: Buffer): Buffer {
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
