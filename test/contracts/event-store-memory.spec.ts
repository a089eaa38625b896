import { MemoryEventStore } from '../support/memory-event-store.js';
import { eventStoreContract } from './event-store.js';

/** The double that other suites stand on keeps what the adapters keep. */
eventStoreContract('in memory', async () => {
  const store = new MemoryEventStore();
  return { store, another: async () => store, remove: async () => undefined };
});
