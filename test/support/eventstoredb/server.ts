import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.js';
import { standStill } from '../stand-still.js';
import { Admin } from './faults/admin-client.js';
import type { FaultSettings } from './faults/faults.js';

/** An EventStoreDB of the tests, running as a process of its own. */
export interface EventStoreServer {
  /** As a client takes it, without the name of a log; with the credentials, if there are any. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** How it is told to misbehave. */
  readonly admin: Admin;
  /** SIGKILL: what it had acknowledged is in its folder. Resolves once it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves once it is gone, and its folder too, unless that was given. */
  stop(): Promise<void>;
  /** SIGSTOP for so many milliseconds: connections stay open, nothing is answered, pings neither. */
  freeze(milliseconds: number): Promise<void>;
  /** Resolves when it has ended, however that came about. */
  readonly ended: Promise<void>;
}

export interface EventStoreServerOptions {
  /** Kept over restarts. One of its own, removed at `stop`, where none is given. */
  readonly dataDir?: string;
  /** A free one where none is given. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** As which server it gives itself out, such as `22.10.5`. */
  readonly version?: string;
  /** Calls without these are refused. A client sends them over TLS only. */
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly tls?: { readonly keyFile: string; readonly certificateFile: string };
  readonly faults?: Partial<FaultSettings>;
}

const HERE = fileURLToPath(new URL('../../../', import.meta.url));
const ROOT = HERE.endsWith('/dist/') ? HERE.slice(0, -'dist/'.length) : HERE;
const MAIN = join(ROOT, 'dist', 'test', 'support', 'eventstoredb', 'main.js');

/**
 * Starts a server and waits until it listens.
 * @throws Error with what the server said, where it ended instead
 */
export const startEventStoreServer = async (
  options: EventStoreServerOptions = {},
): Promise<EventStoreServer> => {
  const port = options.port ?? (await freePort());
  const own =
    options.dataDir === undefined ? await mkdtemp(join(tmpdir(), 'assay-eventstoredb-')) : undefined;
  const child = spawn(
    process.execPath,
    [
      '--no-warnings',
      '--enable-source-maps',
      MAIN,
      ...flags({ ...options, port }, options.dataDir ?? own ?? ''),
    ],
    { env: { PATH: process.env.PATH, ...options.env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  const ended = once(child, 'exit').then(() => undefined);
  const removeOwn = async (): Promise<void> => {
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  };
  const url = await firstUrl(child, ended).catch(async (error: unknown) => {
    await removeOwn();
    throw error;
  });
  // What is still running must not keep the process of the tests.
  child.channel?.unref();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    // A frozen one hears nothing else.
    child.kill('SIGCONT');
    await ended;
  };
  return {
    url: options.tls ? `${url}&tlsCAFile=${encodeURIComponent(options.tls.certificateFile)}` : url,
    port: Number(/:(\d+)\?/.exec(url)?.[1]),
    pid: child.pid!,
    admin: new Admin(child, ended),
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM');
      await removeOwn();
    },
    freeze: async (milliseconds) => {
      await standStill(child.pid!);
      await sleep(milliseconds);
      child.kill('SIGCONT');
    },
    ended,
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

const firstUrl = async (child: ChildProcess, ended: Promise<void>): Promise<string> => {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-10_000)));
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line'),
    ended.then(() => ['']),
  ])) as [string];
  const url = /^EVENTSTORE_URL=(.+)$/.exec(line)?.[1];
  if (url === undefined) throw new Error(errors.trim() || 'The EventStoreDB test server did not start.');
  return url;
};

/** A log of a server, empty at first. */
export interface TestEventStore {
  /** With the name of the log in it. */
  readonly url: string;
  /** Whoever stops last ends the server, unless it is that of TEST_EVENTSTORE_URL. */
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
