import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isPidTaken } from './claim.js';
import { diskProblem } from './disk-room.js';
import { lockFile, makeLockFile, mappedFile, PRIVATE_FILE } from './folder.js';

/*
 * LMDB maps its files into memory. Some file systems refuse that (FUSE, 9p, network file systems), and lmdb then ends
 * the process by a signal; on others a mapping shows other bytes than the file has. So before the first mapping on a
 * file system, a child process maps a small file there.
 */

/** A file system on which LMDB cannot work. */
export class NotMappable extends Error {
  override readonly name = 'NotMappable';
}

/**
 * Tests a folder's file system before LMDB maps files there; call `noteMapped` once the folder is open. A process tests
 * each device once, and no folder that was open on this device before.
 * @throws {NotMappable} a mapping would end this process, or show other bytes than the files have
 */
export function assertMappable(folder: string): void {
  const { dev } = statSync(folder);
  const stamp = mappedFile(folder);
  if (isStamped(stamp, folder)) return;
  if (!tested.has(dev) && !isMappable(folder))
    throw new NotMappable(
      `the file system${typeAt(folder)} cannot map files into memory, or shows other bytes there than the files hold`,
    );
  tested.add(dev);
}

/** Records the device of an opened folder's lock file: a copy of the folder may be on another file system. */
export function noteMapped(folder: string): void {
  const stamp = mappedFile(folder);
  if (isStamped(stamp, folder)) return;
  try {
    writeFileSync(stamp, placeOf(folder), { mode: PRIVATE_FILE });
  } catch {
    // Without the record, the next start tests the file system again.
  }
}

/** Devices that support mappings, or could not be tested. */
const tested = new Set<number>();

const isStamped = (stamp: string, folder: string): boolean => {
  try {
    return readFileSync(stamp, 'utf8') === placeOf(folder);
  } catch {
    return false;
  }
};

const placeOf = (folder: string): string => {
  const { dev, ino } = statSync(lockFile(folder));
  return `${dev}:${ino}\n`;
};

/**
 * Commits through a mapping, and compares with what the files have: the value in the data file, and in the lock file
 * the number of the newest commit (`commit-number` has the offset). Exits with 3 if they differ, with 4 if the system
 * refuses a mapping, and otherwise with 0.
 */
const TRY = `
const { open } = require(process.argv[1]);
const { readFileSync } = require('node:fs');
const [, , folder] = process.argv;
try {
  const store = open({ path: folder, noSubdir: false, overlappingSync: false });
  const value = 'mapped'.repeat(100);
  for (const key of [1, 2]) store.transactionSync(() => store.putSync(key, value));
  const isRead = store.get(2) === value && readFileSync(folder + '/data.mdb').includes(value);
  const commit = Number(readFileSync(folder + '/lock.mdb').readBigUInt64LE(8));
  process.exit(isRead && commit === store.env.info().lastTxnId ? 0 : 3);
} catch (error) {
  process.exit(/No such device|not supported|not implemented|Invalid argument/.test(error.message) ? 4 : 0);
}`;
const TRY_TIMEOUT_MS = 20_000;
const REFUSED = [3, 4];
/** The name of a test folder, with the id of the process that made it. */
const TEST_FOLDER = /^\.mapping-(\d+)-\w{6}$/;

/**
 * Whether the file system supports mappings. True if that cannot be tested: opening the store then fails with the
 * reason.
 */
function isMappable(folder: string): boolean {
  if (diskProblem(folder) !== null) return true;
  let testFolder: string;
  try {
    removeLeftovers(folder);
    testFolder = mkdtempSync(join(folder, `.mapping-${process.pid}-`));
  } catch {
    return true;
  }
  try {
    makeLockFile(testFolder);
    const args = ['-e', TRY, createRequire(import.meta.url).resolve('lmdb'), testFolder];
    const { status, signal, error } = spawnSync(process.execPath, args, { timeout: TRY_TIMEOUT_MS });
    if (error) return true;
    return !REFUSED.includes(status ?? 0) && !['SIGSEGV', 'SIGBUS', 'SIGABRT'].includes(signal ?? '');
  } finally {
    rmSync(testFolder, { recursive: true, force: true });
  }
}

/** Removes the test folders of killed processes. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = TEST_FOLDER.exec(name) ?? [];
    if (pid !== undefined && !isPidTaken(Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * The folder's type of file system and where it is mounted, as a part of a sentence; empty on systems without
 * `/proc/self/mountinfo`.
 */
function typeAt(folder: string): string {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, , , , at = ''] = line.split(' ');
        const type = line.split(' - ')[1]?.split(' ')[0] ?? '';
        return `${folder}/`.startsWith(at === '/' ? at : `${at}/`) && type ? [{ at, type }] : [];
      });
    const longest = mounts.reduce((one, other) => (other.at.length >= one.at.length ? other : one));
    return ` (${longest.type}, at ${longest.at})`;
  } catch {
    return '';
  }
}
