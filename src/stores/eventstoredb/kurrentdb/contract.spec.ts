import { afterAll, beforeAll } from '@jest/globals';
import { eventStoreContract } from '../../../../test/contracts/event-store.js';
import { testEventStoreUrl, type TestEventStore } from '../../../../test/support/eventstoredb/server.js';
import { openEventStoreDb } from '../open.js';

// One server for all logs of this file.
let held: TestEventStore;
beforeAll(async () => {
  held = await testEventStoreUrl();
});
afterAll(() => held.stop());

/** In a file of its own, since no process can hold both clients. */
eventStoreContract('EventStoreDB, by the client of KurrentDB', async () => {
  const { url, stop } = await testEventStoreUrl();
  const kurrentUrl = url.replace(/^esdb/, 'kurrentdb');
  return {
    store: await openEventStoreDb(kurrentUrl),
    another: () => openEventStoreDb(kurrentUrl),
    remove: stop,
  };
});
