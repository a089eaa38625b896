import { createHash } from 'node:crypto';
import { copyFile, mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../core/errors.js';
import { OperatorError } from '../cli/program.js';
import { constants, createReadStream } from 'node:fs';
import { copyShards, digestShards } from '../../vault/lmdb/key-shards.js';

/** Raised with every change of how a backup lies in its folder. */
const FORMAT = 1;

/** What a folder is a backup by. It is written last: a backup without it was never finished. */
export const MANIFEST = 'backup.json';

/** What a backup holds. */
export interface Manifest {
  readonly format: number;
  /** RFC 3339: when it was begun; whatever was acknowledged before is in it. */
  readonly madeAt: string;
  readonly logId: string;
  /** The position of the last event, as the log gives it out. */
  readonly head: string;
  readonly events: number;
  /** People with a key, and the tombstones of those who were erased. */
  readonly people: number;
  readonly erased: number;
  readonly bytes: number;
  readonly parts: readonly Part[];
}

/** A manifest and the hash that stands for the whole backup, since it covers those of all parts. */
export interface Sealed {
  readonly manifest: Manifest;
  /** In hex. */
  readonly sha256: string;
}

/** Writes a folder's manifest, durably. */
export const writeManifest = async (folder: string, content: Omit<Manifest, 'format'>): Promise<Sealed> => {
  const manifest = { format: FORMAT, ...content };
  const sha256 = hashOf(manifest);
  const file = await open(join(folder, MANIFEST), 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ ...manifest, sha256 }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return { manifest, sha256 };
};

/** @throws {OperatorError} the folder is no backup, one of a newer version, or its manifest was changed */
export const readManifest = async (folder: string): Promise<Sealed> => {
  const { sha256, ...manifest } = await parsed(folder);
  if (typeof manifest.format === 'number' && manifest.format > FORMAT)
    throw new OperatorError(
      `The backup in ${folder} was made by a newer version (format ${manifest.format}, this one reads ${FORMAT}): restore it with that version.`,
    );
  if (manifest.format !== FORMAT || sha256 !== hashOf(manifest) || !isWhole(manifest.parts))
    throw damagedBackup(folder, MANIFEST);
  return { manifest, sha256 };
};

export const damagedBackup = (folder: string, path: string): OperatorError =>
  new OperatorError(
    `The backup in ${folder} is damaged: ${path} is not as it was saved. Nothing was restored; take another backup.`,
  );

const parsed = async (folder: string): Promise<Manifest & { readonly sha256: string }> => {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR'))
      throw new OperatorError(`The backup in ${folder} cannot be read: ${(error as Error).message}.`);
    throw new OperatorError(`${folder} is no backup: it holds no ${MANIFEST}.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Manifest & { readonly sha256: string };
  } catch {
    // Said below.
  }
  throw damagedBackup(folder, MANIFEST);
};

const hashOf = (manifest: Manifest): string =>
  createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** All that a backup must hold is named, and nothing outside of it. */
const isWhole = (parts: readonly Part[]): boolean => {
  const named = new Set<string>(parts.map(({ path }) => path));
  const needed = [...DATA_FILES, ...SHARDED];
  const known = new Set<string>([...needed, ...KEY_FILES]);
  return needed.every((path) => named.has(path)) && [...named].every((path) => known.has(path));
};

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

type PartPath = (typeof DATA_FILES)[number] | (typeof SHARDED)[number] | (typeof KEY_FILES)[number];

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
