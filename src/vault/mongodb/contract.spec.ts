import { expect, it } from '@jest/globals';
import { Binary, MongoClient } from 'mongodb';
import { randomBytes } from 'node:crypto';
import { type VaultHarness, vaultContract } from '../../../test/contracts/vault.js';
import { describeWithMongo, testMongoUrl } from '../../../test/support/mongodb/test-url.js';
import type { KeyedHash } from '../../core/keyed-hash.js';
import { collectionsOf } from './collections.js';
import { openMongoVault } from './open.js';

describeWithMongo('on a MongoDB server', () => {
  vaultContract('mongodb', async (dataKey): Promise<VaultHarness> => {
    const mongo = (await testMongoUrl())!;
    const client = new MongoClient(mongo.url);
    const { keys, erased } = collectionsOf(client.db());
    return {
      open: ({ next } = {}) =>
        next
          ? openMongoVault(mongo.url, next, { previousDataKey: dataKey })
          : openMongoVault(mongo.url, dataKey),
      loseKey: async (person) => {
        await keys.deleteOne({ _id: person });
      },
      damageKey: async (person) => {
        await keys.updateOne({ _id: person }, { $set: { wrapped: new Binary(randomBytes(68)) } });
      },
      beginErasure: async (person) => {
        await erased.insertOne({ _id: person, pending: true });
      },
      remove: async () => {
        await client.close();
        await mongo.stop();
      },
    };
  });

  it('short-lived entries expire by an index: the server removes them, and a sweep scans nothing', async () => {
    const mongo = (await testMongoUrl())!;
    const client = new MongoClient(mongo.url);
    const { shortLived } = collectionsOf(client.db());
    const then = Date.UTC(2100, 0, 1);
    // As a former build has stored them.
    await shortLived.insertMany([
      { _id: 'former', sealed: 'x', expiresAt: then },
      { _id: 'former but valid', sealed: 'x', expiresAt: then + 2 },
    ]);
    const vault = await openMongoVault(mongo.url, randomBytes(32));
    const [hash, valid] = ['a', 'b'].map((name) => name.repeat(64) as KeyedHash) as [KeyedHash, KeyedHash];
    await vault.shortLived.swap(hash, null, { sealed: 'x', expiresAt: then + 1 });
    await vault.shortLived.swap(hash, { sealed: 'x', expiresAt: then + 1 }, { sealed: 'y', expiresAt: then });
    await vault.shortLived.swap(valid, null, { sealed: 'x', expiresAt: then + 1 });
    expect((await shortLived.findOne({ _id: hash }))?.expires).toEqual(new Date(then));
    const indexes = (await shortLived.listIndexes().toArray()) as readonly {
      key: object;
      expireAfterSeconds?: number;
    }[];
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { expires: 1 }, expireAfterSeconds: 3_600 }),
    );
    expect(await vault.shortLived.sweep(then)).toBe(2);
    const left = await shortLived.find().sort({ _id: 1 }).toArray();
    expect(left.map(({ _id }) => _id)).toEqual([valid, 'former but valid']);
    await vault.close();
    await client.close();
    await mongo.stop();
  });
});
