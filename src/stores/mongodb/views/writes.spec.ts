import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { at, document, INDEXES, write } from '../../../../test/contracts/read-store.js';
import {
  describeWithMongo,
  testMongoUrl,
  type TestMongo,
} from '../../../../test/support/mongodb/test-url.js';
import { DocumentTooLarge } from '../../errors.js';
import type { GenerationName, Json, ReadStore, ViewCollection } from '../../read-store.js';
import { openMongoReadStore } from './open.js';

const VIEW = 'things.v1.g1' as GenerationName;
const WRITERS = 8;

describeWithMongo('the MongoDB read store', () => {
  let mongo: TestMongo;
  let handles: ReadStore[];
  let store: ReadStore;
  let view: ViewCollection;
  let client: MongoClient;
  let database: Db;

  const connect = async (): Promise<ReadStore> => {
    const handle = await openMongoReadStore(mongo.url);
    handles.push(handle);
    return handle;
  };

  beforeEach(async () => {
    const made = await testMongoUrl();
    if (!made) throw new Error('There is no MongoDB server.');
    mongo = made;
    handles = [];
    store = await connect();
    view = store.collection(VIEW, INDEXES);
    client = new MongoClient(mongo.url);
    database = client.db();
  });

  afterEach(async () => {
    await Promise.all(handles.map((handle) => handle.close()));
    await client.close();
    await mongo.stop();
  });

  it('counts each of eight writers of the same batches exactly', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `d${n}`);
    await view.apply(ids.map((id) => write(document(id, 0, 0))));
    const won = await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        const mine = (await connect()).collection(VIEW, INDEXES);
        const wins = new Map<string, number>();
        for (let round = 0; round < 6; round++) {
          const read = await mine.getMany(ids);
          const batch = ids.map((id) => {
            const next = Number(read.get(id)?.position) + 1;
            return write(document(id, next, next), next - 1);
          });
          const results = await mine.apply(batch);
          results.forEach((result, i) => {
            const id = ids[i] ?? '';
            if (result === 'written') wins.set(id, (wins.get(id) ?? 0) + 1);
          });
        }
        return wins;
      }),
    );
    for (const id of ids) {
      const total = won.reduce((sum, wins) => sum + (wins.get(id) ?? 0), 0);
      expect(total).toBeGreaterThanOrEqual(6);
      expect(await view.get(id)).toEqual(document(id, total, total));
    }
  });

  it('tells the truth where one document is made and replaced at the same moment', async () => {
    const other = (await connect()).collection(VIEW, INDEXES);
    for (let round = 0; round < 40; round++) {
      const id = `d${round}`;
      const [[made], [replaced]] = await Promise.all([
        view.apply([write(document(id, 1, 'made'))]),
        other.apply([write(document(id, 2, 'replaced'), 1)]),
      ]);
      const standing = (await view.get(id))?.body;
      // The replacement never makes the document: at most its upsert is stored for a moment, and the insert is refused.
      if (made === 'written') expect(standing).toBe(replaced === 'written' ? 'replaced' : 'made');
      else expect([made, replaced, standing]).toEqual(['ahead', 'behind', undefined]);
    }
  });

  it('leaves nothing of a generation that was dropped under a writer', async () => {
    const other = (await connect()).collection(VIEW, INDEXES);
    const keys = { byOwner: ['o'] };
    await other.apply([write(document('a', 1), null, keys), write(document('b', 1), null, keys)]);
    await store.drop(VIEW);
    expect(await other.apply([write(document('a', 2), 1, keys), write(document('b', 2), 1, keys)])).toEqual([
      'behind',
      'behind',
    ]);
    expect(await store.generations()).toEqual([]);
    expect((await other.page({ index: 'byOwner', prefix: [], limit: 5 })).items).toEqual([]);
    expect(await view.apply([write(document('a', 3, 'again'), null, keys)])).toEqual(['written']);
    expect((await other.page({ index: 'byOwner', prefix: ['o'], limit: 5 })).items).toEqual([
      document('a', 3, 'again'),
    ]);
    expect((await indexes(VIEW)).map(({ name }) => name)).toContain('byOwner');
  });

  it('keeps what users choose out of every field name', async () => {
    const body = JSON.parse('{"$where":"1","a.b":{"$set":1},"__proto__":{"x":1},"":null}') as Json;
    const ids = ['$where', 'a.b', '__proto__', '{"$gt":""}', 'nul\0', ' ~'];
    await view.apply(ids.map((id) => write(document(id, 1, body), null, { byOwner: [id, '$gt'] })));
    const stored = await database.collection<{ _id: string }>(`view.${VIEW}`).find().toArray();
    expect(stored).toHaveLength(ids.length);
    const fields = new Set(stored.flatMap((one) => Object.keys(one)));
    expect([...fields].sort()).toEqual(['_id', 'body', 'deleted', 'id', 'keys', 'parkedAt', 'position']);
    for (const id of ids) {
      expect(JSON.stringify((await view.get(id))?.body)).toBe(JSON.stringify(body));
      const { items } = await view.page({ index: 'byOwner', prefix: [id], limit: 5 });
      expect(items.map((item) => item.id)).toEqual([id]);
    }
    // Not what a caller without types may make of it either.
    await expect(view.get({ $gt: '' } as never)).rejects.toMatchObject({ name: 'TypeError' });
    expect(await view.get('{"$gt":"a"}')).toBeNull();
  });

  it('does not take half a character for the one that stands for it', async () => {
    await view.apply([write(document('\ufffd', 1))]);
    expect(await view.get('\ufffd')).not.toBeNull();
    expect(await view.get('\ud800')).toBeNull();
    expect([...(await view.getMany(['\ud800', '\ufffd'])).keys()]).toEqual(['\ufffd']);
  });

  it('takes a removed document out of its indexes', async () => {
    await view.apply([write(document('a', 1), null, { byOwner: ['o'] })]);
    await view.apply([write(document('a', 2, null, true), 1, { byOwner: ['o'] })]);
    const [stored] = await database.collection(`view.${VIEW}`).find().toArray();
    expect(stored).toMatchObject({ position: at(2), deleted: true });
    expect(stored).not.toHaveProperty('keys');
    expect(await indexes(VIEW)).toContainEqual(
      expect.objectContaining({
        name: 'byOwner',
        key: { 'keys.owner': 1, 'keys.place': 1, 'keys.further': 1, _id: 1 },
      }),
    );
  });

  it('names no event at a checkpoint that a former version of this program has moved on', async () => {
    const name = `${VIEW}.1of1`;
    await store.checkpoints.advance(name, null, at(1), 'the first');
    expect(await store.checkpointEvent(name)).toBe('the first');
    // It knew nothing of events at checkpoints.
    await database.collection('checkpoints').updateOne({ name }, { $set: { position: at(2) } });
    expect([await store.checkpoints.get(name), await store.checkpointEvent(name)]).toEqual([at(2), null]);
  });

  it('keeps no generation alive by reading it', async () => {
    await view.get('a');
    await view.page({ index: 'byOwner', prefix: [], limit: 5 });
    for await (const one of view.all()) expect(one).toBeUndefined();
    const names = await database.listCollections({}, { nameOnly: true }).toArray();
    expect(names.map(({ name }) => name).filter((name) => name.startsWith('view.'))).toEqual([]);
  });

  it('takes views that are named like collections of the server, or of ours', async () => {
    for (const name of ['system.v1.g1', 'checkpoints.v1.g1', 'constructor.v1.g1'] as GenerationName[]) {
      const odd = store.collection(name, { constructor: ['constructor'] });
      expect(await odd.apply([{ ...write(document('a', 1)), keys: { constructor: 'x' } }])).toEqual([
        'written',
      ]);
      const { items } = await odd.page({ index: 'constructor', prefix: ['x'], limit: 5 });
      expect(items.map(({ id }) => id)).toEqual(['a']);
    }
    expect(await store.generations()).toEqual(['checkpoints.v1.g1', 'constructor.v1.g1', 'system.v1.g1']);
  });

  it('sends in several commands what is much for one, and answers in the order of the batch', async () => {
    const large = 'x'.repeat(5 * 1024 * 1024);
    await view.apply([write(document('there', 1))]);
    const batch = [
      write(document('there', 1)),
      ...[1, 2, 3, 4].map((n) => write(document(`large${n}`, n, large))),
      write(document('gone', 2), 1),
    ];
    const many = Array.from({ length: 1_500 }, (_, n) => write(document(`small${n}`, 1)));
    const written = (times: number): string[] => Array<string>(times).fill('written');
    expect(await view.apply([...batch, ...many])).toEqual([
      'ahead',
      ...written(4),
      'behind',
      ...written(1_500),
    ]);
    const ids: string[] = [];
    for await (const stored of view.all()) ids.push(stored.id);
    expect(ids).toHaveLength(1_505);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect((await view.getMany(ids)).size).toBe(1_505);
  });

  it('refuses a document that fits as text and not as MongoDB would keep it', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `name${n}`);
    const wide = store.collection(VIEW, Object.fromEntries(names.map((name) => [name, [name]])));
    const keys = Object.fromEntries(names.map((name) => [name, '\x01'.repeat(250)]));
    const most = document('most', 1, 'x'.repeat(16 * 1024 * 1024 - 70 * 1024));
    const refused = wide.apply([write(document('small', 1)), { ...write(most), keys }]);
    await expect(refused).rejects.toBeInstanceOf(DocumentTooLarge);
    expect(await wide.get('small')).toBeNull();
    expect(await wide.apply([write(most)])).toEqual(['written']);
    expect(await wide.apply([write({ ...most, position: at(2) }, 1)])).toEqual(['written']);
  });

  it.each([
    ['a newer', 5, 'newer version (format 5, this one knows 4). Run that version, or'],
    ['an older', 3, 'older version (format 3, this one knows 4) and cannot be read any more.'],
  ])('refuses the database of %s version, and leaves it as it is', async (_, format, said) => {
    await database
      .collection<{ _id: string; format: number }>('read-store')
      .updateOne({ _id: 'format' }, { $set: { format } });
    for (let tries = 0; tries < 2; tries++) {
      await expect(openMongoReadStore(mongo.url)).rejects.toMatchObject({
        code: 'store_unusable',
        message: expect.stringContaining(said),
      });
    }
  });

  it('says which document is damaged', async () => {
    await view.apply([write(document('a', 1, 'whole'))]);
    await database.collection(`view.${VIEW}`).updateOne({}, { $set: { body: '{"cut' } });
    await expect(view.get('a')).rejects.toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('"a" is damaged'),
    });
  });

  it('settles what was pending when it is closed, and answers nothing afterwards', async () => {
    await view.apply([write(document('a', 1))]);
    const pending = view.apply([write(document('a', 2), 1)]);
    await Promise.all([store.close(), store.close()]);
    expect(await pending).toEqual(['written']);
    const late = [
      view.get('a'),
      view.apply([write(document('b', 1))]),
      store.checkpoints.get('c'),
      store.pointers.nextNumber('things'),
      store.generations(),
      store.drop(VIEW),
    ];
    const refused = late.map((call) =>
      expect(call).rejects.toMatchObject({ code: 'read_store_unavailable' }),
    );
    await Promise.all(refused);
  });

  async function indexes(name: GenerationName): Promise<{ name?: string }[]> {
    return database.collection(`view.${name}`).indexes();
  }
});
