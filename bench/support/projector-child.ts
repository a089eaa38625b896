import { openEventStoreDb } from '../../src/stores/eventstoredb/open.js';
import { openMongoReadStore } from '../../src/stores/mongodb/views/open.js';
import { startProjector } from '../../test/support/alone.js';
import { answers, sealer, sessionsCodec } from './sessions.js';

/**
 * A projector process of the bench: feeds the view in two segments. A message ends it; it answers with the processor
 * time that it took since it began, and how long it waited for servers and for a processor, in milliseconds.
 */
const { EVENTSTORE_URL = '', MONGODB_URL = '' } = process.env;
const eventStore = await openEventStoreDb(EVENTSTORE_URL);
const readStore = await openMongoReadStore(MONGODB_URL);
process.send?.('ready');
process.once('message', () => {
  const began = performance.now();
  const before = process.cpuUsage();
  const projector = startProjector({
    eventStore,
    readStore,
    codec: sessionsCodec(),
    sealer,
    views: [answers],
    segments: 2,
    owner: `bench/${process.pid}`,
  });
  process.once('message', () => {
    const { user, system } = process.cpuUsage(before);
    const active = (user + system) / 1_000;
    const idle = Math.max(0, performance.now() - began - active);
    void projector.stop().then(async () => {
      process.send?.({ active, idle });
      await Promise.all([readStore.close(), eventStore.close()]);
      process.disconnect();
    });
  });
});
