import { MongoServerError, type Collection, type Document } from 'mongodb';
import { StoreUnusable } from '../../core/errors.js';

/** An ascending index, with no options that some servers lack. */
export interface PlainIndex {
  readonly name: string;
  readonly fields: readonly string[];
  /** The server removes a document this long after the time in the field. Left out: it removes none. */
  readonly expireAfterSeconds?: number;
}

const NAMESPACE_NOT_FOUND = 26;

/** The server's code for an `_id` that has a document already. */
export const DUPLICATE = 11_000;

/**
 * Makes the missing indexes in one command, and the collection if there is none. An index exists if one has the same
 * keys, under any name; it is not created again, since servers differ in how they answer that.
 * @throws {StoreUnusable} an existing index has the keys or the name of one, but other options or keys
 */
export async function makeMissingIndexes<D extends Document>(
  collection: Collection<D>,
  indexes: readonly PlainIndex[],
): Promise<void> {
  const existing = await indexesOf(collection);
  const missing = indexes.filter((index) => !isThere(collection.collectionName, index, existing));
  if (missing.length === 0) return;
  await collection.createIndexes(
    missing.map(({ fields, ...options }) => ({
      key: new Map(fields.map((field) => [field, 1])),
      ...options,
    })),
  );
}

async function indexesOf<D extends Document>(collection: Collection<D>): Promise<readonly Document[]> {
  try {
    return (await collection.listIndexes().toArray()) as readonly Document[];
  } catch (error) {
    if (isMissingCollection(error)) return [];
    throw error;
  }
}

/** Options by which an index omits, removes, refuses or differently sorts documents. */
const UNFIT = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'collation', 'hidden'];

function isThere(
  collection: string,
  { name, fields, expireAfterSeconds }: PlainIndex,
  existing: readonly Document[],
): boolean {
  const wanted = fields.join(', ');
  const same = existing.find(({ key }) => keysOf(key) === wanted);
  const other = same ?? existing.find((one) => one['name'] === name);
  if (other === undefined) return false;
  // An index without `expireAfterSeconds` is enough: the service itself also removes expired documents.
  const own: Document = { expireAfterSeconds };
  const unfit = UNFIT.filter(
    (option) =>
      other[option] !== undefined && other[option] !== false && Number(other[option]) !== own[option],
  );
  if (other === same && unfit.length === 0) return true;
  const why = other === same ? `is ${unfit.join(' and ')}` : `has the keys ${keysOf(other['key'])}`;
  const options =
    expireAfterSeconds === undefined ? 'no options' : `expireAfterSeconds ${expireAfterSeconds}`;
  throw new StoreUnusable(
    `The index ${JSON.stringify(other['name'])} of the MongoDB collection ${JSON.stringify(collection)} is not one of this service: it ${why}, and one with the keys ${wanted} and ${options} is needed there. Drop that index, and start again.`,
  );
}

/** The fields of an index in their order; one that does not ascend shows its kind. */
const keysOf = (key: unknown): string =>
  Object.entries(key as Record<string, unknown>)
    .map(([field, order]) => (Number(order) === 1 ? field : `${field}: ${String(order)}`))
    .join(', ');

/** Whether the error means that there is no such collection. Some servers answer without the code. */
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
