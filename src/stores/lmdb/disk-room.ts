import { statfsSync } from 'node:fs';
import { hasCode } from '../../core/errors.js';

const MIB = 1024 * 1024;
/** Most bytes of a disk that are reserved: for writes under way in all processes, for erasures and for operators. */
const MAX_RESERVE = 64 * MIB;
const MIN_RESERVE = MIB;
/** The reserve is the disk's size divided by this, within the two bounds. */
const RESERVE_DIVISOR = 20;

/** The size and free room of a file system, in bytes. */
export interface DiskRoom {
  readonly size: number;
  /** Free for a process without special rights. */
  readonly free: number;
  /** If less is free, only writes that may use the reserve are begun. */
  readonly reserve: number;
}

/** The room of the file system that a folder is on. @throws of the system, if there is no such folder */
export function diskRoom(folder: string): DiskRoom {
  const { bsize, blocks, bavail } = statfsSync(folder);
  const size = blocks * bsize;
  const reserve = Math.min(MAX_RESERVE, Math.max(MIN_RESERVE, size / RESERVE_DIVISOR));
  return { size, free: bavail * bsize, reserve };
}

/** Nothing was written: the disk has no free room except the reserve. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** How long a check that found room stays valid, in milliseconds: less is written in this time than the reserve has. */
const ROOM_KNOWN_MS = 10;
const lastRoom = new Map<string, number>();

/** @throws {DiskFull} less is free than the reserve */
export function assertRoom(folder: string): void {
  const now = performance.now();
  if (now - (lastRoom.get(folder) ?? -Infinity) < ROOM_KNOWN_MS) return;
  const problem = diskProblem(folder);
  if (problem !== null) throw new DiskFull(problem);
  lastRoom.set(folder, now);
}

/** What is wrong with the room on a folder's disk, as a sentence; `null`: there is enough. */
export function diskProblem(folder: string): string | null {
  const { size, free, reserve } = diskRoom(folder);
  if (free >= reserve) return null;
  return (
    `The disk of ${folder} is full: ${inMib(free)} of ${inMib(size)} are free, and ${inMib(reserve)} are reserved. ` +
    'Make room; nothing needs to be repaired or restarted.'
  );
}

/** The same error, or `DiskFull` if it reports that the file system is full. */
export function asDiskFull(folder: string, error: unknown): unknown {
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].find((code) => hasCode(error, code));
  if (full === undefined) return error;
  const sentence = `The disk of ${folder} is full (${full}). Make room; nothing needs to be repaired or restarted.`;
  return new DiskFull(sentence, { cause: error });
}

const inMib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
