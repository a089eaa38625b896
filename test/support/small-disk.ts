import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type FileSystem = 'tmpfs' | 'ext4';

const MIB = 1024 * 1024;
const SIZE = 24 * MIB;
/** The rest is taken from the beginning, so that room can be made by giving it back. */
const LEFT = 6 * MIB;

/** A real file system of 24 MiB, which can be filled to its last byte. */
export interface SmallDisk {
  /** On it, and empty. */
  readonly folder: string;
  /** Nothing can be written any more. */
  fill(): void;
  makeRoom(): void;
  remove(): Promise<void>;
}

const quietly = (command: string, ...args: string[]): void =>
  void execFileSync(command, args, { stdio: 'pipe' });

const mount = (kind: FileSystem, root: string, at: string): void => {
  if (kind === 'tmpfs') {
    quietly('mount', '-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', at);
    return;
  }
  const image = join(root, 'image');
  quietly('truncate', '--size', `${SIZE}`, image);
  quietly('mkfs.ext4', '-q', '-F', '-m', '0', '-J', 'size=1', image);
  quietly('mount', '-o', 'loop', image, at);
};

/** @returns how far it came */
const write = (path: string, bytes: number): void => {
  const file = openSync(path, 'w');
  try {
    for (let left = bytes; left > 0;) left -= writeSync(file, Buffer.alloc(Math.min(left, MIB), 'x'));
    for (let piece = 64 * 1024; bytes === Infinity && piece > 0; piece = piece > 1 ? piece >> 1 : 0)
      writeSync(file, Buffer.alloc(piece, 'x'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
};

/** @returns a sentence where this machine lets this user mount none */
export const smallDisk = async (kind: FileSystem): Promise<SmallDisk | string> => {
  const root = await mkdtemp(join(tmpdir(), 'assay-disk-'));
  const at = join(root, 'mounted');
  mkdirSync(at);
  try {
    mount(kind, root, at);
  } catch (error) {
    await rm(root, { recursive: true });
    return `No ${kind} can be mounted here (${(error as Error).message.trim()}).`;
  }
  const fillers = ['taken', 'filled'].map((name) => join(at, name));
  const [taken = '', filled = ''] = fillers;
  const { bavail, bsize } = statfsSync(at);
  write(taken, bavail * bsize - LEFT);
  return {
    folder: join(at, 'data'),
    fill: () => write(filled, Infinity),
    makeRoom: () => fillers.forEach((path) => rmSync(path, { force: true })),
    remove: async () => {
      quietly('umount', '--lazy', at);
      await rm(root, { recursive: true });
    },
  };
};
