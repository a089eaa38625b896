import { eventStoreContract } from '../contracts/event-store.js';
import { MemoryEventStore } from './memory-event-store.js';

eventStoreContract('in memory', async () => {
  const store = new MemoryEventStore();
  return {
    store,
    another: async () => new MemoryEventStore(store),
    remove: async () => undefined,
  };
});
