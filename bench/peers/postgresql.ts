import { randomBytes } from 'node:crypto';
import { dumbo, type NodePostgresPool } from '@event-driven-io/dumbo';
import {
  getPostgreSQLEventStore,
  pongoProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql';
import { type PongoClient, pongoClient, type PongoCollection } from '@event-driven-io/pongo';
import pg from 'pg';
import type { Document, PeerEvent, View } from './domain.js';
import { fold, PAGE, type PeerStore } from './store.js';

/** More than the driver's 10: commits of one moment share a flush. */
const CONNECTIONS = 32;
const MAX_ATTEMPTS = 5;

/** Collections are created at the start: left to itself Pongo does so before each of its statements. */
const READY = {
  // Taken by the collection, and missing in its type.
  schema: { autoMigration: 'None' } as object,
  errors: { throwOnOperationFailures: true },
};

type Kept = Document & { readonly _id: string; readonly _version: bigint };
const collectionOf = (pongo: PongoClient, view: View): PongoCollection<Kept> =>
  pongo.db().collection<Kept>(view.name, READY);

const withoutMeta = <D>(kept: Kept | null): D | null => {
  if (kept === null) return null;
  const { _id, _version, ...document } = kept;
  return document as D;
};

/**
 * emmett's projection onto Pongo, mended: `collection.handle` reads a document and replaces it without its version, so
 * that of two transactions at once one is overwritten. Here the version is expected, and an append whose document has
 * changed meanwhile is rolled back and tried again. The events of a document are folded together instead of one by one.
 */
const inline = (view: View) =>
  pongoProjection<PeerEvent>({
    name: view.name,
    canHandle: [...view.handles],
    handle: async (events, { pongo }) => {
      const collection = collectionOf(pongo, view);
      const versions = new Map<string, bigint>();
      const folded = await fold(view, events, async (id) => {
        const kept = (await collection.findOne({ _id: id })) as Kept | null;
        if (kept) versions.set(id, kept._version);
        return withoutMeta<Document>(kept);
      });
      for (const [id, { after }] of folded) {
        const version = versions.get(id);
        if (version === undefined) await collection.insertOne({ ...after, _id: id } as never);
        else await collection.replaceOne({ _id: id }, after as never, { expectedVersion: BigInt(version) });
      }
    },
    truncate: async ({ pongo }) => {
      await collectionOf(pongo, view).deleteMany();
    },
  });

/** Whether the stream, or a document that its events change, was changed since it was read. */
const wasOvertaken = (error: unknown): error is Error =>
  error instanceof Error && 'errorCode' in error && error.errorCode === 412;

/**
 * emmett-postgresql with inline projections onto Pongo.
 * @param url of a database with `fsync` and `synchronous_commit` on
 */
export const openPostgresql = async (url: string, views: readonly View[]): Promise<PeerStore> => {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  pool.on('error', (error) => console.error(error.message));
  const shared: NodePostgresPool = dumbo({ connectionString: url, pool });
  for (const setting of ['fsync', 'synchronous_commit']) {
    const { rows } = await pool.query<Record<string, string>>(`SHOW ${setting}`);
    if (rows[0]?.[setting] !== 'on') throw new Error(`PostgreSQL runs with ${setting} off.`);
  }
  const store = getPostgreSQLEventStore(url, {
    connectionOptions: { dumbo: shared },
    projections: views.map((view) => ({ type: 'inline' as const, projection: inline(view) })),
  });
  await store.schema.migrate();
  await pool.query('CREATE TABLE IF NOT EXISTS person_keys (person TEXT PRIMARY KEY, key BYTEA NOT NULL)');
  const pongo = pongoClient(url, { connectionOptions: { pool } });
  for (const view of views) {
    await collectionOf(pongo, view).createCollection();
    await pool.query(
      `CREATE INDEX IF NOT EXISTS "${view.name}_of" ON "${view.name}" ((data->>'organisationId'))`,
    );
  }
  return {
    find: async <D extends Document>(view: View<D>, id: string) =>
      withoutMeta<D>(
        (await collectionOf(pongo, view as unknown as View).findOne({ _id: id })) as Kept | null,
      ),
    // By the index: Pongo's own filter is a containment, which none of its indexes serves.
    ofOrganisation: async <D extends Document>(view: View<D>, organisationId: string) => {
      const sql = `SELECT data FROM "${view.name}" WHERE data->>'organisationId' = $1`;
      const { rows } = await pool.query<{ readonly data: D }>({
        name: `of-${view.name}`,
        text: sql,
        values: [organisationId],
      });
      return rows.map(({ data }) => data);
    },
    append: async (stream, revision, events) => {
      for (let attempt = 1; ; attempt++) {
        try {
          await store.appendToStream(stream, [...events], { expectedStreamVersion: BigInt(revision) });
          return true;
        } catch (error) {
          if (!wasOvertaken(error)) throw error;
          // The stream's revision, not a document's. Its class is in emmett twice: no `instanceof` finds it.
          if ('expected' in error) return false;
          if (attempt === MAX_ATTEMPTS) throw error;
        }
      }
    },
    keyOf: async (person) => {
      const sql = 'INSERT INTO person_keys (person, key) VALUES ($1, $2) ON CONFLICT DO NOTHING';
      await pool.query(sql, [person, randomBytes(32)]);
      const { rows } = await pool.query<{ readonly key: Buffer }>(
        'SELECT key FROM person_keys WHERE person = $1',
        [person],
      );
      if (!rows[0]) throw new Error('A key was not kept.');
      return rows[0].key;
    },
    rebuild: async (view) => {
      const consumer = rebuildPostgreSQLProjections({
        connectionString: url,
        projection: inline(view),
        // By default it reads 100 events and sleeps for 50 ms.
        pulling: { batchSize: PAGE, pullingFrequencyInMs: 0 },
      } as never);
      await consumer.start();
      await consumer.close();
      return Number(await collectionOf(pongo, view).countDocuments());
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
};
