import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../free-port.js';
import { standStill } from '../stand-still.js';

/** A MongoDB of the tests, running as a process of its own. */
export interface MongoServer {
  /** Without a database. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** SIGKILL: what it had acknowledged is in its folder. Resolves once it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves once it is gone, and its folder too, unless that was given. */
  stop(): Promise<void>;
  /** SIGSTOP for so many milliseconds, or until `thaw`: connections stay open, and nothing is answered. */
  freeze(milliseconds?: number): Promise<void>;
  thaw(): void;
  /** Resolves when it has ended, however that came about. */
  readonly ended: Promise<void>;
}

export interface MongoServerOptions {
  /** Kept over restarts. One of its own, removed at `stop`, where none is given. */
  readonly dataDir?: string;
  /** A free one where none is given. */
  readonly port?: number;
  /** Nothing on disk. */
  readonly memory?: boolean;
}

const HERE = fileURLToPath(new URL('../../../', import.meta.url));
const ROOT = HERE.endsWith('/dist/') ? HERE.slice(0, -'dist/'.length) : HERE;
const JVM = [
  '-Xms32m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Dslf4j.internal.verbosity=ERROR',
];

/** What the server needs and this machine lacks, as a sentence; null where nothing is missing. */
export const missingForMongoServer = (): string | null => {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const missing = ['java', 'javac', 'mvn'].filter(
    (command) => !folders.some((folder) => existsSync(join(folder, command))),
  );
  return missing.length > 0
    ? `The MongoDB test server needs Java (a JDK, 17 or newer) and Maven; not found: ${missing.join(', ')}.`
    : null;
};

/** The folder of its classes, made when it is first asked for. */
const provided = async (): Promise<string> => {
  const script = join(ROOT, 'scripts', 'mongodb-server.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script]).catch((error: unknown) => {
    throw new Error((error as { stderr: string }).stderr.trim());
  });
  return stdout.trim();
};

const launch = (classes: string, port: number, dataDir: string): ChildProcess => {
  const classPath = [join(classes, 'classes'), join(classes, 'lib', '*')].join(delimiter);
  // It ends with its standard input, and so with this process.
  return spawn('java', [...JVM, '-cp', classPath, 'Server', String(port), dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
};

/**
 * Starts a server and waits until it listens.
 * @throws Error with a sentence that says what is missing, or what is wrong with the port or the folder
 */
export const startMongoServer = async (options: MongoServerOptions = {}): Promise<MongoServer> => {
  const missing = missingForMongoServer();
  if (missing !== null) throw new Error(missing);
  const classes = await provided();
  const own =
    options.dataDir === undefined && !options.memory
      ? await mkdtemp(join(tmpdir(), 'assay-mongodb-'))
      : undefined;
  const port = options.port ?? (await freePort());
  const child = launch(classes, port, options.memory ? '-' : (options.dataDir ?? own ?? '-'));
  const ended = once(child, 'exit').then(() => undefined);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-10_000)));
  const [url] = (await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line'),
    ended.then(() => ['']),
  ])) as [string];
  if (!url) throw new Error(errors.trim() || 'The MongoDB test server did not start.');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    // A frozen one hears nothing else.
    thaw();
    await ended;
  };
  const thaw = (): void => {
    child.kill('SIGCONT');
  };
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid!,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM');
      if (own !== undefined) await rm(own, { recursive: true, force: true });
    },
    freeze: async (milliseconds?: number) => {
      await standStill(child.pid!);
      if (milliseconds !== undefined) await sleep(milliseconds).then(thaw);
    },
    thaw,
    ended,
  };
};
