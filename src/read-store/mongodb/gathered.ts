import DataLoader from 'dataloader';
import type { Collection, Db, Filter } from 'mongodb';
import type { Session } from './session.js';
import { keyOf } from './text-key.js';

const MOST_AT_ONCE = 500;

/**
 * Reads records by their names. What is asked for in one turn of the event loop, such as the pointers of all views,
 * goes to the server as one command: a process without work is mostly busy with looking.
 */
export function gathered<R extends { readonly _id: string }>(
  session: Session,
  records: (db: Db) => Collection<R>,
): (name: string) => Promise<R | null> {
  const loader = new DataLoader<string, R | null>(
    async (ids) => {
      const filter = { _id: { $in: [...new Set(ids)] } } as Filter<R>;
      const found = await session.call((db) =>
        records(db)
          .find<R>(filter, { batchSize: MOST_AT_ONCE + 1 })
          .toArray(),
      );
      const byId = new Map(found.map((record) => [record._id, record]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    // Behind the timers: those that look at the same moment run one after the other.
    { cache: false, maxBatchSize: MOST_AT_ONCE, batchScheduleFn: (send) => void setImmediate(send) },
  );
  return async (name) => await loader.load(keyOf(name));
}
