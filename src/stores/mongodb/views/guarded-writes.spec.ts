import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection } from 'mongodb';
import { at, document, repaired, write, writeOver } from '../../../../test/contracts/read-store.js';
import { describeWithMongo } from '../../../../test/support/mongodb/test-url.js';
import { connectMongo, type MongoConnection } from '../connection.js';
import { writeGuarded } from './guarded-writes.js';
import { prepare, type StoredRecord } from './record.js';

describeWithMongo('a guarded write that meets another one', (url) => {
  let connection: MongoConnection;
  let records: Collection<StoredRecord>;

  beforeEach(async () => {
    connection = await connectMongo(url());
    records = connection.db.collection<StoredRecord>('records');
    await records.deleteMany({});
  });

  afterEach(() => connection.close());

  type Change = (statement: AnyBulkWriteOperation<StoredRecord>) => AnyBulkWriteOperation<StoredRecord>;

  /**
   * The collection, except that so many batches go out as changed: a server that looks for the document before
   * another writer makes it, and makes its own after that, does just so.
   */
  function racing(times: number, change: Change): Collection<StoredRecord> {
    let left = times;
    return writingBy((statements, options) =>
      records.bulkWrite(left-- > 0 ? statements.map(change) : statements, options),
    );
  }

  /** The collection, its batches sent otherwise. */
  function writingBy(bulkWrite: typeof records.bulkWrite): Collection<StoredRecord> {
    return new Proxy(records, {
      get: (target, key) => {
        if (key === 'bulkWrite') return bulkWrite;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  const overlooking: Change = (statement) =>
    'replaceOne' in statement
      ? { replaceOne: { ...statement.replaceOne, filter: { ...statement.replaceOne.filter, position: 'x' } } }
      : statement;

  const apply = (collection: Collection<StoredRecord>, ...writes: Parameters<typeof prepare>[0][]) =>
    writeGuarded(collection, writes.map(prepare));

  const body = async (id: string): Promise<unknown> => (await records.findOne({ _id: id }))?.body;

  it('is tried once more where its guard holds after all', async () => {
    await apply(records, write(document('a', 1, 'first')), write(document('b', 1, 'first')));
    const results = await apply(
      racing(1, overlooking),
      write(document('a', 2, 'second'), 1),
      write(document('new', 2)),
      write(document('b', 3, 'third'), 2),
    );
    expect(results).toEqual(['written', 'written', 'behind']);
    expect([await body('a'), await body('b')]).toEqual(['"second"', '"first"']);
  });

  it('is tried no more than once, and is then told from one that somebody else did', async () => {
    await apply(records, write(document('a', 1, 'first')), write(document('b', 2, 'done')));
    const results = await apply(
      racing(2, overlooking),
      write(document('a', 2, 'second'), 1),
      write(document('b', 2, 'again'), 1),
      writeOver(repaired(document('c', 2, 'repaired'), 1), [2, 0]),
    );
    expect(results).toEqual(['behind', 'ahead', 'behind']);
    expect([await body('a'), await body('b'), await body('c')]).toEqual(['"first"', '"done"', undefined]);
  });

  it('is tried once more with the repairs that it expects, and not where there are others', async () => {
    await apply(records, write(document('a', 1, 'first')), write(document('b', 1, 'first')));
    const repair = (id: string, before: number) =>
      writeOver(repaired(document(id, 1, 'repaired'), before + 1), [1, before]);
    expect(await apply(racing(1, overlooking), repair('a', 0), repair('b', 1))).toEqual([
      'written',
      'behind',
    ]);
    expect(await apply(racing(1, overlooking), write(document('a', 2, 'stale'), 1))).toEqual(['behind']);
    expect(await apply(racing(1, overlooking), repair('a', 1))).toEqual(['written']);
    expect(await records.findOne({ _id: 'a' })).toMatchObject({ position: at(1), repairs: 2 });
    expect(await body('b')).toBe('"first"');
  });

  it('says nothing of repairs where there were none', async () => {
    await apply(records, write(document('a', 1)), write(repaired(document('b', 1), 0)));
    expect((await records.find().toArray()).flatMap(Object.keys)).not.toContain('repairs');
  });

  /** The collection of a server that has its own words for a refusal. */
  function saying(errmsg: string): Collection<StoredRecord> {
    return writingBy(async (statements, options) => {
      try {
        return await records.bulkWrite(statements, options);
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError)) throw error;
        for (const { err } of error.result.getWriteErrors())
          Object.assign(err, { errmsg, keyPattern: undefined });
        throw error;
      }
    });
  }

  it.each([
    'E11000 duplicate key error collection: db.view.index.v1.g1 index: _id_ dup key: { _id: "a" }',
    'E11000 duplicate key error collection: db.view.index.v1.g1',
    "Duplicate key violation on the requested collection: Index '_id_'",
  ])('is refused whatever the server calls it: %s', async (errmsg) => {
    await apply(records, write(document('a', 1, 'first')));
    const refused = write(document('a', 3, 'third'), 2);
    expect(await apply(saying(errmsg), refused, write(document('b', 1)))).toEqual(['behind', 'written']);
    expect(await body('a')).toBe('"first"');
  });

  it.each([
    'E11000 duplicate key error collection: db.x index: foreign dup key: { body: "1" }',
    "Duplicate key violation on the requested collection: Index 'foreign'",
  ])('fails where another index refuses it: %s', async (errmsg) => {
    await apply(records, write(document('a', 1, 'first')));
    await expect(apply(saying(errmsg), write(document('a', 3), 2))).rejects.toThrow(errmsg);
  });

  it('is taken back where its document was removed before it was tried once more', async () => {
    await apply(records, write(document('a', 1, 'first')));
    let sent = 0;
    const removed = writingBy(async (statements, options) => {
      if (++sent === 2) await records.deleteMany({});
      return records.bulkWrite(sent === 1 ? statements.map(overlooking) : statements, options);
    });
    expect(await apply(removed, write(document('a', 2, 'second'), 1))).not.toContain('written');
    expect([sent, await records.countDocuments()]).toEqual([2, 0]);
  });

  it('fails where the server reports on less than was sent', async () => {
    const partly = writingBy((statements, options) => records.bulkWrite(statements.slice(1), options));
    await expect(apply(partly, write(document('a', 1)), write(document('b', 1)))).rejects.toThrow('1 of 2');
  });

  it('is taken back where there was nothing to replace, and nothing else is', async () => {
    await apply(records, write(document('a', 1, 'first')));
    const results = await apply(
      records,
      write(document('new', 5)),
      write(document('gone', 5), 4),
      write(document('a', 5, 'second'), 1),
      write(document('lost', 5), 3),
    );
    expect(results).toEqual(['written', 'behind', 'written', 'behind']);
    expect((await records.find().toArray()).map(({ _id }) => _id).sort()).toEqual(['a', 'new']);
  });
});
