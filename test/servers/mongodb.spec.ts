import { afterEach, beforeEach, expect, it } from '@jest/globals';
// eslint-disable-next-line no-restricted-imports -- the bare driver
import { type Collection, type Document, MongoBulkWriteError, MongoClient } from 'mongodb';
import { describeWithMongo } from '../support/mongodb/test-url.js';

interface Thing extends Document {
  _id: string;
  position: string;
  n?: number;
}

/** Behaviour of the bare driver on which the adapters rely, for any MongoDB that TEST_MONGODB_URL names. */
describeWithMongo('a MongoDB', (url) => {
  let client: MongoClient;
  let things: Collection<Thing>;
  let name = 0;
  beforeEach(async () => {
    client = await MongoClient.connect(url());
    things = client
      .db()
      .collection<Thing>(`things_${++name}`, { writeConcern: { w: 'majority', journal: true } });
  });
  afterEach(async () => await client.close());

  const guarded = (_id: string, read: string, written: string, n = 0) => ({
    replaceOne: { filter: { _id, position: read }, replacement: { position: written, n }, upsert: true },
  });
  const refused = async (work: Promise<unknown>): Promise<MongoBulkWriteError> => {
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(MongoBulkWriteError);
    return error as MongoBulkWriteError;
  };

  it('greets as a version that the driver takes', async () => {
    const admin = client.db('admin');
    expect(await admin.command({ hello: 1 })).toMatchObject({ ok: 1, isWritablePrimary: true });
    expect(await admin.command({ ping: 1 })).toMatchObject({ ok: 1 });
    const parameter = { getParameter: 1, featureCompatibilityVersion: 1 };
    expect(await admin.command(parameter)).toMatchObject({ featureCompatibilityVersion: { version: /^\d/ } });
  });

  it('a guarded page: unmoved documents are written, moved ones are refused by the unique index', async () => {
    await things.insertMany([
      { _id: 'a', position: '1' },
      { _id: 'b', position: '2' },
      { _id: 'c', position: '3' },
    ]);
    const page = [
      guarded('a', '1', '9'),
      guarded('b', '1', '9'),
      { insertOne: { document: { _id: 'c', position: '9' } } },
      { insertOne: { document: { _id: 'd', position: '9' } } },
    ];
    const error = await refused(things.bulkWrite(page, { ordered: false }));
    // The driver sends the inserts of a page first.
    const writeErrors = [error.writeErrors].flat().sort((one, other) => one.index - other.index);
    expect(writeErrors.map(({ index, code }) => [index, code])).toEqual([
      [1, 11000],
      [2, 11000],
    ]);
    expect(writeErrors.every(({ errmsg }) => errmsg?.includes('_id_'))).toBe(true);
    expect(error.result.getWriteConcernError()).toBeUndefined();
    expect(error.result).toMatchObject({ matchedCount: 1, modifiedCount: 1, insertedCount: 1 });
    const positions = await things
      .find()
      .sort({ _id: 1 })
      .map(({ position }) => position)
      .toArray();
    expect(positions).toEqual(['9', '2', '3', '9']);
  });

  it('of writers that read the same document one succeeds, each time', async () => {
    await things.insertOne({ _id: 'a', position: '0', n: 0 });
    const add = async (): Promise<number> => {
      const read = (await things.findOne({ _id: 'a' }))!;
      const next = guarded('a', read.position, String(Number(read.position) + 1), read.n! + 1);
      return await things.bulkWrite([next], { ordered: false }).then(
        () => 1,
        () => 0,
      );
    };
    const heard = await Promise.all(
      Array.from({ length: 8 }, async () => {
        let sum = 0;
        for (let round = 0; round < 25; round++) sum += await add();
        return sum;
      }),
    );
    const total = heard.reduce((sum, one) => sum + one, 0);
    expect(await things.findOne({ _id: 'a' })).toEqual({ _id: 'a', position: String(total), n: total });
    expect(total).toBeGreaterThanOrEqual(25);
  });

  it('a compare-and-set has one winner, and an insert if absent shows it to every writer', async () => {
    const claims = await Promise.all(
      ['x', 'y', 'z'].map((owner) =>
        things
          .findOneAndUpdate(
            { _id: 'key' },
            { $setOnInsert: { position: owner } },
            { upsert: true, returnDocument: 'after' },
          )
          // Two upserts of one missing document may collide: the one that lost reads.
          .catch(() => things.findOne({ _id: 'key' })),
      ),
    );
    expect(new Set(claims.map((claim) => claim?.position)).size).toBe(1);
    const winner = claims[0]!.position;
    const swaps = await Promise.all(
      [1, 2, 3].map((n) =>
        things.updateOne({ _id: 'key', position: winner }, { $set: { position: `n${n}` } }),
      ),
    );
    expect(swaps.filter(({ matchedCount }) => matchedCount === 1)).toHaveLength(1);
  });

  it('keeps a unique index by its name, and pages by an index with getMore', async () => {
    await things.createIndexes([
      { key: { n: 1 }, name: 'by_n', unique: true },
      { key: { position: 1, _id: 1 }, name: 'by_position' },
    ]);
    await things.insertMany(Array.from({ length: 250 }, (_, n) => ({ _id: `t${n}`, position: 'p', n })));
    const error = await refused(
      things.bulkWrite([{ insertOne: { document: { _id: 'again', position: 'p', n: 7 } } }]),
    );
    expect([error.writeErrors].flat()[0]).toMatchObject({ index: 0, code: 11000 });
    expect([error.writeErrors].flat()[0]?.errmsg).toContain('by_n');
    const all = await things
      .find({ position: 'p' }, { batchSize: 60 })
      .sort({ position: 1, _id: 1 })
      .toArray();
    expect(all.map(({ _id }) => _id)).toEqual(Array.from({ length: 250 }, (_, n) => `t${n}`).sort());
  });

  it('drops a collection with all that belongs to it, and lists what there is', async () => {
    await things.createIndexes([{ key: { n: 1 }, name: 'by_n', unique: true }]);
    await things.insertOne({ _id: 'a', position: '1', n: 1 });
    const names = async () => {
      const listed = await client.db().listCollections({ name: things.collectionName }).toArray();
      return listed.map((one) => one.name);
    };
    expect(await names()).toEqual([things.collectionName]);
    await things.drop();
    expect(await names()).toEqual([]);
    await things.createIndexes([{ key: { n: 1 }, name: 'by_n', unique: true }]);
    await things.insertOne({ _id: 'b', position: '1', n: 1 });
    expect(await things.countDocuments()).toBe(1);
  });

  it('drops one database and no other, even one whose name begins alike', async () => {
    const database = client.db().databaseName;
    const longer = client.db(`${database}_2`);
    await longer.collection<Thing>('things').insertOne({ _id: 'kept', position: '1' });
    await things.insertOne({ _id: 'gone', position: '1' });
    await client.db().dropDatabase();
    expect(await things.countDocuments()).toBe(0);
    expect(await longer.collection('things').countDocuments()).toBe(1);
    await longer.dropDatabase();
    const { databases } = await client.db('admin').admin().listDatabases();
    expect(databases.map((one) => one.name)).not.toContain(longer.databaseName);
  });

  it('counts and reports an ordered insert as far as it got', async () => {
    await things.insertOne({ _id: 'b', position: '1' });
    const three = ['a', 'b', 'c'].map((_id) => ({ _id, position: '2' }));
    const error = await refused(things.insertMany(three));
    expect(error.result.insertedCount).toBe(1);
    expect(await things.countDocuments()).toBe(2);
  });

  it('an ordered bulk write stops at the first refusal', async () => {
    await things.insertOne({ _id: 'b', position: '1' });
    const page = [guarded('a', '0', '2'), guarded('b', '0', '2'), guarded('c', '0', '2')];
    await refused(things.bulkWrite(page, { ordered: true }));
    expect(await things.distinct('_id')).toEqual(['a', 'b']);
  });
});
