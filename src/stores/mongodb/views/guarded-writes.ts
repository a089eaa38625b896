import {
  MongoBulkWriteError,
  MongoServerError,
  type AnyBulkWriteOperation,
  type BulkWriteResult,
  type Collection,
  type Filter,
  type WriteError,
} from 'mongodb';
import type { WriteResult } from '../../read-store.js';
import { holds, refusal, type Current } from '../../rules.js';
import { DUPLICATE } from '../collections.js';
import type { Prepared, StoredRecord } from './record.js';

/** The writes of a batch that failed. All others took effect. */
interface Failed {
  /** Writes whose documents were not as expected. */
  readonly refused: readonly Prepared[];
  /** Replacements of documents that are missing: the upsert has inserted these, which must be undone. */
  readonly inserted: readonly Prepared[];
}

/**
 * Writes each record if its document is exactly as expected. Inserts go in one command, replacements in another. Called
 * by the view's collection, after it has created the indexes.
 * @param writes each of another document
 * @returns the results in the order of the writes
 * @throws a driver's error: any of them may have been written
 */
export async function writeGuarded(
  collection: Collection<StoredRecord>,
  writes: readonly Prepared[],
): Promise<readonly WriteResult[]> {
  const results = new Map<Prepared, WriteResult>();
  const first = await attempt(collection, writes);
  await removeInserted(collection, first.inserted);
  // There was no document to replace: `behind` makes the writer read again.
  for (const write of first.inserted) results.set(write, 'behind');
  if (first.refused.length > 0) {
    const current = await currentOf(collection, first.refused);
    // If two writes upsert one document at the same time, the server refuses one even if its guard holds now.
    const again = first.refused.filter((write) => holds(write.guard, current.get(write.record._id) ?? null));
    const second = await attempt(collection, again);
    await removeInserted(collection, second.inserted);
    for (const write of first.refused) {
      const written =
        again.includes(write) && !second.refused.includes(write) && !second.inserted.includes(write);
      // If it was refused twice although its guard held in between, `refusal` gives `behind`: the writer reads again.
      results.set(write, written ? 'written' : refusal(write.guard, current.get(write.record._id) ?? null));
    }
  }
  return writes.map((write) => results.get(write) ?? 'written');
}

/**
 * Sends the writes. If the stored document is not as expected, a replacement matches nothing. As an upsert it then tries to
 * insert, and fails since the `_id` is taken, as an insert does: so the server reports each refused write.
 */
async function attempt(collection: Collection<StoredRecord>, writes: readonly Prepared[]): Promise<Failed> {
  if (writes.length === 0) return { refused: [], inserted: [] };
  const { result, error } = await send(collection, writes.map(statement));
  const errors = result.getWriteErrors();
  assertAllReported(writes.length, result, errors, error);
  // By id: in a batch with inserts and replacements, the driver's index of an upsert is not the index of its write.
  const upserted = new Set<unknown>(Object.values(result.upsertedIds));
  return {
    refused: errors.flatMap(({ index }) => writes.slice(index, index + 1)),
    inserted: writes.filter(({ record }) => upserted.has(record._id)),
  };
}

const statement = ({ guard, record }: Prepared): AnyBulkWriteOperation<StoredRecord> =>
  guard.expected === null
    ? { insertOne: { document: record } }
    : {
        replaceOne: {
          filter: exactly(record._id, guard.expected, guard.expectedRepairs),
          replacement: record,
          upsert: true,
        },
      };

/** The document at exactly that position, with as many repairs. */
const exactly = (_id: string, position: string, repairs = 0): Filter<StoredRecord> => ({
  _id,
  position,
  repairs: repairs === 0 ? { $exists: false } : repairs,
});

/** @returns the result, even of a bulk error: the driver throws one both for refusals and for lost connections */
async function send(
  collection: Collection<StoredRecord>,
  statements: AnyBulkWriteOperation<StoredRecord>[],
): Promise<{ readonly result: BulkWriteResult; readonly error?: MongoBulkWriteError }> {
  try {
    return { result: await collection.bulkWrite(statements, { ordered: false }) };
  } catch (error) {
    if (error instanceof MongoBulkWriteError) return { result: error.result, error };
    throw error;
  }
}

/**
 * Throws unless the result reports each write, either as stored by a majority or as refused by its `_id`. If the
 * connection breaks between two commands, the result has only the first one's refusals.
 */
function assertAllReported(
  sent: number,
  result: BulkWriteResult,
  errors: readonly WriteError[],
  error: MongoBulkWriteError | undefined,
): void {
  const concern = result.getWriteConcernError();
  if (concern) throw failure(concern.errmsg ?? 'the write concern failed', concern.code);
  const other = errors.find((one) => !isIdTaken(one));
  if (other) throw failure(other.errmsg ?? 'a write failed', other.code);
  const reported = result.insertedCount + result.matchedCount + result.upsertedCount + errors.length;
  if (reported !== sent) throw error ?? failure(`it reported ${reported} of ${sent} writes`);
}

/** Whether the `_id` was taken. Some servers name no index, but views have no other unique one. */
function isIdTaken({ code, errmsg = '', err }: WriteError): boolean {
  if (code !== DUPLICATE) return false;
  const { keyPattern } = err as { keyPattern?: object };
  if (keyPattern) return Object.keys(keyPattern).join() === '_id';
  return /\b_id/.test(errmsg) || !/\bindex:?\s/i.test(errmsg);
}

const failure = (message: string, code?: number): MongoServerError =>
  new MongoServerError({ message, ...(code !== undefined && { code }) });

/** Removes documents that the upserts of replacements have inserted: the generation was dropped meanwhile. */
async function removeInserted(
  collection: Collection<StoredRecord>,
  inserted: readonly Prepared[],
): Promise<void> {
  for (const { record } of inserted) {
    await collection.deleteOne(exactly(record._id, record.position, record.repairs));
  }
}

async function currentOf(
  collection: Collection<StoredRecord>,
  writes: readonly Prepared[],
): Promise<ReadonlyMap<string, Current>> {
  const found = await collection
    .find(
      { _id: { $in: writes.map(({ record }) => record._id) } },
      { projection: { position: 1, repairs: 1 }, batchSize: writes.length + 1 },
    )
    .toArray();
  return new Map(found.map(({ _id, position, repairs = 0 }) => [_id, { position, repairs }]));
}
