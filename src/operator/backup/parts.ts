import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyShards, digestShards } from '../../vault/lmdb/key-shards.js';

/** Files of a data folder that a backup holds, one by one. */
export const DATA_FILES = [
  'log/data.mdb',
  'vault/look-ups/data.mdb',
  'vault/look-ups/keys',
  'vault/audio/data.mdb',
] as const;
/** Folders of small files, each counted and hashed as one. */
export const SHARDED = ['vault/keys', 'vault/erased'] as const;
/** With `--with-keys` alone: whoever holds them reads everything. */
export const KEY_FILES = ['data.key', 'signing.key'] as const;

export type PartPath = (typeof DATA_FILES)[number] | (typeof SHARDED)[number] | (typeof KEY_FILES)[number];

/** A part of a backup as it was saved. */
export interface Part {
  readonly path: PartPath;
  readonly files: number;
  readonly bytes: number;
  /** In hex; of a sharded folder as `digestShards` says. */
  readonly sha256: string;
}

/** Counts and hashes a part as it lies in a folder. */
export const measure = async (folder: string, path: PartPath): Promise<Part> => {
  const at = join(folder, path);
  if (isSharded(path)) return { path, ...(await digestShards(at)) };
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(at)) hash.update(chunk as Buffer);
  return { path, files: 1, bytes: (await stat(at)).size, sha256: hash.digest('hex') };
};

/** Copies a part from one folder to the other, durably. */
export const copyPart = async (from: string, to: string, path: PartPath): Promise<void> => {
  const target = join(to, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  if (isSharded(path)) {
    await copyShards(join(from, path), target);
    return;
  }
  await copyFile(join(from, path), target, constants.COPYFILE_EXCL);
  await settleFile(target);
};

/** Lets a file be read by its owner alone, and stand after a power cut. */
export const settleFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
};

export const isSame = (one: Part, other: Part): boolean =>
  one.files === other.files && one.bytes === other.bytes && one.sha256 === other.sha256;

const isSharded = (path: PartPath): boolean => SHARDED.some((one) => one === path);
