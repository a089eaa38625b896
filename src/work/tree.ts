import { createHash } from 'node:crypto';
import { type Refused, refuse } from '../core/decider.js';
import type { RefusalCode } from '../domain/refusal-codes.js';
import type { TreeFile } from '../domain/ticket/events.js';

export type { TreeFile };

export interface TreeFileWithContent extends TreeFile {
  readonly content: Uint8Array;
}

/** Files by their paths, sorted by them. */
export interface Tree {
  readonly files: readonly TreeFileWithContent[];
}

/** What an archive, or a single file, unpacks to. */
export interface UnpackedTree extends Tree {
  /** Folders of installed packages (`node_modules`) that were not taken, so that the sender can see it. */
  readonly leftOut: readonly string[];
}

/** Refuses work. @param message names what is wrong, the path, and what to do */
export const refuseWork = (message: string): Refused =>
  refuse<'work_refused' & RefusalCode>('work_refused', message);

/** Lower-case hex. */
export const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Orders by the bytes of the paths in UTF-8, as `LC_ALL=C sort` does. */
const byPath = (a: TreeFile, b: TreeFile): number => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));

/** A tree of these files. Their paths differ. */
export const treeOf = (files: readonly { readonly path: string; readonly content: Uint8Array }[]): Tree => ({
  files: files
    .map(({ path, content }) => ({ path, bytes: content.byteLength, sha256: sha256Of(content), content }))
    .sort(byPath),
});

/** The files of a folder of the tree, as a tree. @param folder with its slash, and all paths lie in it */
export const inFolder = <F extends TreeFile>(
  { files }: { readonly files: readonly F[] },
  folder: string,
): { readonly files: readonly F[] } => ({
  files: files.map((file) => ({ ...file, path: file.path.slice(folder.length) })),
});

/**
 * The hash of a tree, lower-case hex: the same whatever archive it came in. It is the SHA-256 of the lines that
 * `find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum` prints in the tree's folder.
 * @param files in any order
 */
export const treeHash = (files: readonly TreeFile[]): string => {
  const hash = createHash('sha256');
  for (const { path, sha256 } of [...files].sort(byPath)) hash.update(`${sha256}  ${path}\n`);
  return hash.digest('hex');
};
