import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import { openMongoReadStore } from '../../src/stores/mongodb/views/open.js';
import { MemoryDatabase, openMemoryReadStore } from '../support/memory-read-store.js';
import { describeWithMongo, testMongoUrl } from '../support/mongodb/test-url.js';
import { narrowedLists } from './narrowed-lists.js';

narrowedLists('the store in memory', async () => {
  const database = new MemoryDatabase();
  return { connect: async () => openMemoryReadStore(database), remove: async () => undefined };
});

narrowedLists('the embedded store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'narrowed-lists-'));
  return {
    connect: () => openEmbeddedReadStore(folder),
    remove: () => rm(folder, { recursive: true }),
  };
});

describeWithMongo('on a MongoDB server', () => {
  narrowedLists('the MongoDB adapter', async () => {
    const mongo = await testMongoUrl();
    if (!mongo) throw new Error('There is no MongoDB server.');
    return { connect: () => openMongoReadStore(mongo.url), remove: () => mongo.stop() };
  });
});
