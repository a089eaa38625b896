import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { activityOf } from './activity.js';

const run = promisify(execFile);

/** Where Debian's package puts each version's programs. */
const DEBIAN = '/usr/lib/postgresql';
const USER = 'bench';

/** A PostgreSQL server for a benchmark, as Debian configures it: `fsync` and `synchronous_commit` are on. */
export interface PostgreSql {
  readonly version: string;
  /** @returns the URL of a new and empty database */
  database(): Promise<string>;
  /** Processor time of the server's processes that run now, in milliseconds. */
  processorMs(): number;
  stop(): Promise<void>;
}

/** The folder of the newest installed version's programs; `null`: none is installed. */
const programs = (): string | null => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newest = versions.sort((a, b) => Number(a) - Number(b)).at(-1);
  return newest === undefined ? null : join(DEBIAN, newest, 'bin');
};

/** @returns what is missing to start PostgreSQL, and how to get it; `null` if nothing is */
export const missingForPostgreSql = (): string | null =>
  programs() === null ? 'PostgreSQL is not installed: apt-get install postgresql.' : null;

/** PostgreSQL refuses to run as root: Debian's package makes a user for it. */
const unprivileged = (): { readonly uid?: number; readonly gid?: number } => {
  if (userInfo().uid !== 0) return {};
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith('postgres:'))
      ?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/**
 * Starts a server that the caller stops.
 * @param folder is made for the data; its parent becomes readable to all, since the server may run as another user
 */
export const startPostgreSql = async (folder: string): Promise<PostgreSql> => {
  const bin = programs();
  if (bin === null) throw new Error(missingForPostgreSql() ?? '');
  const as = unprivileged();
  await mkdir(folder, { recursive: true });
  await chmod(dirname(folder), 0o755);
  if (as.uid !== undefined) await chown(folder, as.uid, as.gid ?? 0);
  const data = join(folder, 'data');
  const initialise = ['-D', data, '--auth=trust', '-U', USER, '-E', 'UTF8', '--locale=C'];
  await run(join(bin, 'initdb'), initialise, { ...as, cwd: folder });
  const port = await freePort();
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'shared_buffers=256MB'];
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), '-k', folder, ...settings], {
    ...as,
    cwd: folder,
    stdio: 'ignore',
  });
  const psql = (sql: string) =>
    run(join(bin, 'psql'), ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-Atc', sql, 'postgres']);
  for (let ready = false; !ready;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}.`);
    ready = await psql('SELECT 1').then(
      () => true,
      () => sleep(100, false),
    );
  }
  const { stdout: version } = await psql('SHOW server_version');
  let databases = 0;
  return {
    version: version.trim(),
    database: async () => {
      const name = `bench_${++databases}`;
      await psql(`CREATE DATABASE ${name}`);
      return `postgresql://${USER}@127.0.0.1:${port}/${name}`;
    },
    processorMs: () => {
      const pid = server.pid ?? 0;
      // A process may end after it was listed.
      const spent = (one: number): number => {
        try {
          return activityOf(one).processorMs;
        } catch {
          return 0;
        }
      };
      return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + spent(one), 0);
    },
    stop: async () => {
      // A fast shutdown: it does not wait for clients.
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
};
