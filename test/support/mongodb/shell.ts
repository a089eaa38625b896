import { MongoClient } from 'mongodb';
import { runInNewContext } from 'node:vm';

type Answer = Promise<unknown> | { toArray(): Promise<unknown[]> };

/** Makes a date, as in mongosh. */
export const ISODate = (text: string): Date => new Date(text);

/**
 * Runs a mongosh script that ends in one query, on the driver's collections, which have the same methods.
 * @param names further names that the script may use
 * @returns the query's result, a cursor's documents as an array
 */
export const shell = async (url: string, script: string, names: object): Promise<unknown> => {
  const client = new MongoClient(url);
  try {
    const pointers = await client.db().collection('pointers').find().toArray();
    const db = {
      getCollection: (name: string) => client.db().collection(name),
      pointers: { findOne: ({ view }: { view: string }) => pointers.find((one) => one['view'] === view) },
    };
    const answer = runInNewContext(script, { ...names, db, ISODate }) as Answer;
    return await ('toArray' in answer ? answer.toArray() : answer);
  } finally {
    await client.close();
  }
};
