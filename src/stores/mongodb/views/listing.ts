import type { Filter } from 'mongodb';
import { createHash } from 'node:crypto';
import { BadCursor } from '../../errors.js';
import { EXACT_BYTES } from '../../index-key.js';
import type { IndexKey, Keys, PageOptions } from '../../read-store.js';

/** The fields of a document that lists use. */
export interface Listed {
  readonly _id: string;
  /** The values that it is listed by, encoded so that every server sorts them alike. Left out: it is in no list. */
  readonly keys?: Keys;
}

/** The values that a document is listed by, as MongoDB sorts them. */
export const storedKeys = (keys: Keys): Keys =>
  Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, stored(value)]));

/** The fields that an index sorts by, before `_id`. */
export const fieldsOf = (names: readonly string[]): readonly string[] => names.map((name) => `keys.${name}`);

/** A text with this appended sorts behind every text that begins with it: no stored text contains `LAST`. */
const LAST = '\uffff\uffff';

const stored = (value: string | number): string | number =>
  typeof value === 'number' ? value : storedText(value);

/**
 * A text that sorts by the UTF-8 bytes of the given one, also on servers that sort by UTF-16: characters that UTF-16 sorts
 * lower become U+FFFF and their code point. A text longer than `EXACT_BYTES` is cut and ends in its hash.
 */
function storedText(text: string): string {
  const cut = Buffer.byteLength(text) > EXACT_BYTES ? abbreviated(text) : text;
  return cut.replace(
    /[\uffff\u{10000}-\u{10ffff}]/gu,
    (character) => `\uffff${(character.codePointAt(0) ?? 0).toString(16).padStart(6, '0')}`,
  );
}

function abbreviated(text: string): string {
  let start = '';
  let bytes = 0;
  for (const character of text) {
    if (bytes >= EXACT_BYTES) break;
    start += character;
    bytes += Buffer.byteLength(character);
  }
  return `${start}…${createHash('sha256').update(text).digest('hex')}`;
}

/** A document's place in a list: its values after the prefix, then its `_id`. */
type Place = readonly [...IndexKey, string];

/** The part of an index that a page is read from. */
export class Range {
  readonly #prefix: readonly Filter<Listed>[];
  /** The conditions on the values after the prefix. */
  readonly #bounds: readonly Filter<Listed>[];
  /** After the prefix, `_id` included. */
  readonly #fields: readonly string[];
  readonly #reverse: boolean;

  /** @param names the values that the index sorts by */
  constructor(
    private readonly names: readonly string[],
    { prefix, from, upTo, startsWith, reverse = false }: Omit<PageOptions, 'limit'>,
  ) {
    const fields = fieldsOf(names);
    this.#prefix = prefix.map((value, n) => is(fields[n] ?? '', stored(value)));
    this.#fields = [...fields.slice(prefix.length), '_id'];
    this.#reverse = reverse;
    const listed = fields.slice(prefix.length).map(isListed);
    const [next = ''] = this.#fields;
    if (startsWith !== undefined) {
      const start = storedText(startsWith);
      this.#bounds = [is(next, { $gte: start, $lt: start + LAST }), ...listed.slice(1)];
    } else {
      const lower = from === undefined ? [] : atLeast(next, stored(from));
      const upper = upTo === undefined ? [] : atMost(next, stored(upTo));
      const bounds = [...lower, ...upper];
      this.#bounds = bounds.length === 0 ? listed : [...bounds, ...listed.slice(1)];
    }
  }

  /** @param after the place of the last document of the page before; `null`: it is the first page */
  filter(after: Place | null): Filter<Listed> {
    const all = [...this.#prefix, ...this.#bounds];
    if (after === null) return { $and: all };
    // One alternative for each value that may be the first to differ: each is one range of the index.
    const $or = this.#fields.map((field, n) => {
      const same = this.#fields.slice(0, n).map((former, at) => is(former, after[at]));
      const value = after[n] ?? '';
      return { $and: [...all, ...same, ...(this.#reverse ? below : above)(field, value)] };
    });
    return { $or };
  }

  /** The fields that the page is sorted by, `_id` last. */
  get sort(): [string, 1 | -1][] {
    return this.#fields.map((field) => [field, this.#reverse ? -1 : 1]);
  }

  /** A document's place, for the cursor behind it: `readPlace` parses it, and `filter` finds what follows. */
  placeOf({ _id, keys = {} }: Listed): Place {
    const values = this.names.slice(this.#prefix.length).map((name) => keys[name] ?? '');
    return [...values, _id];
  }

  /** @throws {BadCursor} the bytes are not a place in this list */
  readPlace(bytes: Buffer): Place {
    const place = parsed(bytes.toString());
    if (Array.isArray(place) && place.length === this.#fields.length && place.every(isSortable))
      return place as unknown as Place;
    throw new BadCursor('The cursor is not one that this list gave.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isSortable = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value);

const is = (field: string, value: unknown): Filter<Listed> => ({ [field]: value });

/** Excludes documents without the value. */
const isListed = (field: string): Filter<Listed> => is(field, { $ne: null });

/*
 * MongoDB compares values of one type only, numbers with numbers, texts with texts; all texts sort behind all numbers.
 */

const above = (field: string, value: string | number): Filter<Listed>[] =>
  typeof value === 'string'
    ? [is(field, { $gt: value })]
    : [is(field, { $not: { $lte: value } }), isListed(field)];

const below = (field: string, value: string | number): Filter<Listed>[] =>
  typeof value === 'number'
    ? [is(field, { $lt: value })]
    : [is(field, { $not: { $gte: value } }), isListed(field)];

const atLeast = (field: string, value: string | number): Filter<Listed>[] =>
  typeof value === 'string'
    ? [is(field, { $gte: value })]
    : [is(field, { $not: { $lt: value } }), isListed(field)];

const atMost = (field: string, value: string | number): Filter<Listed>[] =>
  typeof value === 'number'
    ? [is(field, { $lte: value })]
    : [is(field, { $not: { $gt: value } }), isListed(field)];
