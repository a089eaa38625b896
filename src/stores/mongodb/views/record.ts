import { BSON } from 'mongodb';
import { StoreUnusable } from '../../../core/errors.js';
import type { Position } from '../../../core/event-store.js';
import { DocumentTooLarge } from '../../errors.js';
import type { DocumentHead, GuardedWrite, Json, StoredDocument } from '../../read-store.js';
import { guardOf, type Guard, documentText } from '../../rules.js';
import { bodyOf, type StoredBody, storedBody } from './body.js';
import { type Listed, storedKeys } from './listing.js';
import { keyOf } from './text-key.js';

/** What an operator can do about a read store that cannot be used. The vault may be in the same database. */
export const REMEDY =
  "Stop every process that uses this database, drop the read store's collections in it (read-store, checkpoints, " +
  'leases, pointers, numbers and all whose names begin with "view."), never those of the vault, and start again: ' +
  'views are rebuilt from the log.';

/** A document's record in MongoDB. */
export interface StoredRecord extends Listed {
  /** The document's id, if `_id` differs from it. */
  readonly id?: string;
  readonly position: string;
  /** As in `StoredDocument`: `null` if it is not parked. */
  readonly parkedAt: string | null;
  readonly deleted: boolean;
  /** How often the document was repaired; absent if never. */
  readonly repairs?: number;
  readonly body: StoredBody;
}

/** A guarded write, encoded and measured before anything is sent. */
export interface Prepared {
  readonly guard: Guard;
  readonly record: StoredRecord;
  /** Estimated size to send, in characters: a character has up to three bytes of UTF-8. */
  readonly size: number;
}

/** MongoDB's limit, less the filter and the command that a replacement is sent in. */
const MAX_BSON_BYTES = 16 * 1024 * 1024 - 16 * 1024;
/** Upper bound of a record's bytes beside its texts. */
const AROUND = 1_024;
/** Most bytes of BSON for a character of JSON: in arrays of short numbers each one has its index and type. */
const MAX_GROWTH = 10;

/** Encodes a write. @throws {DocumentTooLarge} the document is larger than 16 MiB, as text or as BSON */
export function prepare(guarded: GuardedWrite): Prepared {
  const { document, keys } = guarded;
  const { id, position, parkedAt, deleted, repairs } = document;
  const { length } = documentText(document);
  const key = keyOf(id);
  const listed = deleted ? {} : storedKeys(keys);
  const record: StoredRecord = {
    _id: key,
    ...(key !== id && { id }),
    position,
    parkedAt,
    deleted,
    ...(repairs && { repairs }),
    ...(Object.keys(listed).length > 0 && { keys: listed }),
    body: storedBody(document.body),
  };
  const size = length + AROUND + Object.values(listed).reduce(sizeOf, 0);
  if (size * MAX_GROWTH > MAX_BSON_BYTES && BSON.calculateObjectSize(record) > MAX_BSON_BYTES)
    throw new DocumentTooLarge(id);
  return { guard: guardOf(guarded), record, size };
}

/** Decodes a record. @throws {StoreUnusable} its body is damaged */
export function documentOf(record: StoredRecord): StoredDocument {
  const { _id, id = _id, position, parkedAt, deleted, repairs } = record;
  return {
    id,
    position: position as Position,
    parkedAt: parkedAt as Position | null,
    deleted,
    ...(repairs && { repairs }),
    body: parse(record),
  };
}

/** A document's position and repairs, without its body. */
export const headOf = ({ position, repairs = 0 }: StoredRecord): DocumentHead => ({
  position: position as Position,
  repairs,
});

function parse({ _id, body }: StoredRecord): Json {
  try {
    return bodyOf(body);
  } catch (cause) {
    throw new StoreUnusable(`The read store's document ${JSON.stringify(_id)} is damaged. ${REMEDY}`, {
      cause,
    });
  }
}

const sizeOf = (sum: number, value: string | number): number =>
  sum + (typeof value === 'string' ? value.length : 0);
