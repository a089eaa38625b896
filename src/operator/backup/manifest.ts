import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseMetadata, readTail } from '../../core/codec-stored.js';
import { DamagedEvent } from '../../core/errors.js';
import { hasCode } from '../../core/errors.js';
import { type Position, type RecordedEvent, START } from '../../core/event-store.js';
import type { PersonId } from '../../core/vault/port.js';
import { ISSUER_FILE } from '../../process/secret-files.js';
import { openEmbeddedLog } from '../../stores/lmdb/log/log.js';
import { unknownTo } from '../../vault/lmdb/backup.js';
import { copyShards, digestShards } from '../../vault/lmdb/key-shards.js';
import { OperatorError } from '../cli/program.js';
import { closing } from '../cli/stores.js';

/** Version of a backup's files. From 2 on a backup may have the development issuer's file. */
const FORMAT = 2;
const FORMATS = [1, FORMAT];

/** A backup's manifest. It is written last, so a folder without it is not a finished backup. */
export const MANIFEST = 'backup.json';

/** The content of a backup. */
export interface Manifest {
  readonly format: number;
  /** When the backup began, RFC 3339. It contains everything that was acknowledged before. */
  readonly madeAt: string;
  readonly logId: string;
  /** The position of the last event. */
  readonly head: string;
  readonly events: number;
  /** People with a key, and the tombstones of those who were erased. */
  readonly people: number;
  readonly erased: number;
  readonly bytes: number;
  readonly parts: readonly Part[];
}

/** A manifest and its hash. Since the manifest has the hashes of all parts, its hash covers the whole backup. */
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

/** @throws {OperatorError} the folder is not a backup, is one of a newer version, or its manifest was changed */
export const readManifest = async (folder: string): Promise<Sealed> => {
  const { sha256, ...manifest } = await parsed(folder);
  if (typeof manifest.format === 'number' && manifest.format > FORMAT)
    throw new OperatorError(
      `The backup in ${folder} was made by a newer version (format ${manifest.format}, this one reads ${FORMAT}): restore it with that version.`,
    );
  if (!FORMATS.includes(manifest.format) || sha256 !== hashOf(manifest) || !isWhole(manifest.parts))
    throw damagedBackup(folder, MANIFEST);
  return { manifest, sha256 };
};

/** The error of a part of a backup that has changed since it was saved. */
export const damagedBackup = (folder: string, path: string): OperatorError =>
  new OperatorError(
    `The backup in ${folder} is damaged: ${path} is not as it was saved. Nothing was restored. Use another backup.`,
  );

const parsed = async (folder: string): Promise<Manifest & { readonly sha256: string }> => {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR'))
      throw new OperatorError(`The backup in ${folder} cannot be read: ${(error as Error).message}.`);
    throw new OperatorError(`${folder} is not a backup: it holds no ${MANIFEST}.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Manifest & { readonly sha256: string };
  } catch {
    // The error below is thrown.
  }
  throw damagedBackup(folder, MANIFEST);
};

const hashOf = (manifest: Manifest): string =>
  createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** Whether the parts are all that a backup must have, and nothing else. */
const isWhole = (parts: readonly Part[]): boolean => {
  const named = new Set<string>(parts.map(({ path }) => path));
  const needed = [...DATA_FILES, ...SHARDED];
  const known = new Set<string>([...needed, ...KEY_FILES, ISSUER_FILE]);
  return needed.every((path) => named.has(path)) && [...named].every((path) => known.has(path));
};

/** Files of a data folder that a backup has, each as one part. */
export const DATA_FILES = [
  'log/data.mdb',
  'vault/look-ups/data.mdb',
  'vault/look-ups/keys',
  'vault/audio/data.mdb',
] as const;
/** Folders of small files, each counted and hashed as one. */
export const SHARDED = ['vault/keys', 'vault/erased'] as const;
/** Saved only with `--with-keys`, since with them everything in the backup can be read. */
export const KEY_FILES = ['data.key', 'signing.key'] as const;

type PartPath =
  (typeof DATA_FILES)[number] | (typeof SHARDED)[number] | (typeof KEY_FILES)[number] | typeof ISSUER_FILE;

/** A part of a backup when it was saved. */
export interface Part {
  readonly path: PartPath;
  readonly files: number;
  readonly bytes: number;
  /** In hex; of a sharded folder by `digestShards`. */
  readonly sha256: string;
}

/** Counts and hashes the files of a part in a folder. */
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
  await makeDurable(target);
};

/** Makes a file readable by its owner alone, and durable. */
export const makeDurable = async (path: string): Promise<void> => {
  // A copy has the mode of its original, which may be read-only.
  await chmod(path, 0o600);
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Whether two parts have the same content. */
export const isSame = (one: Part, other: Part): boolean =>
  one.files === other.files && one.bytes === other.bytes && one.sha256 === other.sha256;

const isSharded = (path: PartPath): boolean => SHARDED.some((one) => one === path);

/** The content of the log of a data folder or a backup. */
export interface LogContent {
  readonly logId: string;
  readonly head: Position;
  readonly events: number;
  /** How many people in the log have neither a key nor a tombstone in the vault beside it. */
  readonly keysMissing: number;
  /** The id of the key that signed the last result; `null`: nothing is signed yet. */
  readonly signedBy: string | null;
}

/** Reads a whole log. Checks each event's checksum and position, and whether its person has a key. */
export const contentOf = (folder: string): Promise<LogContent> =>
  closing(openEmbeddedLog(join(folder, 'log'), { readOnly: true }), async (log) => {
    const people = new Set<PersonId>();
    let head = START;
    let signedBy: string | null = null;
    for await (const event of log.readAll()) {
      head = event.position;
      const tail = tailOf(event);
      if (tail?.person) people.add(tail.person);
      signedBy = tail?.chain?.signature?.keyId ?? signedBy;
    }
    const { events } = await log.verify();
    const keysMissing = unknownTo(join(folder, 'vault'), people).length;
    return { logId: log.logId, head, events, keysMissing, signedBy };
  });

/** `null`: the event cannot be decoded. It is saved like any other. */
const tailOf = (event: RecordedEvent): ReturnType<typeof readTail> | null => {
  try {
    return readTail(event, parseMetadata(event));
  } catch (error) {
    if (error instanceof DamagedEvent) return null;
    throw error;
  }
};
