import { expect, describe, it } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { makeMissingIndexes, type PlainIndex } from './collections.js';

/** A collection with these indexes, beside that of its ids. @returns the indexes that were made */
const make = async (
  existing: readonly Document[],
  index: Omit<PlainIndex, 'name'> = { fields: ['at', '_id'] },
) => {
  const made: Document[] = [];
  const collection = {
    collectionName: 'view.roles.v1.g1',
    listIndexes: () => ({ toArray: async () => [{ name: '_id_', key: { _id: 1 } }, ...existing] }),
    createIndexes: async (specs: readonly Document[]) => void made.push(...specs),
  };
  await makeMissingIndexes(collection as unknown as Collection, [{ name: 'byTime', ...index }]);
  return made.map(({ name }) => name as string);
};

describe('An index that somebody else has made', () => {
  it('is taken by its keys, whatever it is called', async () => {
    expect(await make([])).toEqual(['byTime']);
    expect(await make([{ name: 'byTime', key: { at: 1, _id: 1 } }])).toEqual([]);
    expect(await make([{ name: 'at_1__id_1', key: { at: 1, _id: 1 }, v: 2 }])).toEqual([]);
    expect(await make([{ name: 'others', key: { _id: 1, at: 1 } }])).toEqual(['byTime']);
    expect(await make([{ name: 'others', key: { at: -1, _id: 1 } }])).toEqual(['byTime']);
  });

  it('serves an index that removes what has expired if it waits as long, or removes nothing', async () => {
    const expiring = { fields: ['at'], expireAfterSeconds: 60 };
    const existing = (options: Document) => [{ name: 'at_1', key: { at: 1 }, ...options }];
    expect(await make([], expiring)).toEqual(['byTime']);
    expect(await make(existing({ expireAfterSeconds: 60 }), expiring)).toEqual([]);
    expect(await make(existing({}), expiring)).toEqual([]);
    await expect(make(existing({ expireAfterSeconds: 0 }), expiring)).rejects.toThrow(
      'is expireAfterSeconds, and one with the keys at and expireAfterSeconds 60 is needed',
    );
  });

  it.each([
    ['with other keys under the name', { name: 'byTime', key: { body: 1 } }, 'has the keys body'],
    ['that descends', { name: 'byTime', key: { at: -1, _id: 1 } }, 'has the keys at: -1, _id'],
    ['that refuses documents', { name: 'mine', key: { at: 1, _id: 1 }, unique: true }, 'is unique'],
    [
      'that removes documents',
      { name: 'mine', key: { at: 1, _id: 1 }, expireAfterSeconds: 60 },
      'is expireAfterSeconds',
    ],
    ['that leaves documents out', { name: 'mine', key: { at: 1, _id: 1 }, sparse: true }, 'is sparse'],
  ])('ends the start in one sentence with collection and index: one %s', async (_, index, why) => {
    const making = make([index]);
    await expect(making).rejects.toMatchObject({ code: 'store_unusable' });
    await expect(making).rejects.toThrow(
      new RegExp(
        `^The index "${index.name}" of the MongoDB collection "view.roles.v1.g1" .*${why}.* Drop that`,
      ),
    );
  });
});
