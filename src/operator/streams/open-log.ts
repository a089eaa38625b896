import { join } from 'node:path';
import { readConfiguration } from '../../app/config.js';
import type { EventStore } from '../../event-store/port.js';

// An adapter is loaded where it is used, as the service does it.

const openLog = async (): Promise<EventStore> => {
  const { dataDir, servers } = readConfiguration(process.env);
  if (servers) {
    const { openEventStoreDb } = await import('../../event-store/eventstoredb/open.js');
    return openEventStoreDb(servers.eventStoreUrl);
  }
  const { openEmbeddedLog } = await import('../../event-store/embedded/open.js');
  return openEmbeddedLog(join(dataDir, 'log'), { readOnly: true });
};

/** The log alone, to be read: no key is needed for it, and nothing of a running service waits for it. */
export const withLog = async <T>(work: (log: EventStore) => Promise<T>): Promise<T> => {
  const log = await openLog();
  try {
    return await work(log);
  } finally {
    await log.close();
  }
};
