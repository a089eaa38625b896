import { MongoClient } from 'mongodb';

/**
 * Has a collection, which holds one document at most, refuse every further one by a write error of its own.
 * @returns what ends it
 */
export const refuseFurtherDocuments = async (
  url: string,
  collection: string,
): Promise<() => Promise<void>> => {
  const client = await new MongoClient(url).connect();
  const documents = client.db().collection(collection);
  // No document has such a field, which counts as one and the same value.
  await documents.createIndexes([{ key: { nowhere: 1 }, name: 'nowhere', unique: true }]);
  return async () => {
    await documents.dropIndex('nowhere');
    await client.close();
  };
};
