import { join } from 'node:path';
import { makeFolder } from '../../src/process/secret-files.js';
import { startEventStoreServer, type EventStoreServer } from '../support/eventstoredb/server.js';
import { startMongoServer, type MongoServer } from '../support/mongodb/server.js';

/** Which servers to start; a server without a port gets a free one. */
export interface Wanted {
  readonly dataDir: string;
  readonly eventStore?: { readonly port?: number };
  readonly mongo?: { readonly port?: number };
}

/** The started servers. */
export interface Servers {
  readonly eventStore: EventStoreServer | null;
  readonly mongo: MongoServer | null;
  /** Resolves with the name of the first server that ended by itself. */
  readonly died: Promise<string>;
  /** Ends all servers. Resolves once they have ended. */
  stop(): Promise<void>;
}

/**
 * Starts the servers at the same time, each on a folder of its own in `dataDir`, and waits until all listen.
 * @throws {Error} if one does not start, with the reason; then no server is left
 */
export const startServers = async ({ dataDir, eventStore, mongo }: Wanted): Promise<Servers> => {
  await makeFolder(dataDir).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`${dataDir} cannot be used as the folder for data (${code}).`, { cause });
  });
  const started = await Promise.allSettled([
    eventStore ? startEventStoreServer({ ...eventStore, dataDir: join(dataDir, 'eventstoredb') }) : null,
    mongo ? startMongoServer({ ...mongo, dataDir: join(dataDir, 'mongodb') }) : null,
  ]);
  const [first, second] = started;
  const running = started.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((one) => one.stop()));
  };
  if (first.status === 'rejected' || second.status === 'rejected') {
    await stop();
    const failed = first.status === 'rejected' ? first : (second as PromiseRejectedResult);
    throw inWords(failed.reason);
  }
  return {
    eventStore: first.value,
    mongo: second.value,
    died: Promise.race([
      first.value?.ended.then(() => 'EventStoreDB stand-in') ?? new Promise<never>(() => undefined),
      second.value?.ended.then(() => 'MongoDB test server') ?? new Promise<never>(() => undefined),
    ]),
    stop,
  };
};

/** Rewrites an error of the EventStoreDB test server, which has the operating system's words. */
const inWords = (reason: unknown): unknown => {
  const [, port] = /EADDRINUSE.*:(\d+)$/m.exec(reason instanceof Error ? reason.message : '') ?? [];
  return port === undefined
    ? reason
    : new Error(`The EventStoreDB stand-in cannot listen on port ${port}: it is in use.`);
};
