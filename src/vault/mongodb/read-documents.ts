import { MongoBulkWriteError } from 'mongodb';
import {
  assertEvaluationId,
  assertReadEntry,
  assertReadPlace,
  type ReadEntry,
  type ReadLog,
  type ReadPlace,
  type ReadsPage,
} from '../read-entry.js';
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
      if (!isThereAlready(error)) throw error;
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

/** Nothing else has failed than what the same entries were in the way of, which the driver may have sent twice. */
const isThereAlready = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError &&
  error.result.getWriteConcernError() === undefined &&
  [error.writeErrors].flat().every(({ code }) => code === TAKEN);

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
