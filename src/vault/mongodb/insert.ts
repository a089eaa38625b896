import { Binary, type Collection } from 'mongodb';
import { isTaken, type KeyDocument, type SecretDocument } from './collections.js';

/** One try meets another process at work on the same document, a second one finds what that has written. */
const TRIES = 3;

/** Puts something wrapped where nothing stands under its id; answers what stands, durable. */
export async function insertWrapped<D extends KeyDocument | SecretDocument>(
  collection: Collection<D>,
  id: D['_id'],
  wrapped: Buffer,
): Promise<Binary> {
  const documents = collection as unknown as Collection<{ _id: string; wrapped: Binary }>;
  const standing = await again(() =>
    documents.findOneAndUpdate(
      { _id: id },
      { $setOnInsert: { wrapped: new Binary(wrapped) } },
      { upsert: true, returnDocument: 'after' },
    ),
  );
  if (!standing) throw new Error(`MongoDB answered an upsert of ${id} with nothing.`);
  return standing.wrapped;
}

/** Upserts of one missing document at the same time may refuse each other. */
export async function again<T>(upsert: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await upsert();
    } catch (error) {
      if (left === 0 || !isTaken(error)) throw error;
    }
  }
}

/** Puts a document where none stands under its id. @returns whether it did */
export async function inserted(insert: Promise<unknown>): Promise<boolean> {
  try {
    await insert;
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}
