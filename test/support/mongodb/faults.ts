import { MongoClient } from 'mongodb';

/** Parameters of MongoDB's fail point "failCommand". The last four may be combined. */
export interface CommandFault {
  readonly failCommands: readonly string[];
  /** Only commands on this collection, as `database.collection`. */
  readonly namespace?: string;
  /** Only commands of clients with this `appName`. */
  readonly appName?: string;
  /** The error that is answered instead of running the command. */
  readonly errorCode?: number;
  /** The command does not run, and its connection is closed. */
  readonly closeConnection?: boolean;
  /** The command runs, and this is added to its answer. */
  readonly writeConcernError?: { readonly code: number; readonly codeName?: string; readonly errmsg: string };
  /** Delay of the command, in milliseconds. */
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
 * Makes commands of this server fail, from now on or so many times. A real MongoDB must run with test commands enabled.
 * @returns a function that ends the fault
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
 * Makes a collection with at most one document refuse every further one by a write error of its own.
 * @returns a function that ends the fault
 */
export const refuseFurtherDocuments = async (
  url: string,
  collection: string,
): Promise<() => Promise<void>> => {
  const client = await new MongoClient(url).connect();
  const documents = client.db().collection(collection);
  // A unique index of a field that no document has: the missing field counts as one value.
  await documents.createIndexes([{ key: { nowhere: 1 }, name: 'nowhere', unique: true }]);
  return async () => {
    await documents.dropIndex('nowhere');
    await client.close();
  };
};
