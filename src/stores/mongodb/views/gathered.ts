import DataLoader from 'dataloader';
import type { AnyBulkWriteOperation, Collection, Db, Filter } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { Position } from '../../../core/event-store.js';
import type { Session } from '../session.js';
import { keyOf } from './text-key.js';

const MAX_AT_ONCE = 500;

/**
 * Reads records by their names. What is asked for in one turn of the event loop, such as the pointers of all views,
 * goes to the server as one command: a process without work is mostly busy with looking.
 */
export function gathered<R extends { readonly _id: string }>(
  session: Session,
  records: (db: Db) => Collection<R>,
): (name: string) => Promise<R | null> {
  const loader = loaderOf<{ readonly _id: string }, R | null>(async (wanted) => {
    const found = await session.call((db) => among(records(db), wanted));
    const byId = new Map(found.map((record) => [record._id, record]));
    return wanted.map(({ _id }) => byId.get(_id) ?? null);
  });
  return async (name) => await loader.load({ _id: keyOf(name) });
}

/** What a move compares and sets. */
export interface Movable {
  readonly _id: string;
  readonly position: Position;
  /** It counts only while the record is `at` it: a former version of this program moves the position alone. */
  readonly event?: { readonly at: Position; readonly id: string } | null;
  /** The move that brought it there; not in one that was never moved. */
  readonly move?: string;
}

interface Move {
  readonly _id: string;
  readonly from: Position;
  readonly to: Position;
  readonly eventId: string | null;
}

/**
 * Moves records from one position to another, each by compare-and-set. What is moved in one turn of the event loop,
 * such as all views past an event that concerns few of them, goes to the server as one command. The server counts what
 * it has moved, and does not say which: so each move leaves a name of its own.
 */
export function gatheredMoves<R extends Movable>(
  session: Session,
  records: (db: Db) => Collection<R>,
): (name: string, from: Position, to: Position, eventId: string | null) => Promise<boolean> {
  const loader = loaderOf<Move, boolean>((moves) =>
    session.call(async (db) => {
      const batch = randomUUID();
      const collection = records(db);
      const updates = moves.map(({ _id, from, to, eventId }, n) => {
        const event = eventId === null ? null : { at: to, id: eventId };
        const $set = { position: to, event, move: `${batch}/${n}` };
        return {
          updateOne: { filter: { _id, position: from }, update: { $set } },
        } as unknown as AnyBulkWriteOperation<R>;
      });
      const { matchedCount } = await collection.bulkWrite(updates, { ordered: false });
      if (matchedCount === moves.length || matchedCount === 0) return moves.map(() => matchedCount > 0);
      const found = new Set((await among(collection, moves)).map(({ move }) => move));
      return moves.map((_, n) => found.has(`${batch}/${n}`));
    }),
  );
  return async (name, from, to, eventId) => await loader.load({ _id: keyOf(name), from, to, eventId });
}

const among = <R extends { readonly _id: string }>(
  records: Collection<R>,
  wanted: readonly { readonly _id: string }[],
): Promise<R[]> => {
  const filter = { _id: { $in: [...new Set(wanted.map(({ _id }) => _id))] } } as Filter<R>;
  return records.find<R>(filter, { batchSize: MAX_AT_ONCE + 1 }).toArray();
};

const loaderOf = <K, V>(batch: (keys: readonly K[]) => Promise<readonly V[]>): DataLoader<K, V> =>
  new DataLoader<K, V>(batch, {
    cache: false,
    maxBatchSize: MAX_AT_ONCE,
    // After the timers: those of the same moment run one after the other.
    batchScheduleFn: (send) => void setImmediate(send),
  });
