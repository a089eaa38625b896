import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Admin } from '../../servers/eventstoredb/faults/admin-client.js';
import type { FaultSettings } from '../../servers/eventstoredb/faults/faults.js';
import { freePort } from '../free-port.js';
import { type ServerProcess, startServerProcess } from '../server-process.js';

/** An EventStoreDB test server in a process of its own. */
export interface EventStoreServer extends ServerProcess {
  /** The connection string, with the credentials if there are any, without the name of a log. */
  readonly url: string;
  readonly port: number;
  /** Sets the server's faults. */
  readonly admin: Admin;
}

export interface EventStoreServerOptions {
  /** Kept over restarts. By default a temporary folder that `stop` removes. */
  readonly dataDir?: string;
  /** By default a free port. */
  readonly port?: number;
  /** The version that the server reports, such as `22.10.5`. */
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
 * @throws {Error} the server has ended instead, with its output
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
  // A running server must not keep the process of the tests alive.
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

/** An empty log of a server. */
export interface TestEventStore {
  /** The connection string with the name of the log. */
  readonly url: string;
  /** The last call ends the server, except that of TEST_EVENTSTORE_URL. */
  stop(): Promise<void>;
}

let shared: { readonly server: Promise<EventStoreServer>; users: number } | null = null;

/**
 * Makes a new log at each call: on the server of TEST_EVENTSTORE_URL, or on one that all calls of a spec file share
 * (each spec file evaluates this module for itself).
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

/** The URL with another log. A text operation, since `URL` cannot parse a list of hosts. */
const withLog = (url: string): string => {
  const [, server, query = ''] = /^([^/]+:\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(url) ?? [];
  if (server === undefined) throw new Error(`TEST_EVENTSTORE_URL is no EventStoreDB URL: ${url}`);
  return `${server}/test${randomBytes(6).toString('hex')}${query}`;
};
