import { afterAll, beforeAll } from '@jest/globals';
import { eventStoreContract } from '../../../test/contracts/event-store.js';
import { testEventStoreUrl, type TestEventStore } from '../../../test/support/eventstoredb/server.js';
import { openEventStoreDb } from './open.js';

// One server for all logs of this file.
let held: TestEventStore;
beforeAll(async () => {
  held = await testEventStoreUrl();
});
afterAll(() => held.stop());

eventStoreContract('EventStoreDB', async () => {
  const { url, stop } = await testEventStoreUrl();
  return {
    store: await openEventStoreDb(url),
    another: () => openEventStoreDb(url),
    remove: stop,
  };
});
