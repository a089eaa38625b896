import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { describeWithMongo } from '../support/mongodb/test-url.js';

describeWithMongo('the MongoDB of the tests', (url) => {
  let client: MongoClient;
  beforeEach(async () => {
    client = await MongoClient.connect(url());
  });
  afterEach(async () => await client.close());

  it('greets as version 7', async () => {
    const admin = client.db('admin');
    expect(await admin.command({ hello: 1 })).toMatchObject({ ok: 1, isWritablePrimary: true });
    expect((await admin.command({ buildInfo: 1 }))['version']).toMatch(/^[78]\./);
  });
});
