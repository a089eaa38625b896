import { BSON, type Document } from 'mongodb';
import type { Json } from '../../read-store.js';

/** A body as stored in MongoDB: BSON that a reader can query, or JSON text. */
export type StoredBody = Document | string;

/** MongoDB allows 100 levels; a record and its filter need some of them. */
const DEEPEST = 80;
/** A time as this service writes it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNUSABLE_NAME = /^$|^\$|^__proto__$|[.%\0]/;
const CHARACTERS = /^$|^\$|^_(?=_proto__$)|[.%\0]/g;
const ESCAPED = /%([0-9A-F]{2}|)/g;

/** The value cannot be restored exactly from BSON. */
class NotExact extends Error {}

/**
 * An object becomes BSON, with times as dates. Names that MongoDB would take for operators or paths are escaped by `%`
 * and two hex digits. Other values, objects of over 80 levels and texts with half a surrogate pair are kept as JSON text.
 */
export function storedBody(body: Json): StoredBody {
  if (!isObject(body)) return JSON.stringify(body);
  try {
    return stored(body, DEEPEST) as Document;
  } catch (error) {
    if (error instanceof NotExact) return JSON.stringify(body);
    throw error;
  }
}

/** The inverse. @throws {SyntaxError} the text is no JSON */
export function bodyOf(body: StoredBody): Json {
  return typeof body === 'string' ? (JSON.parse(body) as Json) : read(body);
}

/** Bytes of a body as stored in MongoDB. */
export const bytesOf = (body: StoredBody): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : BSON.calculateObjectSize(body);

function stored(value: Json, levels: number): unknown {
  if (typeof value === 'string') return storedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw new NotExact();
  if (!isObject(value)) return value.map((item) => stored(item, levels - 1));
  const document: Document = {};
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed()) throw new NotExact();
    document[UNUSABLE_NAME.test(name) ? escaped(name) : name] = stored(member, levels - 1);
  }
  return document;
}

function storedText(text: string): string | Date {
  if (!text.isWellFormed()) throw new NotExact();
  if (text.length !== 24 || !TIME.test(text)) return text;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text ? date : text;
}

function read(value: unknown): Json {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.includes('%') ? unescaped(name) : name,
      read(member),
    ]),
  );
}

const escaped = (name: string): string =>
  name.replace(CHARACTERS, (character) =>
    character === '' ? '%' : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

const unescaped = (name: string): string =>
  name.replace(ESCAPED, (_, code: string) => (code === '' ? '' : String.fromCharCode(parseInt(code, 16))));

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
