import { readStoreContract } from '../../../../test/contracts/read-store.js';
import { describeWithMongo, testMongoUrl } from '../../../../test/support/mongodb/test-url.js';
import { openMongoReadStore } from './open.js';

describeWithMongo('on a MongoDB server', () => {
  readStoreContract('the MongoDB adapter', async () => {
    const mongo = await testMongoUrl();
    if (!mongo) throw new Error('There is no MongoDB server.');
    return { connect: () => openMongoReadStore(mongo.url), remove: () => mongo.stop() };
  });
});
