import { MongoServerError, type Collection, type Document } from 'mongodb';

/** An ascending index of one field, without options: what every server has. */
export interface PlainIndex {
  readonly name: string;
  readonly field: string;
}

const NAMESPACE_NOT_FOUND = 26;

/**
 * Makes those of the indexes that the collection does not have by their names, in one command; and the collection,
 * where there is none. Servers differ in what they say to an index that is there already, so none is asked for again.
 */
export async function makeMissingIndexes<D extends Document>(
  collection: Collection<D>,
  indexes: readonly PlainIndex[],
): Promise<void> {
  const standing = await namesOf(collection);
  const missing = indexes.filter(({ name }) => !standing.has(name));
  if (missing.length === 0) return;
  await collection.createIndexes(missing.map(({ name, field }) => ({ key: { [field]: 1 }, name })));
}

async function namesOf<D extends Document>(collection: Collection<D>): Promise<ReadonlySet<unknown>> {
  try {
    const standing: readonly Document[] = await collection.listIndexes().toArray();
    return new Set(standing.map(({ name }) => name as unknown));
  } catch (error) {
    if (isMissingCollection(error)) return new Set();
    throw error;
  }
}

/** There is no such collection. Some servers say so without the code. */
export const isMissingCollection = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === NAMESPACE_NOT_FOUND || error.message.includes('ns not found'));
