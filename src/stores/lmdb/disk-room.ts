import { statfsSync } from 'node:fs';
import { hasCode } from '../../core/errors.js';

const MIB = 1024 * 1024;
/** Kept back of a disk, at most: what is being written by all processes has room in it, and so have operators. */
const MAX_KEPT_BACK = 64 * MIB;
const MIN_KEPT_BACK = MIB;
const SHARE_KEPT_BACK = 20;

/** What a file system holds, in bytes. */
export interface DiskRoom {
  readonly size: number;
  /** Of it, for a process without special rights. */
  readonly free: number;
  /** Below so much free, nothing that makes files grow is begun. */
  readonly keptBack: number;
}

/** The room of the file system that a folder lies on. @throws of the system, if the folder is not there */
export function diskRoom(folder: string): DiskRoom {
  const { bsize, blocks, bavail } = statfsSync(folder);
  const size = blocks * bsize;
  const keptBack = Math.min(MAX_KEPT_BACK, Math.max(MIN_KEPT_BACK, size / SHARE_KEPT_BACK));
  return { size, free: bavail * bsize, keptBack };
}

/** Nothing was written: the disk has no room left but for what is kept back. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** For so long a disk that had room is taken to have it: less is written meanwhile than is kept back. */
const ROOM_KNOWN_MS = 10;
const lastRoom = new Map<string, number>();

/** @throws {DiskFull} */
export function assertRoom(folder: string): void {
  const now = performance.now();
  if (now - (lastRoom.get(folder) ?? -Infinity) < ROOM_KNOWN_MS) return;
  const problem = diskProblem(folder);
  if (problem !== null) {
    lastRoom.delete(folder);
    throw new DiskFull(problem);
  }
  lastRoom.set(folder, now);
}

/** What is wrong with the room on a folder's disk, as a sentence; `null`: there is enough. */
export function diskProblem(folder: string): string | null {
  const { size, free, keptBack } = diskRoom(folder);
  if (free >= keptBack) return null;
  return (
    `The disk of ${folder} is full: ${inMib(free)} of ${inMib(size)} are free, and ${inMib(keptBack)} are kept back. ` +
    'Make room; nothing needs to be repaired or restarted.'
  );
}

/** The same error, or `DiskFull` if that is what the file system reports by it. */
export function asDiskFull(folder: string, error: unknown): unknown {
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].find((code) => hasCode(error, code));
  if (full === undefined) return error;
  const sentence = `The disk of ${folder} is full (${full}). Make room; nothing needs to be repaired or restarted.`;
  return new DiskFull(sentence, { cause: error });
}

const inMib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
