import { MongoServerError, type Db } from 'mongodb';
import { StoreUnusable } from '../../../core/errors.js';

/** Raised with every change of how documents or registers are laid out. */
const FORMAT = 2;
const DUPLICATE = 11_000;

/** What an operator can do about a read store that cannot be used. The vault may lie in the same database. */
export const remedy =
  "Stop every process that uses this database, drop the read store's collections in it (read-store, checkpoints, " +
  'leases, pointers, numbers and all whose names begin with "view."), never those of the vault, and start again: ' +
  'views are rebuilt from the log.';

interface FormatRecord {
  readonly _id: string;
  readonly format: number;
}

/**
 * Makes sure that what lies in the database was written by a version that lays it out as this one does; marks an
 * empty one.
 * @throws {StoreUnusable} it was written by another one
 */
export async function assertFormat(db: Db, shown: string): Promise<void> {
  const marks = db.collection<FormatRecord>('read-store');
  const mark = (await marks.findOne({ _id: 'format' })) ?? (await made());
  if (mark.format === FORMAT) return;
  if (mark.format < FORMAT) {
    throw new StoreUnusable(
      `The read store at ${shown} was written by an older version (format ${mark.format}, this one knows ${FORMAT}) ` +
        `and cannot be read any more. ${remedy}`,
    );
  }
  throw new StoreUnusable(
    `The read store at ${shown} was written by a newer version (format ${mark.format}, this one knows ${FORMAT}). ` +
      `Run that version, or begin anew. ${remedy}`,
  );

  async function made(): Promise<FormatRecord> {
    const own = { _id: 'format', format: FORMAT };
    try {
      await marks.insertOne(own);
      return own;
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== DUPLICATE) throw error;
      return (await marks.findOne({ _id: 'format' })) ?? own;
    }
  }
}
