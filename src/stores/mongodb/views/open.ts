import {
  connectMongo,
  describeMongoFailure,
  isUnavailable,
  type MongoConnection,
  type MongoOptions,
} from '../connection.js';
import { StoreUnusable } from '../../../core/errors.js';
import { ReadStoreUnavailable } from '../../errors.js';
import { assertGenerationName, assertIndexName } from '../../names.js';
import type { ReadStore } from '../../read-store.js';
import { MongoCollection } from './collection.js';
import { assertFormat } from './format.js';
import { Generations } from './generations.js';
import { Registers } from './registers.js';
import { Session } from './session.js';

export type { MongoOptions } from '../connection.js';

/**
 * Opens the read store that lives in one database of a MongoDB server: a standalone, a replica set or a sharded
 * cluster. Any number of processes may have it open. Its collections can be dropped while no process has it open:
 * views are rebuilt from the log. The vault's may lie beside them.
 * @param url `mongodb://…` or `mongodb+srv://…`; its path names the database, `assay` without one
 * @param options `timeoutMs`: of point reads and writes; pages, batches and drops have three times as long
 * @throws {ReadStoreUnavailable} the server is away
 * @throws {StoreUnusable} it refuses until somebody acts: the sentence says why
 */
export async function openMongoReadStore(
  url: string,
  { timeoutMs = 3_000, ...options }: MongoOptions = {},
): Promise<ReadStore> {
  const connection = await connect(url, { ...options, timeoutMs });
  const session = new Session(connection, timeoutMs);
  const registers = new Registers(session);
  const generations = new Generations(session);
  return {
    collection: (name, indexes) => {
      assertGenerationName(name);
      indexes.forEach(assertIndexName);
      return new MongoCollection(session, generations, name, indexes);
    },
    drop: async (name) => {
      assertGenerationName(name);
      await registers.drop(name);
      await generations.drop(name);
    },
    generations: async () => {
      const names = await Promise.all([registers.generations(), generations.withDocuments()]);
      return [...new Set(names.flat())].sort();
    },
    checkpoints: registers.checkpoints,
    leases: registers.leases,
    pointers: registers.pointers,
    close: () => session.close(),
  };
}

async function connect(url: string, options: MongoOptions): Promise<MongoConnection> {
  let connection: MongoConnection | undefined;
  try {
    connection = await connectMongo(url, options);
    const { shown } = connection;
    await connection.run((db) => assertFormat(db, shown));
    return connection;
  } catch (error) {
    await connection?.close();
    if (error instanceof StoreUnusable) throw error;
    const sentence = `The read store ${connection ? `at ${connection.shown} ` : ''}cannot be opened: ${describeMongoFailure(error)}.`;
    if (isUnavailable(error)) throw new ReadStoreUnavailable(sentence, { cause: error });
    throw new StoreUnusable(sentence, { cause: error });
  }
}
