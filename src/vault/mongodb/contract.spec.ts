import { randomBytes } from 'node:crypto';
import { Binary, MongoClient } from 'mongodb';
import { type VaultHarness, vaultContract } from '../../../test/contracts/vault.js';
import { describeWithMongo, testMongoUrl } from '../../../test/support/mongodb/test-url.js';
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
});
