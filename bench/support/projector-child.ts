import { openEventStoreDb } from '../../src/event-store/eventstoredb/open.js';
import { startProjector } from '../../src/projection-engine/runner.js';
import { openMongoReadStore } from '../../src/read-store/mongodb/open.js';
import { sealer, sessions, sessionsCodec } from './sessions.js';

/**
 * A projector process of the bench: feeds the view in two segments. A message ends it; it answers with the share of
 * its time since it began to work in which it waited for servers.
 */
const { EVENTSTORE_URL = '', MONGODB_URL = '' } = process.env;
const eventStore = await openEventStoreDb(EVENTSTORE_URL);
const readStore = await openMongoReadStore(MONGODB_URL);
process.send?.('ready');
process.once('message', () => {
  const before = performance.eventLoopUtilization();
  const projector = startProjector({
    eventStore,
    readStore,
    codec: sessionsCodec(),
    sealer,
    views: [sessions],
    segments: 2,
    owner: `bench/${process.pid}`,
  });
  process.once('message', () => {
    const { utilization } = performance.eventLoopUtilization(before);
    void projector.stop().then(async () => {
      process.send?.({ waiting: 1 - utilization });
      await Promise.all([readStore.close(), eventStore.close()]);
      process.disconnect();
    });
  });
});
