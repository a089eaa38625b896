import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { hostname, uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../../core/errors.js';
import { everyTick, IDLE_POLL_MS } from '../../core/shared-interval.js';
import { PRIVATE_FILE } from './folder.js';
import { OncePerFolder } from './once-per-folder.js';

/*
 * LMDB identifies processes by their ids, and locks by mutexes that name threads by their ids. Two containers on one
 * volume may have the same ids, and two machines share no mutex. So each process that opens a folder claims it, by a
 * socket that is named after boot, PID namespace, process and host. The kernel accepts connections to a socket as long
 * as its process exists, also while it is stopped. A claim of another boot is valid while the time of its file changes.
 */

/** The properties that processes must have in common to share a folder. */
interface Space {
  readonly boot: string;
  readonly pids: string;
}

interface Claimant extends Space {
  readonly pid: number;
  readonly host: string;
}

/** A claim of another boot that was not renewed for this long counts as that of an ended process. */
const SILENT_MS = 4 * IDLE_POLL_MS;
const POLL_MS = 250;
const PROBE_TIMEOUT_MS = 5_000;
/** A socket's address has 107 bytes. */
const HOST_BYTES = 40;
const NAME = /^open\.([\w-]+)\.(\w+)\.(\d+)\.(.+)$/;
const nameOf = ({ boot, pids, pid, host }: Claimant): string => `open.${boot}.${pids}.${pid}.${host}`;

/** Another container or machine has the folder open. */
export class OpenElsewhere extends Error {
  override readonly name = 'OpenElsewhere';

  /** @param claimant who holds the claim @param isHere whether it runs on this machine */
  constructor({ host }: Claimant, isHere: boolean) {
    super(
      isHere
        ? `another container, or another PID namespace of this machine (host name ${host}), has it open`
        : `another machine (${host}) has it open`,
    );
  }
}

/** This process's claim to an LMDB folder, as long as it has the folder open. */
export class Claim {
  private readonly server: Server | null;
  private readonly stopBeat: () => void;

  private constructor(private readonly path: string | null) {
    this.server = path === null ? null : listening(path);
    this.stopBeat = path === null ? () => undefined : everyTick(IDLE_POLL_MS, () => renew(path));
  }

  /**
   * Claims a folder. A folder that cannot be written to is not claimed.
   * @throws {OpenElsewhere} a process that cannot share it has it open
   */
  static take(folder: string): Claim {
    return OPEN.acquire(folder, () => {
      const path = join(folder, nameOf({ ...OWN, pid: process.pid, host: ownHost() }));
      const claim = new Claim(made(path) ? path : null);
      try {
        assertShared(folder);
        return claim;
      } catch (error) {
        claim.end();
        throw error;
      }
    });
  }

  /** Called once for each `take`. The last one ends the claim. */
  release(): void {
    if (OPEN.release(this)) this.end();
  }

  private end(): void {
    this.stopBeat();
    this.server?.close();
    if (this.path !== null) remove(this.path);
  }
}

const OPEN = new OncePerFolder<Claim>();

/** A name from the system, without characters that a file's name must not have. */
const read = (name: () => string): string => {
  try {
    return name().replaceAll(/[^\w-]/g, '');
  } catch {
    // Only Linux has PID namespaces: on other systems all processes of a machine are in one.
    return 'none';
  }
};

const OWN: Space = {
  boot: read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
  pids: read(() => readlinkSync('/proc/self/ns/pid')),
};

const ownHost = (): string =>
  hostname()
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, HOST_BYTES);

const made = (path: string): boolean => {
  try {
    writeFileSync(path, '', { mode: PRIVATE_FILE });
    return true;
  } catch {
    return false;
  }
};

const renew = (path: string): void => {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Its folder may have been removed.
  }
};

/** Replaces a file by a socket; `null`: the file system has no sockets, and the file stays. */
function listening(path: string): Server | null {
  const draft = join(dirname(path), `.open.${process.pid}`);
  const server = createServer((connection) => connection.destroy()).on('error', () => undefined);
  let folder: number | null = null;
  try {
    rmSync(draft, { force: true });
    folder = openSync(dirname(path), 'r');
    // The whole path may be longer than a socket's address may be.
    const near = process.platform === 'linux' ? `/proc/self/fd/${folder}` : dirname(path);
    server.listen(join(near, basename(draft))).unref();
    if (!server.listening) return null;
    chmodSync(draft, PRIVATE_FILE);
    renameSync(draft, path);
    return server;
  } catch {
    server.close();
    remove(draft);
    return null;
  } finally {
    if (folder !== null) closeSync(folder);
  }
}

/** Removes claims of processes that ended. @throws {OpenElsewhere} */
function assertShared(folder: string): void {
  for (const file of readdirSync(folder)) {
    const claimant = claimantOf(file);
    if (!claimant) continue;
    const path = join(folder, file);
    const isHere = claimant.boot === OWN.boot;
    const isOurs = isHere && claimant.pids === OWN.pids;
    if (isOurs ? isPidTaken(claimant.pid) : isClaimed(path, claimant, isHere)) {
      if (!isOurs) throw new OpenElsewhere(claimant, isHere);
    } else remove(path);
  }
}

/** The running processes of this PID namespace that have a folder open; of one that cannot be read: none. */
export const processesWith = (folder: string): readonly number[] => {
  try {
    return readdirSync(folder)
      .map(claimantOf)
      .filter((claimant) => claimant !== null)
      .filter(({ boot, pids, pid }) => boot === OWN.boot && pids === OWN.pids && isPidTaken(pid))
      .map(({ pid }) => pid);
  } catch {
    return [];
  }
};

const claimantOf = (file: string): Claimant | null => {
  const [, boot, pids, pid, host] = NAME.exec(file) ?? [];
  return boot && pids && host ? { boot, pids, pid: Number(pid), host } : null;
};

const remove = (path: string): void => {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder may be read-only.
  }
};

/** Whether a process of this PID namespace has this id, even a zombie. */
export const isPidTaken = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
};

function isClaimed(path: string, { host }: Claimant, isHere: boolean): boolean {
  // Left by this machine before it was started again. Another machine with the same host name renews its claim.
  if (!isHere && host === ownHost() && isFromBeforeBoot(path)) return false;
  const isSocket = statSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
  return isHere && isSocket ? answers(path) : isRenewed(path);
}

/** Exits with 0 if a process listens, with 3 if none does, else with 2. Node exits with 1 if it cannot run this. */
const CONNECT = `
process.chdir(process.argv[1]);
require('node:net').connect(process.argv[2])
  .on('connect', () => process.exit(0))
  .on('error', ({ code }) => process.exit(['ECONNREFUSED', 'ENOENT'].includes(code) ? 3 : 2));`;

/** Probes in a child process and blocks this one: nothing is served yet. */
function answers(path: string): boolean {
  const args = ['-e', CONNECT, dirname(path), basename(path)];
  const { status } = spawnSync(process.execPath, args, { timeout: PROBE_TIMEOUT_MS });
  return status === 0 || (status !== 3 && isRenewed(path));
}

function isRenewed(path: string): boolean {
  const first = timeOf(path);
  for (let waited = 0; waited < SILENT_MS; waited += POLL_MS) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    const time = timeOf(path);
    if (time === undefined) return false;
    if (time !== first) return true;
  }
  return false;
}

/** Whether the file's time is before the start of this machine, by its clock. */
const isFromBeforeBoot = (path: string): boolean => (timeOf(path) ?? 0) < Date.now() - uptime() * 1_000;

const timeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
