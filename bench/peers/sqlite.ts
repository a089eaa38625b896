import { randomBytes } from 'node:crypto';
import {
  createEventStoreSchema,
  getSQLiteEventStore,
  type SQLiteConnection,
  sqliteConnection,
  type SQLiteConnectionPool,
  sqliteProjection,
} from '@event-driven-io/emmett-sqlite';
import type { Document, PeerEvent, View } from './domain.js';
import { fold, PAGE, type PeerStore } from './store.js';

class Conflict extends Error {}

/**
 * emmett's connection, mended:
 * - It shares a transaction among all that run at once, so that an append is answered before its commit, and is lost if
 *   another is rolled back. Here each waits for the one before it.
 * - An append that meets another revision has moved the stream's position on all the same, and its transaction is
 *   committed. Here it is rolled back.
 */
const mended = (connection: SQLiteConnection): SQLiteConnection => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...connection,
    withTransaction: <T>(work: () => Promise<T>): Promise<T> => {
      const turn = last.then(() =>
        connection.withTransaction(async () => {
          const result = await work();
          const failed =
            typeof result === 'object' && result !== null && 'success' in result && result.success === false;
          if (failed) throw new Conflict('The stream has another revision.');
          return result;
        }),
      );
      last = turn.catch(() => undefined);
      return turn;
    },
  };
};

/** All calls on one connection: emmett opens one for each, without `synchronous` or statements kept. */
const poolOf = (connection: SQLiteConnection): SQLiteConnectionPool => ({
  connection: async () => connection,
  withConnection: (handle) => handle(connection),
  close: async () => undefined,
});

const TABLE = `CREATE TABLE IF NOT EXISTS documents (
  view TEXT NOT NULL, id TEXT NOT NULL, organisation_id TEXT, data TEXT NOT NULL, PRIMARY KEY (view, id)
) WITHOUT ROWID`;
const INDEX = 'CREATE INDEX IF NOT EXISTS documents_of ON documents (view, organisation_id)';
const KEYS = 'CREATE TABLE IF NOT EXISTS person_keys (person TEXT PRIMARY KEY, key BLOB NOT NULL)';
const UPSERT = `INSERT INTO documents (view, id, organisation_id, data) VALUES (?, ?, ?, ?)
  ON CONFLICT (view, id) DO UPDATE SET organisation_id = excluded.organisation_id, data = excluded.data`;

const find = async <D>(connection: SQLiteConnection, view: string, id: string): Promise<D | null> => {
  const sql = 'SELECT data FROM documents WHERE view = ? AND id = ?';
  const row = await connection.querySingle<{ readonly data: string }>(sql, [view, id]);
  return row ? (JSON.parse(row.data) as D) : null;
};

/** There is no Pongo for SQLite in this version: documents are rows of JSON. */
const inline = (view: View) =>
  sqliteProjection<PeerEvent>({
    name: view.name,
    canHandle: [...view.handles],
    handle: async (events, { connection }) => {
      const folded = await fold(view, events, (id) => find<Document>(connection, view.name, id));
      for (const [id, { after }] of folded)
        await connection.command(UPSERT, [
          view.name,
          id,
          after.organisationId ?? null,
          JSON.stringify(after),
        ] as never);
    },
  });

/** emmett-sqlite in WAL mode, with a flush for each commit (`synchronous = FULL`). @param fileName is created if absent */
export const openSqlite = async (fileName: string, views: readonly View[]): Promise<PeerStore> => {
  const connection = sqliteConnection({ fileName });
  // emmett sets the mode without awaiting the result, and a statement that runs meanwhile can make that fail.
  const modes = await connection.query<object>('PRAGMA journal_mode = WAL');
  if (JSON.stringify(modes) !== '[{"journal_mode":"wal"}]') throw new Error('SQLite is not in WAL mode.');
  // The schema is made in nested transactions, which would deadlock in the queue: only later ones are queued.
  await createEventStoreSchema(connection);
  const writer = mended(connection);
  for (const sql of ['PRAGMA synchronous = FULL', TABLE, INDEX, KEYS]) await writer.command(sql);
  const store = getSQLiteEventStore({
    fileName,
    pool: poolOf(writer),
    schema: { autoMigration: 'None' },
    projections: views.map((view) => ({ type: 'inline' as const, projection: inline(view) })),
  });
  // Reads see what is committed, and wait for no transaction.
  const reader = sqliteConnection({ fileName });
  return {
    find: (view, id) => find(reader, view.name, id),
    ofOrganisation: async <D extends Document>(view: View<D>, organisationId: string) => {
      const sql = 'SELECT data FROM documents WHERE view = ? AND organisation_id = ?';
      const rows = await reader.query<{ readonly data: string }>(sql, [view.name, organisationId]);
      return rows.map(({ data }) => JSON.parse(data) as D);
    },
    append: async (stream, revision, events) => {
      try {
        await store.appendToStream(stream, [...events], { expectedStreamVersion: BigInt(revision) });
        return true;
      } catch (error) {
        if (error instanceof Conflict) return false;
        throw error;
      }
    },
    keyOf: async (person) => {
      const sql = 'INSERT OR IGNORE INTO person_keys (person, key) VALUES (?, ?)';
      await writer.withTransaction(() => writer.command(sql, [person, randomBytes(32)] as never));
      const row = await writer.querySingle<{ readonly key: Buffer }>(
        'SELECT key FROM person_keys WHERE person = ?',
        [person],
      );
      if (!row) throw new Error('A key was not kept.');
      return row.key;
    },
    rebuild: async (view) => {
      await writer.command('DELETE FROM documents WHERE view = ?', [view.name]);
      const last = await writer.querySingle<{ readonly position: number }>(
        'SELECT MAX(global_position) AS position FROM emt_messages',
      );
      // By default the consumer reads 100 events and sleeps for 50 ms.
      const consumer = store.consumer({ pulling: { batchSize: PAGE, pullingFrequencyInMs: 0 } });
      consumer.processor<PeerEvent>({
        processorId: `rebuild-${view.name}`,
        projection: inline(view),
        startFrom: 'BEGINNING',
        stopAfter: ({ metadata }) => metadata.globalPosition >= BigInt(last?.position ?? 0),
      });
      await consumer.start();
      const counted = await writer.querySingle<{ readonly count: number }>(
        'SELECT COUNT(*) AS count FROM documents WHERE view = ?',
        [view.name],
      );
      return counted?.count ?? 0;
    },
    close: async () => {
      reader.close();
      writer.close();
    },
  };
};
