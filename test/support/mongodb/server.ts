import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../free-port.js';
import { type ServerProcess, startServerProcess } from '../server-process.js';

/** A MongoDB test server in a process of its own. */
export interface MongoServer extends ServerProcess {
  /** The connection string, without a database. */
  readonly url: string;
  readonly port: number;
}

interface MongoServerOptions {
  /** Kept over restarts. By default a temporary folder that `stop` removes. */
  readonly dataDir?: string;
  /** By default a free port. */
  readonly port?: number;
  /** Whether nothing is stored on disk. */
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

/** A sentence that names what the server needs and this machine lacks; `null`: nothing is missing. */
export const missingForMongoServer = (): string | null => {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const missing = ['java', 'javac', 'mvn'].filter(
    (command) => !folders.some((folder) => existsSync(join(folder, command))),
  );
  return missing.length > 0
    ? `The MongoDB test server needs Java (a JDK, 17 or newer) and Maven; not found: ${missing.join(', ')}.`
    : null;
};

/** The folder of its classes, which is built once. */
const provided = async (): Promise<string> => {
  const script = join(ROOT, 'scripts', 'mongodb-server.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script]).catch((error: unknown) => {
    throw new Error((error as { stderr: string }).stderr.trim());
  });
  return stdout.trim();
};

const launch = (classes: string, port: number, dataDir: string): ChildProcess => {
  const classPath = [join(classes, 'classes'), join(classes, 'lib', '*')].join(delimiter);
  // The server ends when its standard input is closed, and so with this process.
  return spawn('java', [...JVM, '-cp', classPath, 'Server', String(port), dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
};

/**
 * Starts a server and waits until it listens. Stop it.
 * @throws {Error} a program is missing, or the port or the folder cannot be used; the message names it
 */
export const startMongoServer = async (options: MongoServerOptions = {}): Promise<MongoServer> => {
  const missing = missingForMongoServer();
  if (missing !== null) throw new Error(missing);
  const classes = await provided();
  const port = options.port ?? (await freePort());
  const server = await startServerProcess({
    name: 'MongoDB',
    dataDir: options.memory ? '-' : options.dataDir,
    spawn: (dataDir) => launch(classes, port, dataDir),
    listens: /^(.+)$/,
  });
  return { ...server, port: Number(new URL(server.url).port) };
};
