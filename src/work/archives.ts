import { packTar as packEntries } from 'modern-tar';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { isRefused, type Refused } from '../core/decider.js';
import { archiveOf, TreeCollector, WorkProblem } from './collect.js';
import { differenceOf } from './difference.js';
import { fingerprintsOf } from './fingerprints.js';
import { readGitBundle } from './git-bundle.js';
import type { TreeLimits } from './limits.js';
import { shown } from './paths.js';
import { readTar, readTarGz } from './tar.js';
import { refuseWork, sha256Of, type Tree, type TreeFile, type UnpackedTree } from './tree.js';
import { readZip } from './zip.js';

type Reader = (content: Buffer, collector: TreeCollector) => Promise<void> | void;

/** The readers of archives, by the end of the file's name. */
const READERS: readonly (readonly [RegExp, Reader])[] = [
  [/\.zip$/i, readZip],
  [/\.tar$/i, readTar],
  [/\.(?:tar\.gz|tgz)$/i, readTarGz],
  [/\.bundle$/i, readGitBundle],
];

const readSingle =
  (name: string): Reader =>
  (content, collector) => {
    const archive = archiveOf(content);
    if (archive !== null)
      throw new WorkProblem(
        `The file ${shown(name)} is ${archive} by its content. Archives are taken as .zip, .tar, .tar.gz, .tgz or .bundle.`,
      );
    // The name is used as a path here, and must not make a folder.
    if (/[/\\]/.test(name))
      throw new WorkProblem(`The name ${shown(name)} has a slash: a single file has no folder.`);
    collector.add(name, 'file', () => content);
  };

/**
 * Unpacks on the caller's thread; `unpack` of `in-worker` does so on another.
 * @param name the sender's name of the file. Its ending decides how the file is read; with any other ending, the tree
 *   consists of this file
 */
export const unpackHere = async (
  name: string,
  content: Uint8Array,
  limits: TreeLimits,
): Promise<UnpackedTree | Refused> => {
  const collector = new TreeCollector(limits);
  const [, read] = READERS.find(([ending]) => ending.test(name)) ?? [null, readSingle(name)];
  try {
    await read(Buffer.from(content.buffer, content.byteOffset, content.byteLength), collector);
    return collector.tree();
  } catch (error) {
    if (error instanceof WorkProblem) return refuseWork(error.message);
    throw error;
  }
};

/**
 * The files that content unpacks to, without their contents; `null`: the content is not the announced one.
 * @param sha256 hash of the announced content, lower-case hex
 */
export const manifestHere = async (
  content: Uint8Array,
  sha256: string,
  name: string,
  limits: TreeLimits,
): Promise<readonly TreeFile[] | Refused | null> => {
  if (sha256Of(content) !== sha256) return null;
  const tree = await unpackHere(name, content, limits);
  return isRefused(tree)
    ? tree
    : tree.files.map((file) => ({ path: file.path, bytes: file.bytes, sha256: file.sha256 }));
};

/**
 * The earliest time in a zip. It is a local time, since zip has no time zones, so that the bytes are equal everywhere.
 */
const ZIP_TIME = new Date(1980, 0, 1);
const TAR_TIME = new Date(0);
const MODE = 0o644;

/** Packs a tree into a zip archive. Equal trees have equal bytes. */
export const packZipHere = async (tree: Tree): Promise<Uint8Array> => {
  const zip = new ZipFile();
  for (const { path, content } of tree.files)
    zip.addBuffer(Buffer.from(content.buffer, content.byteOffset, content.byteLength), path, {
      mtime: ZIP_TIME,
      mode: 0o100000 | MODE,
      forceDosTimestamp: true,
    });
  zip.end();
  return buffer(zip.outputStream);
};

/** Packs a tree into a tar archive. Equal trees have equal bytes. */
export const packTarHere = (tree: Tree): Promise<Uint8Array> =>
  packEntries(
    tree.files.map(({ path, bytes, content }) => ({
      header: { name: path, size: bytes, type: 'file', mode: MODE, mtime: TAR_TIME },
      body: content,
    })),
  );

/** The jobs of a thread (`in-worker`) on content that it is sent. */
export const CONTENT_JOBS = {
  unpack: (content: Uint8Array, name: string, limits: TreeLimits) => unpackHere(name, content, limits),
  manifest: manifestHere,
};

/** The other jobs of a thread. */
export const JOBS = {
  packZip: packZipHere,
  packTar: packTarHere,
  difference: async (...args: Parameters<typeof differenceOf>) => differenceOf(...args),
  fingerprints: async (...args: Parameters<typeof fingerprintsOf>) => fingerprintsOf(...args),
};
