import { MongoClient } from 'mongodb';

/** Parameters of MongoDB's fail point "failCommand". Several of the last four may be given together. */
export interface CommandFault {
  readonly failCommands: readonly string[];
  /** Only commands on this collection, as `database.collection`. */
  readonly namespace?: string;
  /** Only commands of clients that gave themselves this name. */
  readonly appName?: string;
  /** Answered instead of running the command. */
  readonly errorCode?: number;
  /** The command does not run, and its connection is closed. */
  readonly closeConnection?: boolean;
  /** The command runs, and this is added to its answer. */
  readonly writeConcernError?: { readonly code: number; readonly codeName?: string; readonly errmsg: string };
  /** The command waits for so long before anything else happens. */
  readonly blockConnection?: boolean;
  readonly blockTimeMS?: number;
}

export type FaultMode = 'alwaysOn' | { readonly times: number } | { readonly skip: number };

const configure = async (url: string, command: object): Promise<void> => {
  const client = new MongoClient(url);
  try {
    await client.db('admin').command({ configureFailPoint: 'failCommand', ...command });
  } finally {
    await client.close();
  }
};

/**
 * Makes commands of this server fail, from now on or so many times (a real MongoDB must run with test commands).
 * @returns what ends it
 */
export const failCommand = async (
  url: string,
  data: CommandFault,
  mode: FaultMode = 'alwaysOn',
): Promise<() => Promise<void>> => {
  await configure(url, { mode, data });
  return () => configure(url, { mode: 'off' });
};

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
