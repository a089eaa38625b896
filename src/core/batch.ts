import { createHash } from 'node:crypto';
import type { Disclosure, LinkContent } from './chain.js';
import type { AnyEvent } from './event.js';

/**
 * A batch: one stored event in place of several of the same type, its items. An item has an id, a sequence number and a
 * link of the chain of its own, so that it is proved alone, as a single event is. This is the storage contract:
 *
 * - The plain part has `sequenceNumber`, the first item's, and `items`, a list of the plain members of each item. An
 *   item's plain part is the batch's without `items`, with the item's own sequence number, followed by the item's
 *   members.
 * - The personal part has `items` alone, a list of the same length. An item's personal text is the JSON of its entry.
 * - The first item has the batch's id. Each next one's is one more in its last 12 hex digits.
 * - The salts of the items' commitments are 32 bytes each of SHAKE256 over the batch's own salt: no salt reveals
 *   another.
 */
export interface BatchPart {
  readonly items: readonly object[];
}

/** The plain part of a batch. */
export interface BatchData extends BatchPart {
  /** Number of the first item; the items' numbers have no gap. */
  readonly sequenceNumber: number;
}

/** The parts of a batch to be written. */
export interface Batch {
  readonly data: BatchData;
  readonly personal: BatchPart;
}

/** The parts of an event that is to be stored as a batch. @throws {TypeError} the two do not make one */
export const batchOf = ({ type, data, personal }: AnyEvent): Batch => {
  if (
    !isBatchData(data) ||
    !personal ||
    !isBatchPart(personal) ||
    Object.keys(personal).length > 1 ||
    personal.items.length !== data.items.length
  )
    throw new TypeError(
      `An event ${type} must have a number, and as many items in one part as in the other.`,
    );
  return { data, personal };
};

/** Whether a plain part is that of a batch. */
export const isBatchData = (data: object): data is BatchData =>
  isBatchPart(data) && 'sequenceNumber' in data && Number.isSafeInteger(data.sequenceNumber);

/** Whether a part of an event is that of a batch. */
export const isBatchPart = (part: object): part is BatchPart =>
  'items' in part && Array.isArray(part.items) && part.items.length > 0 && part.items.every(isObject);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The id and the plain part of each item, from which its link is hashed. The members that all items share are written
 * once: a batch has a hundred items.
 */
export const linkedItems = (id: string, { items, ...shared }: BatchData): readonly LinkedItem[] => {
  const idAt = itemIds(id);
  const entries = Object.entries(shared);
  const at = entries.findIndex(([name]) => name === 'sequenceNumber');
  const before = membersOf(Object.fromEntries(entries.slice(0, at)));
  const after = membersOf(Object.fromEntries(entries.slice(at + 1)));
  const begin = `{${before}${before && ','}"sequenceNumber":`;
  const end = `${after && ','}${after}`;
  return items.map((item, place) => {
    const own = membersOf(item);
    const number = shared.sequenceNumber + place;
    return { eventId: idAt(place), plain: `${begin}${number}${end}${own && ','}${own}}` };
  });
};

/** An object's JSON without its braces. */
const membersOf = (object: object): string => JSON.stringify(object).slice(1, -1);

type LinkedItem = Pick<LinkContent, 'eventId'> & { readonly plain: string };

/** The last hex digits of a UUID: a number that counts up from item to item. */
const ID_DIGITS = 12;

/** @param id the batch's id, a UUID @param place the item's place in it, from 0 */
export const itemId = (id: string, place: number): string => {
  if (place === 0) return id;
  const last = (Number.parseInt(id.slice(-ID_DIGITS), 16) + place) % 16 ** ID_DIGITS;
  return id.slice(0, -ID_DIGITS) + last.toString(16).padStart(ID_DIGITS, '0');
};

/** The last digits of an id, the only ones that change within most batches. */
const LOW_DIGITS = 4;

/** As `itemId`, for all items of a batch. */
export const itemIds = (id: string): ((place: number) => string) => {
  const kept = id.slice(0, -LOW_DIGITS);
  const first = Number.parseInt(id.slice(-LOW_DIGITS), 16);
  return (place) => {
    const low = first + place;
    if (place === 0 || low >= 16 ** LOW_DIGITS) return itemId(id, place);
    return kept + low.toString(16).padStart(LOW_DIGITS, '0');
  };
};

const SALT_BYTES = 32;

/** Texts by their list: they are needed twice, to count a batch's bytes and to seal it. */
const written = new WeakMap<readonly object[], readonly string[]>();

/** The JSON of each item of a personal part. The items must not be changed afterwards. */
export const itemTexts = (items: readonly object[]): readonly string[] => {
  const known = written.get(items);
  if (known !== undefined) return known;
  const texts = items.map((item) => JSON.stringify(item));
  written.set(items, texts);
  return texts;
};

/** A personal part's text, and that of each item. */
export const personalTexts = ({
  items,
}: BatchPart): { readonly text: string; readonly items: readonly string[] } => {
  const texts = itemTexts(items);
  return { text: `{"items":[${texts.join()}]}`, items: texts };
};

/** Salt and text of each item. @param salt the batch's salt @param items the items' texts */
export const disclosedItems = (salt: Uint8Array, items: readonly string[]): readonly Disclosure[] => {
  const salts = createHash('shake256', { outputLength: items.length * SALT_BYTES })
    .update(salt)
    .digest();
  return items.map((text, place) => ({
    salt: salts.subarray(place * SALT_BYTES, (place + 1) * SALT_BYTES),
    text,
  }));
};
