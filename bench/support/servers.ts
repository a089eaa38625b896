import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFlags } from '../../test/support/service.js';
import type { Tokens } from './tokens.js';

/** A server in a process of its own. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const DIST = new URL('../../', import.meta.url).pathname;

/** What matches in a file that a process writes to, once it does. */
const written = async (file: string, pattern: RegExp, child: ChildProcess): Promise<string> => {
  for (;;) {
    const found = pattern.exec(await readFile(file, 'utf8'))?.[0];
    if (found) return found;
    if (child.exitCode !== null) throw new Error(`A server ended with ${child.exitCode}.`);
    await sleep(20);
  }
};

/**
 * Starts compiled code that names its URL on a line of its output. That goes to a file: to read a log of each
 * request would be work for the process that makes the load.
 * @param folder its output is written beside
 * @param urlIn matches what is answered as its URL
 */
export const startProgram = async (
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  urlIn: RegExp,
): Promise<Server> => {
  await mkdir(dirname(folder), { recursive: true });
  const output = await open(`${folder}.out`, 'w');
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', output.fd, 'inherit'],
  });
  await output.close();
  const url = await written(`${folder}.out`, urlIn, child);
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

/** Runs a piece of work that starts servers. Each server that it passes to `started` is stopped, also if the work fails. */
export const stopAfter = async (
  work: (started: (server: Server) => Server) => Promise<void>,
): Promise<void> => {
  const running: Server[] = [];
  try {
    await work((server) => {
      running.push(server);
      return server;
    });
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
};

/** Environment variables and their values. */
type Variables = Readonly<Record<string, string>>;

/** The service as somebody starts it, on the embedded store of that folder; rate limits are off, as behind a gateway. */
export const startService = (folder: string, env: Variables = {}): Promise<Server> =>
  startProgram(
    folder,
    [...nodeFlags(), join(DIST, 'bin/main.js')],
    { PORT: '0', DATA_DIR: folder, RATE_LIMITS: 'off', ...env },
    /http:\/\/127\.0\.0\.1:\d+(?=$)/m,
  );

/** A projector as somebody starts it; it listens nowhere. */
export const startProjector = async (folder: string, env: Variables = {}): Promise<Server> =>
  startProgram(
    `${folder}-projector`,
    [...nodeFlags(), join(DIST, 'bin/projector.js')],
    { DATA_DIR: folder, ...env },
    /The projector works/,
  );

/** Plain Fastify over LMDB, holding one document. @param tokens what it verifies tokens with, where a bench sends any */
export const startPlain = (folder: string, document: object, tokens?: Tokens): Promise<Server> =>
  startProgram(
    folder,
    [join(DIST, 'bench/support/plain-server.js'), folder, JSON.stringify(document)],
    tokens ? { TOKENS: JSON.stringify(tokens) } : {},
    /http:\/\/\S+(?=\n)/,
  );

/** Plain Fastify over the drivers of EventStoreDB and MongoDB. @param stores the variables that name them */
export const startBareOnServers = (folder: string, stores: Variables, tokens: Tokens): Promise<Server> =>
  startProgram(
    folder,
    [join(DIST, 'bench/support/bare-on-servers.js')],
    { ...stores, TOKENS: JSON.stringify(tokens) },
    /http:\/\/\S+(?=\n)/,
  );

/** Nest that only greets. */
export const startHello = (folder: string): Promise<Server> =>
  startProgram(folder, [join(DIST, 'bench/support/hello-server.js')], {}, /http:\/\/\S+(?=\n)/);

/** `node:http` that sends the content of a file. */
export const startBuffer = (folder: string, file: string): Promise<Server> =>
  startProgram(folder, [join(DIST, 'bench/support/buffer-server.js'), file], {}, /http:\/\/\S+(?=\n)/);

/** Bare `ws`, which takes what it is sent. */
export const startSink = (folder: string): Promise<Server> =>
  startProgram(folder, [join(DIST, 'bench/support/interview/ws-sink.js')], {}, /http:\/\/\S+(?=\n)/);
