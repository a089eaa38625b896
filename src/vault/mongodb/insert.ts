import { Binary, type Collection } from 'mongodb';
import { VaultUnavailable } from '../../core/vault/errors.js';
import { isTaken, type KeyDocument, type SecretDocument } from './collections.js';

/** What stood in the way may be gone when it is looked at: an erasure takes keys away. */
const TRIES = 3;

/** Puts something wrapped where nothing stands under its id; answers what stands, durable. */
export async function insertWrapped<D extends KeyDocument | SecretDocument>(
  collection: Collection<D>,
  id: D['_id'],
  wrapped: Buffer,
): Promise<Binary> {
  const documents = collection as unknown as Collection<{ _id: string; wrapped: Binary }>;
  return (await standing(documents, { _id: id, wrapped: new Binary(wrapped) })).wrapped;
}

/**
 * Puts a document where none stands under its id; answers the one that stands, durable. A plain insert, since it is
 * what every server does as one step: upserts of one missing document may refuse each other.
 */
export async function standing<D extends { readonly _id: string }>(
  collection: Collection<D>,
  document: D,
): Promise<D> {
  const documents = collection as unknown as Collection<{ _id: string }>;
  for (let left = TRIES; left > 0; left--) {
    if (await inserted(documents.insertOne(document))) return document;
    const found = await documents.findOne({ _id: document._id });
    if (found) return found as D;
  }
  throw new VaultUnavailable('Something of the vault vanished again and again while it was made: try again.');
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
