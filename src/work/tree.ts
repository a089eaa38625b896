import { createHash } from 'node:crypto';
import { type Refused, refuse } from '../core/decider.js';
import type { RefusalCode } from '../domain/refusal-codes.js';
import type { TreeFile } from '../domain/ticket/events.js';

export type { TreeFile };

export interface TreeFileWithContent extends TreeFile {
  readonly content: Uint8Array;
}

/** Files, sorted by their paths. */
export interface Tree {
  readonly files: readonly TreeFileWithContent[];
}

/** The tree of an unpacked archive or a single file. */
export interface UnpackedTree extends Tree {
  /** Folders of installed packages (`node_modules`) that were left out, to show to the sender. */
  readonly leftOut: readonly string[];
}

/** Refuses work. @param message with the problem, the path, and what to do */
export const refuseWork = (message: string): Refused =>
  refuse<'work_refused' & RefusalCode>('work_refused', message);

/** SHA-256 in lower-case hex. */
export const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Compares the paths by their bytes in UTF-8, as `LC_ALL=C sort` does. */
const byPath = (a: TreeFile, b: TreeFile): number => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));

/** Makes a tree of files, whose paths must differ. */
export const treeOf = (files: readonly { readonly path: string; readonly content: Uint8Array }[]): Tree => ({
  files: files
    .map(({ path, content }) => ({ path, bytes: content.byteLength, sha256: sha256Of(content), content }))
    .sort(byPath),
});

/** The files in a folder, as a tree with paths relative to it. @param folder with its slash; all paths must be in it */
export const inFolder = <F extends TreeFile>(
  { files }: { readonly files: readonly F[] },
  folder: string,
): { readonly files: readonly F[] } => ({
  files: files.map((file) => ({ ...file, path: file.path.slice(folder.length) })),
});

/**
 * The hash of a tree, in lower-case hex, independent of the archive's format. It is the SHA-256 of the lines that
 * `find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum` prints in the tree's folder.
 * @param files in any order
 */
export const treeHash = (files: readonly TreeFile[]): string => {
  const hash = createHash('sha256');
  for (const { path, sha256 } of [...files].sort(byPath)) hash.update(`${sha256}  ${path}\n`);
  return hash.digest('hex');
};
