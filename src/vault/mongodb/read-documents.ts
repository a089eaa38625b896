import { MongoBulkWriteError } from 'mongodb';
import {
  assertEvaluationId,
  assertReadEntry,
  assertReadPlace,
  type ReadEntry,
  type ReadLog,
  type ReadPlace,
  type ReadsPage,
} from '../../core/vault/read-entry.js';
import { type Collections, type ReadDocument, TAKEN } from './collections.js';

/** Who read which evaluation, each a document under evaluation, time and id: the order of a list is that of ids. */
export class ReadDocuments implements ReadLog {
  constructor(private readonly reads: Collections['reads']) {}

  async record(entries: readonly ReadEntry[]): Promise<void> {
    if (entries.length === 0) return;
    entries.forEach(assertReadEntry);
    try {
      await this.reads.insertMany(entries.map(documentOf), { ordered: false });
    } catch (error) {
      if (!areAllThere(error, entries.length)) throw error;
    }
  }

  async list(evaluationId: string, { limit, before }: ReadsPage): Promise<readonly ReadEntry[]> {
    assertEvaluationId(evaluationId);
    if (before) assertReadPlace(before);
    const range = { $gt: `${evaluationId} `, $lt: before ? idOf(evaluationId, before) : `${evaluationId}!` };
    const documents = await this.reads.find({ _id: range }).sort({ _id: -1 }).limit(limit).toArray();
    return documents.map(readOf);
  }

  /** What stands in an entry's place. */
  async get(entry: ReadEntry): Promise<ReadEntry | null> {
    const document = await this.reads.findOne({ _id: idOf(entry.evaluationId, entry) });
    return document && readOf(document);
  }
}

/**
 * Each entry is stored, by this call or one before it. The driver wraps whatever failed in the same error, a server that
 * is away included: only a count that comes out even says that nothing is missing.
 */
const areAllThere = (error: unknown, entries: number): boolean => {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return false;
  const refused = [error.writeErrors].flat();
  const taken = refused.filter(({ code }) => code === TAKEN);
  return taken.length === refused.length && error.insertedCount + taken.length === entries;
};

/** A space comes before whatever an id is made of, and no id ends in one. */
const idOf = (evaluationId: string, { at, id }: ReadPlace): string => `${evaluationId} ${at} ${id}`;

const documentOf = (entry: ReadEntry): ReadDocument => {
  const { id, evaluationId, organisationId, actor, at } = entry;
  return { _id: idOf(evaluationId, entry), id, evaluationId, organisationId, actor: { ...actor }, at };
};

export const readOf = ({ id, evaluationId, organisationId, actor, at }: ReadDocument): ReadEntry => ({
  id,
  evaluationId,
  organisationId,
  actor: { type: actor.type, id: actor.id },
  at,
});
