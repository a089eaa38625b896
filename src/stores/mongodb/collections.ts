import { MongoServerError, type Collection, type Document } from 'mongodb';

/** An ascending index: without options, what every server has. */
export interface PlainIndex {
  readonly name: string;
  readonly fields: readonly string[];
  /** The server removes a document so long after the time in the field. */
  readonly expireAfterSeconds?: number;
}

const NAMESPACE_NOT_FOUND = 26;

/** The server's code for an `_id` that has a document already. */
export const DUPLICATE = 11_000;

/**
 * Makes those of the indexes that the collection does not have by their names, in one command; and the collection, if
 * there is none. Servers differ in how they answer for an index that exists, so none is asked for again.
 */
export async function makeMissingIndexes<D extends Document>(
  collection: Collection<D>,
  indexes: readonly PlainIndex[],
): Promise<void> {
  const existing = await indexNames(collection);
  const missing = indexes.filter(({ name }) => !existing.has(name));
  if (missing.length === 0) return;
  await collection.createIndexes(
    missing.map(({ fields, ...options }) => ({
      key: new Map(fields.map((field) => [field, 1])),
      ...options,
    })),
  );
}

async function indexNames<D extends Document>(collection: Collection<D>): Promise<ReadonlySet<unknown>> {
  try {
    const existing: readonly Document[] = await collection.listIndexes().toArray();
    return new Set(existing.map(({ name }) => name as unknown));
  } catch (error) {
    if (isMissingCollection(error)) return new Set();
    throw error;
  }
}

/** There is no such collection. Some servers answer without the code. */
export const isMissingCollection = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === NAMESPACE_NOT_FOUND || error.message.includes('ns not found'));

/** Whether an insert was done; false if its `_id` has a document already. */
export async function inserted(insert: Promise<unknown>): Promise<boolean> {
  try {
    await insert;
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE) return false;
    throw error;
  }
}
