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

/** How a file is read, by the end of its name. */
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
    // The name is a path here: of it, no folder may come.
    if (/[/\\]/.test(name))
      throw new WorkProblem(`The name ${shown(name)} has a slash: a single file has no folder.`);
    collector.add(name, 'file', () => content);
  };

/**
 * Unpacks on the caller's thread: `unpack` of `in-worker` does on another.
 * @param name what the sender calls the file: its ending says how it is read; any other name is a tree of that one file
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
 * The files that content unpacks to, without what they hold. `null`: it is other content than was announced.
 * @param sha256 of the announced content, lower-case hex
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

/** The first time that zip knows, as local time, since zip has no zone: so the bytes are the same everywhere. */
const ZIP_TIME = new Date(1980, 0, 1);
const TAR_TIME = new Date(0);
const MODE = 0o644;

/** A zip archive of the tree: of the same tree, the same bytes. */
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

/** A tar archive of the tree: of the same tree, the same bytes. */
export const packTarHere = (tree: Tree): Promise<Uint8Array> =>
  packEntries(
    tree.files.map(({ path, bytes, content }) => ({
      header: { name: path, size: bytes, type: 'file', mode: MODE, mtime: TAR_TIME },
      body: content,
    })),
  );

/** What a thread of its own can be asked for about content that it is sent (`in-worker`). */
export const CONTENT_JOBS = {
  unpack: (content: Uint8Array, name: string, limits: TreeLimits) => unpackHere(name, content, limits),
  manifest: manifestHere,
};

/** What a thread of its own can be asked for besides. */
export const JOBS = {
  packZip: packZipHere,
  packTar: packTarHere,
  difference: async (...args: Parameters<typeof differenceOf>) => differenceOf(...args),
  fingerprints: async (...args: Parameters<typeof fingerprintsOf>) => fingerprintsOf(...args),
};
