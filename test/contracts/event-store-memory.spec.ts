import { MemoryEventStore } from '../support/memory-event-store.js';
import { eventStoreContract } from './event-store.js';

eventStoreContract('in memory', async () => {
  const store = new MemoryEventStore();
  return {
    store,
    another: async () => new MemoryEventStore(store),
    remove: async () => undefined,
  };
});
