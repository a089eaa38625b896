import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Server, startProgram } from './servers.js';
import type { Tokens } from './tokens.js';

const ROOT = new URL('../../../', import.meta.url).pathname;
const FOLDER = join(ROOT, 'bench/peers');
const BINDING = join(FOLDER, 'node_modules/sqlite3/build/Release/node_sqlite3.node');

/** What a peer stores its events in. */
export type PeerKind = 'sqlite' | 'postgresql';

/** Packages of the peers whose versions matter, and the folder that they are below. */
export const PEER_PACKAGES = {
  below: 'bench/peers/',
  names: [
    '@event-driven-io/emmett',
    '@event-driven-io/emmett-postgresql',
    '@event-driven-io/emmett-sqlite',
    '@event-driven-io/pongo',
    '@nestjs/passport',
    'class-transformer',
    'pg',
    'sqlite3',
  ],
} as const;

const npm = (...args: readonly string[]): void => {
  execFileSync('npm', args, { cwd: FOLDER, stdio: ['ignore', 2, 2] });
};

const lockedAs = (file: string): string | null =>
  existsSync(file)
    ? JSON.stringify(
        Object.entries(
          (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version: string }> })
            .packages,
        )
          .filter(([path]) => path !== '')
          .map(([path, { version }]) => [path, version]),
      )
    : null;

/**
 * Installs the peers' packages if their lock file has changed, and builds the peers. SQLite is compiled if there is no
 * binary for the machine.
 */
export const preparePeers = (): void => {
  const wanted = lockedAs(join(FOLDER, 'package-lock.json'));
  if (lockedAs(join(FOLDER, 'node_modules/.package-lock.json')) !== wanted) npm('ci');
  if (!existsSync(BINDING)) npm('rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts');
  const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', FOLDER], { stdio: ['ignore', 2, 2] });
};

const program = (name: string): string => join(FOLDER, 'dist/peers', name);

/** @param location a folder, or a database's URL */
export const startPeer = (
  kind: PeerKind,
  { folder, location }: { readonly folder: string; readonly location: string },
  staff: { readonly organisationId: string; readonly owner: string },
  tokens: Tokens,
): Promise<Server> =>
  startProgram(
    folder,
    [program('server.js'), kind, location, staff.organisationId, staff.owner],
    { TOKENS: JSON.stringify(tokens) },
    /http:\/\/\S+(?=\n)/,
  );

/** Events a second. */
export interface LogRates {
  readonly append: number;
  readonly rebuild: number;
}

/** Appends events to emmett alone and rebuilds a view of them, in a process of its own. */
export const peerLogRates = (kind: PeerKind, location: string, events: number, writers: number): LogRates => {
  const args = [program('log.js'), kind, location, String(events), String(writers)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as LogRates;
};
