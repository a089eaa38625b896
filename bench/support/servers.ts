import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

/** A server in a process of its own. */
export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

const DIST = new URL('../../', import.meta.url).pathname;

/** Starts compiled code that names its URL on a line of its output. Its further output is read and thrown away. */
const start = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  urlIn: RegExp,
): Promise<Server> => {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = urlIn.exec(line)?.[0];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${args[0] ?? ''} ended with ${code ?? 'a signal'}.`)));
  });
  return {
    url,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

/** Runs a piece of work that starts servers: each one it names to `started` is stopped whatever becomes of it. */
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

/** The service as somebody starts it, on the embedded store of that folder; rate limits are off, as behind a gateway. */
export const startService = (folder: string): Promise<Server> =>
  start(
    [join(DIST, 'src/main.js')],
    { PORT: '0', DATA_DIR: folder, RATE_LIMITS: 'off' },
    /http:\/\/127\.0\.0\.1:\d+(?=$)/,
  );

/** Plain Fastify over LMDB, holding one document. */
export const startPlain = (folder: string, document: object): Promise<Server> =>
  start([join(DIST, 'bench/support/plain-server.js'), folder, JSON.stringify(document)], {}, /http:\/\/\S+/);
