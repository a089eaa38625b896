import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Admin } from '../../servers/eventstoredb/faults/admin-client.js';
import type { FaultSettings } from '../../servers/eventstoredb/faults/faults.js';
import { freePort } from '../free-port.js';
import { type ServerProcess, startServerProcess } from '../server-process.js';

/** An EventStoreDB of the tests, running as a process of its own. */
export interface EventStoreServer extends ServerProcess {
  /** As a client takes it, without the name of a log; with the credentials, if there are any. */
  readonly url: string;
  readonly port: number;
  /** Sets the faults that it shows. */
  readonly admin: Admin;
}

export interface EventStoreServerOptions {
  /** Kept over restarts. If none is given, a temporary one that `stop` removes. */
  readonly dataDir?: string;
  /** A free one if none is given. */
  readonly port?: number;
  /** As which server it gives itself out, such as `22.10.5`. */
  readonly version?: string;
  /** Calls without these are refused. A client sends them over TLS only. */
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly tls?: { readonly keyFile: string; readonly certificateFile: string };
  readonly faults?: Partial<FaultSettings>;
}

const HERE = fileURLToPath(new URL('../../../', import.meta.url));
const ROOT = HERE.endsWith('/dist/') ? HERE.slice(0, -'dist/'.length) : HERE;
const MAIN = join(ROOT, 'dist', 'test', 'servers', 'eventstoredb', 'main.js');

/**
 * Starts a server and waits until it listens. Stop it.
 * @throws Error with what the server said, where it ended instead
 */
export const startEventStoreServer = async (
  options: EventStoreServerOptions = {},
): Promise<EventStoreServer> => {
  const port = options.port ?? (await freePort());
  const { url, child, ...server } = await startServerProcess({
    name: 'EventStoreDB',
    dataDir: options.dataDir,
    spawn: (dataDir) =>
      spawn(
        process.execPath,
        ['--no-warnings', '--enable-source-maps', MAIN, ...flags({ ...options, port }, dataDir)],
        { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
      ),
    listens: /^EVENTSTORE_URL=(.+)$/,
  });
  // What is still running must not keep the process of the tests.
  child.channel?.unref();
  return {
    ...server,
    url: options.tls ? `${url}&tlsCAFile=${encodeURIComponent(options.tls.certificateFile)}` : url,
    port: Number(/:(\d+)\?/.exec(url)?.[1]),
    admin: new Admin(child, server.ended),
  };
};

const flags = (options: EventStoreServerOptions, dataDir: string): string[] => {
  const { port, version, credentials, tls, faults } = options;
  const given: Readonly<Record<string, string | undefined>> = {
    data: dataDir,
    port: port === undefined ? undefined : `${port}`,
    version,
    username: credentials?.username,
    password: credentials?.password,
    'tls-key': tls?.keyFile,
    'tls-certificate': tls?.certificateFile,
    faults: faults && JSON.stringify(faults),
  };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
};

/** A log of a server, empty at first. */
export interface TestEventStore {
  /** With the name of the log in it. */
  readonly url: string;
  /** The last call ends the server, unless it is that of TEST_EVENTSTORE_URL. */
  stop(): Promise<void>;
}

let shared: { readonly server: Promise<EventStoreServer>; users: number } | null = null;

/**
 * A log of its own at each call: on the server of TEST_EVENTSTORE_URL, or on one that all calls of a spec file share
 * (a file's modules are its own).
 */
export const testEventStoreUrl = async (): Promise<TestEventStore> => {
  const given = process.env.TEST_EVENTSTORE_URL;
  if (given !== undefined) return { url: withLog(given), stop: async () => undefined };
  shared ??= { server: startEventStoreServer(), users: 0 };
  const used = shared;
  used.users++;
  const { url, stop } = await used.server;
  let stopped = false;
  return {
    url: withLog(url),
    stop: async () => {
      if (stopped) return;
      stopped = true;
      if (--used.users > 0) return;
      if (shared === used) shared = null;
      await stop();
    },
  };
};

/** The same server, which may be several hosts: no URL in the narrow sense. */
const withLog = (url: string): string => {
  const [, server, query = ''] = /^([^/]+:\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(url) ?? [];
  if (server === undefined) throw new Error(`TEST_EVENTSTORE_URL is no EventStoreDB URL: ${url}`);
  return `${server}/test${randomBytes(6).toString('hex')}${query}`;
};
