import type { TreeFile } from './contract.js';

/** How a file of the work differs from the starter's. */
export type Change = 'added' | 'changed' | 'removed' | 'same';

/** A file of the starter, of the work or of both. */
export interface ComparedFile {
  readonly path: string;
  /** Size of the work's file, or of the starter's if the work lacks it. */
  readonly bytes: number;
  readonly change: Change;
}

/** What differs between the starter and the work, in order of the paths. Without a starter every file is `added`. */
export const compared = (
  starter: readonly TreeFile[],
  work: readonly TreeFile[],
): readonly ComparedFile[] => {
  const before = new Map(starter.map((file) => [file.path, file]));
  const after = new Set(work.map(({ path }) => path));
  const files = work.map(({ path, bytes, sha256 }): ComparedFile => {
    const former = before.get(path);
    const change = former === undefined ? 'added' : former.sha256 === sha256 ? 'same' : 'changed';
    return { path, bytes, change };
  });
  const removed = starter
    .filter(({ path }) => !after.has(path))
    .map(({ path, bytes }): ComparedFile => ({ path, bytes, change: 'removed' }));
  return [...files, ...removed].sort(byPath);
};

/** How many files there are of each kind. */
export const countsOf = (files: readonly ComparedFile[]): Readonly<Record<Change, number>> => {
  const counts = { added: 0, changed: 0, removed: 0, same: 0 };
  for (const { change } of files) counts[change] += 1;
  return counts;
};

/** The bytes of all files. */
export const bytesOf = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** A folder with what is in it. */
export interface Folder<File> {
  readonly name: string;
  readonly folders: readonly Folder<File>[];
  readonly files: readonly { readonly name: string; readonly file: File }[];
}

/** The files as a tree of folders, in order of the paths. The root has no name. */
export const folderOf = <File extends { readonly path: string }>(files: readonly File[]): Folder<File> => {
  const build = (name: string, inside: readonly (readonly [readonly string[], File])[]): Folder<File> => {
    const folders = new Map<string, [readonly string[], File][]>();
    const own: { name: string; file: File }[] = [];
    for (const [[first = '', ...rest], file] of inside) {
      if (rest.length === 0) own.push({ name: first, file });
      else folders.set(first, [...(folders.get(first) ?? []), [rest, file]]);
    }
    return {
      name,
      folders: [...folders].map(([folder, within]) => build(folder, within)),
      files: own,
    };
  };
  return build(
    '',
    [...files].sort(byPath).map((file) => [file.path.split('/'), file]),
  );
};

const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : Number(one.path > other.path);
