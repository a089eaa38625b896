import { join } from 'node:path';
import { type Configuration, readConfiguration } from '../../process/config.js';
import type { EventStore } from '../../core/event-store.js';

// An adapter is loaded where it is used, as the service does it.

/** The log of the service, to be read: nothing of a running service waits for it. */
export const openLogToRead = async ({
  dataDir,
  servers,
}: Pick<Configuration, 'dataDir' | 'servers'>): Promise<EventStore> => {
  if (servers) {
    const { openEventStoreDb } = await import('../../stores/eventstoredb/open.js');
    return openEventStoreDb(servers.eventStoreUrl);
  }
  const { openEmbeddedLog } = await import('../../stores/lmdb/log/open.js');
  return openEmbeddedLog(join(dataDir, 'log'), { readOnly: true });
};

/** Work on the log alone: no key is needed for it. */
export const withLog = async <T>(work: (log: EventStore) => Promise<T>): Promise<T> => {
  const log = await openLogToRead(readConfiguration(process.env));
  try {
    return await work(log);
  } finally {
    await log.close();
  }
};
