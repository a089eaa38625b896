import { type AnyBulkWriteOperation, MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { Position } from '../src/core/event-store.js';
import { openMongoReadStore } from '../src/stores/mongodb/views/open.js';
import type { GenerationName, GuardedWrite, ReadStore } from '../src/stores/read-store.js';
import { missingForMongoServer, startMongoServer } from '../test/support/mongodb/server.js';
import { compare } from './support/measure.js';

/** Smallest ratio ours / baseline that passes. */
const MIN_RATIO = 0.8;
const PAGES = 20;
/** Documents of one page, as many as a projector's pass may hold. */
const PAGE = 200;

const at = (n: number): Position => String(n).padStart(32, '0') as Position;

const body = (page: number) => ({
  trialCompletedCount: page,
  roles: Array.from({ length: 8 }, (_, role) => ({
    roleId: `role-${role}`,
    roleName: `Platform engineer ${role}`,
    counts: { hired: role * page, declined: 3, passed: 5, failed: 8 },
  })),
});

/** A page of a fold: every document replaced at the position that was read. */
const page = (number: number): readonly GuardedWrite[] =>
  Array.from({ length: PAGE }, (_, index) => ({
    expected: number === 0 ? null : at(number - 1),
    document: {
      id: `document-${index}`,
      position: at(number),
      parkedAt: null,
      deleted: false,
      body: body(number),
    },
    keys: { owner: `owner-${index % 10}`, place: index },
  }));

/** Documents written a second. */
const timed = async (write: (number: number) => Promise<void>): Promise<number> => {
  const start = performance.now();
  for (let number = 0; number < PAGES; number++) await write(number);
  return ((PAGES * PAGE) / (performance.now() - start)) * 1_000;
};

const ours = (store: ReadStore) => () => {
  const collection = store.collection(`bench.v1.g${Date.now()}` as GenerationName, {
    byOwner: ['owner', 'place'],
  });
  return timed(async (number) => {
    const results = await collection.apply(page(number));
    if (results.some((result) => result !== 'written')) throw new Error('A write of the only writer failed.');
  });
};

interface Kept {
  readonly _id: string;
  readonly position: string;
  readonly parkedAt: string | null;
  readonly deleted: boolean;
  readonly body: object;
  readonly keys: object;
}

const asKept = (
  { document: { id, position, parkedAt, deleted }, keys }: GuardedWrite,
  content: object,
): Kept => ({
  _id: id,
  position,
  parkedAt,
  deleted,
  body: content,
  keys,
});

/** The same documents under the same guards, written by hand. */
const bare = (client: MongoClient, database: string) => async () => {
  const collection = client.db(database).collection<Kept>(`bare-${randomUUID()}`, {
    writeConcern: { w: 'majority', journal: true },
  });
  await collection.createIndex({ 'keys.owner': 1, 'keys.place': 1, _id: 1 });
  return timed(async (number) => {
    const statements = page(number).map((guarded): AnyBulkWriteOperation<Kept> => {
      const { expected } = guarded;
      const kept = asKept(guarded, body(number));
      return expected === null
        ? { insertOne: { document: kept } }
        : {
            replaceOne: {
              filter: { _id: kept._id, position: expected },
              replacement: kept,
              upsert: true,
            },
          };
    });
    await collection.bulkWrite(statements, { ordered: false });
  });
};

/** View writes to MongoDB: against a bare bulkWrite of the same documents. */
export async function run(): Promise<void> {
  const given = process.env['TEST_MONGODB_URL'];
  const lack = given === undefined ? missingForMongoServer() : null;
  if (lack !== null) {
    console.log(`view writes, MongoDB: not measured. ${lack}`);
    return;
  }
  const server = given === undefined ? await startMongoServer() : { url: given, stop: async () => undefined };
  const store = await openMongoReadStore(server.url);
  const client = await new MongoClient(server.url).connect();
  try {
    const result = await compare({
      name: 'view writes, MongoDB',
      unit: 'documents/s',
      baseline: 'a bare bulkWrite of the same documents',
      bar: MIN_RATIO,
      packages: ['mongodb'],
      sides: { baseline: bare(client, 'bench'), ours: ours(store) },
    });
    if (result.passed === false) process.exitCode = 1;
  } finally {
    await store.close();
    await client.close();
    await server.stop();
  }
}
