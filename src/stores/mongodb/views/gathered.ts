import DataLoader from 'dataloader';
import type { AnyBulkWriteOperation, Collection, Db, Filter } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { Position } from '../../../core/event-store.js';
import type { Session } from '../session.js';
import { keyOf } from './text-key.js';

const MAX_AT_ONCE = 500;

/**
 * Makes a function that reads a record by its name. Calls in one turn of the event loop, such as those for the pointers of
 * all views, share one command: an idle process spends most of its time on such polls.
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

/** The fields that a move compares and sets. */
export interface Movable {
  readonly _id: string;
  readonly position: Position;
  /**
   * The event at `position`. It is valid only if `at` equals `position`: former versions of this program change only
   * `position`.
   */
  readonly event?: { readonly at: Position; readonly id: string } | null;
  /** The last move; absent if the record was never moved. */
  readonly move?: string;
}

interface Move {
  readonly _id: string;
  readonly from: Position;
  readonly to: Position;
  readonly eventId: string | null;
}

/**
 * Makes a function that moves a record from one position to another by compare-and-set. Calls in one turn of the event
 * loop, such as those of all views after an event, share one command. The server reports how many records it has moved,
 * but not which: so each move writes a name of its own into its record.
 * @returns false if the record is at another position
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
    // After the timers: callers whose timers fire at the same moment share the command.
    batchScheduleFn: (send) => void setImmediate(send),
  });
