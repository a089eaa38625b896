import { BSON } from 'mongodb';
import { StoreUnusable } from '../../../core/errors.js';
import type { Position } from '../../../core/event-store.js';
import { DocumentTooLarge } from '../../errors.js';
import { guardOf, type Guard } from '../../guard.js';
import { encodeId, encodeKey } from '../../index-key.js';
import { bodyText } from '../../limits.js';
import type { GuardedWrite, Json, StoredDocument } from '../../read-store.js';
import { keyOf, textOf } from './text-key.js';

/** What an operator can do about a read store that cannot be used. The vault may lie in the same database. */
export const REMEDY =
  "Stop every process that uses this database, drop the read store's collections in it (read-store, checkpoints, " +
  'leases, pointers, numbers and all whose names begin with "view."), never those of the vault, and start again: ' +
  'views are rebuilt from the log.';

/**
 * A document as MongoDB keeps it. The body is text, so that what users choose is never a field's name and exactly
 * that comes back; an index's entry ends in the id, so that entries are distinct and their order is the list's.
 */
export interface StoredRecord {
  readonly _id: string;
  /** The id, where `_id` is not just that. */
  readonly id?: string;
  readonly position: string;
  readonly parkedAt: string | null;
  readonly deleted: boolean;
  /** Their number, where there were any. */
  readonly repairs?: number;
  /** Index name to the document's entry in it. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A write with all that is sent, made before anything is. */
export interface Prepared {
  readonly guard: Guard;
  readonly record: StoredRecord;
  /** Roughly what it is to send. */
  readonly size: number;
}

/** MongoDB's limit, less the filter and the command that a replacement is sent in. */
const MAX_BSON_BYTES = 16 * 1024 * 1024 - 16 * 1024;
/** What a field of a record is beside its text, with its name and with room to spare. */
const AROUND = 1_024;

/** @throws {DocumentTooLarge} the document is more than 16 MiB, as text or as MongoDB would keep it */
export function prepare(guarded: GuardedWrite): Prepared {
  const { document, keys } = guarded;
  const { id, position, parkedAt, deleted, repairs } = document;
  const body = bodyText(document);
  const key = keyOf(id);
  const entries = deleted ? [] : Object.entries(keys).map(([index, k]) => [index, entryOf(k, id)] as const);
  const record: StoredRecord = {
    _id: key,
    ...(key !== id && { id }),
    position,
    parkedAt,
    deleted,
    ...(repairs && { repairs }),
    ...(entries.length > 0 && { keys: Object.fromEntries(entries) }),
    body,
  };
  const size = entries.reduce((sum, [, entry]) => sum + entry.length, body.length + id.length + AROUND);
  if (size * 3 > MAX_BSON_BYTES && BSON.calculateObjectSize(record) > MAX_BSON_BYTES)
    throw new DocumentTooLarge(id);
  return { guard: guardOf(guarded), record, size };
}

/** @throws {StoreUnusable} the record is none of ours */
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

function parse({ _id, body }: StoredRecord): Json {
  try {
    return JSON.parse(body) as Json;
  } catch (cause) {
    throw new StoreUnusable(`The read store's document ${JSON.stringify(_id)} is damaged. ${REMEDY}`, {
      cause,
    });
  }
}

const entryOf = (key: GuardedWrite['keys'][string], id: string): string =>
  textOf(encodeKey(key)) + textOf(encodeId(id));
