import { MongoServerError, type Db } from 'mongodb';
import { StoreUnusable } from '../../event-store/errors.js';

/** Raised with every change of how documents or registers are laid out. */
const FORMAT = 1;
const DUPLICATE = 11_000;

interface FormatRecord {
  readonly _id: string;
  readonly format: number;
}

/**
 * Makes sure that what lies in the database was written by this version or an older one; marks an empty one.
 * @throws {StoreUnusable} a newer version's
 */
export async function assertFormat(db: Db, shown: string): Promise<void> {
  const marks = db.collection<FormatRecord>('read-store');
  const mark = (await marks.findOne({ _id: 'format' })) ?? (await made());
  if (mark.format <= FORMAT) return;
  throw new StoreUnusable(
    `The read store at ${shown} was written by a newer version (format ${mark.format}, this one knows ${FORMAT}). ` +
      'Run that version, or give this one a database of its own: views are rebuilt from the log.',
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
