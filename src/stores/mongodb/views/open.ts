/*
 * mongodb/views/: the read store in a MongoDB database. It promises what `ReadStore` does on a standalone server, a replica
 * set or a sharded cluster: each guarded write is one step on one document, and there are no transactions. Order:
 * `openMongoReadStore` opens a session; `collection` reads and writes documents (`record` encodes them, `guarded-writes`
 * sends them, `listing` makes the filters of lists) in the collections of `generations`; `registers` has checkpoints,
 * leases, pointers and the heartbeat, and shares commands for them (`gathered`).
 */
import type { Db } from 'mongodb';
import { StoreUnusable } from '../../../core/errors.js';
import { ReadStoreUnavailable } from '../../errors.js';
import type { ReadStore } from '../../read-store.js';
import { assertGenerationName, declaredIndexes } from '../../rules.js';
import { inserted } from '../collections.js';
import type { MongoOptions } from '../connection.js';
import { Session } from '../session.js';
import { MongoCollection } from './collection.js';
import { Generations } from './generations.js';
import { REMEDY } from './record.js';
import { Registers } from './registers.js';

/** Raised with every change of how documents or registers are laid out. */
const FORMAT = 4;

const READ_STORE = { name: 'read store', Unavailable: ReadStoreUnavailable };

/**
 * Opens the read store in a database of a MongoDB server: a standalone, a replica set or a sharded cluster. Any number
 * of processes may have it open. Its collections can be dropped while no process has it open: views are rebuilt from
 * the log. The vault's collections may be in the same database.
 * @param url `mongodb://…` or `mongodb+srv://…`; its path names the database; default: `assay`
 * @param options `timeoutMs`: of point reads and writes; pages, batches and drops have three times as long
 * @throws {ReadStoreUnavailable} the server is unreachable
 * @throws {StoreUnusable} it refuses until an operator acts: the message has the reason
 */
export async function openMongoReadStore(url: string, options: MongoOptions = {}): Promise<ReadStore> {
  return Session.open(url, READ_STORE, options, async (session) => {
    await session.call((db) => assertFormat(db, session.shown));
    return readStoreIn(session);
  });
}

function readStoreIn(session: Session): ReadStore {
  const registers = new Registers(session);
  const generations = new Generations(session);
  return {
    collection: (name, indexes) => {
      assertGenerationName(name);
      return new MongoCollection(session, generations, name, declaredIndexes(indexes));
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
    checkpointEvent: (name) => registers.checkpointEvent(name),
    leases: registers.leases,
    pointers: registers.pointers,
    clock: registers.clock,
    close: () => session.close(),
  };
}

interface FormatRecord {
  readonly _id: string;
  readonly format: number;
}

/**
 * Checks that the database was written in this version's format; marks it with the format if it has no mark.
 * @throws {StoreUnusable} it was written in another format
 */
async function assertFormat(db: Db, shown: string): Promise<void> {
  const marks = db.collection<FormatRecord>('read-store');
  const own: FormatRecord = { _id: 'format', format: FORMAT };
  const read = (): Promise<FormatRecord | null> => marks.findOne({ _id: own._id });
  // If the insert is refused, another process has marked the database first.
  const { format } =
    (await read()) ?? ((await inserted(marks.insertOne(own))) ? own : ((await read()) ?? own));
  if (format === FORMAT) return;
  if (format < FORMAT)
    throw new StoreUnusable(
      `The read store at ${shown} was written by an older version (format ${format}, this one knows ${FORMAT}) ` +
        `and cannot be read any more. ${REMEDY}`,
    );
  throw new StoreUnusable(
    `The read store at ${shown} was written by a newer version (format ${format}, this one knows ${FORMAT}). ` +
      `Run that version, or begin anew. ${REMEDY}`,
  );
}
