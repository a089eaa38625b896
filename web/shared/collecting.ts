import type { TreeFile } from '../../packages/client/src/contract.js';
import { HAND_IN_LIMITS, type TreeLimits } from '../../src/work/limits.js';
import { leftOutBy, wrapperOf } from '../../src/work/paths.js';
import { manifestOf, packed, sha256Of, unpacked, type WorkFile } from './packing.js';

/** A file that was chosen or dropped. */
export interface ChosenFile {
  /** The path below what was chosen. */
  readonly path: string;
  readonly file: Blob;
}

/** What was chosen or dropped. */
export interface Chosen {
  readonly files: readonly ChosenFile[];
  /** Some of the files were in a folder. */
  readonly isFolder: boolean;
  /** The folders of installed packages that were not read. */
  readonly leftOut: readonly string[];
}

/** Work as it will be sent, with what the candidate is shown before. */
export interface Work {
  /** The name of the file: its ending decides how the service reads it. */
  readonly name: string;
  readonly content: Uint8Array;
  readonly sha256: string;
  /** What is in it; `null`: it is an archive that the page cannot read. */
  readonly files: readonly WorkFile[] | null;
  /** The list of `files` with sizes and hashes; `null` as `files`. */
  readonly manifest: readonly TreeFile[] | null;
  /** The folders of installed packages that are not in `files`. */
  readonly leftOut: readonly string[];
  /** The folder around the files that was removed from their paths, with its slash; '': none was. */
  readonly wrapper: string;
}

/** Why work cannot be sent. */
export type Problem = 'empty' | 'tooMany' | 'tooLarge';

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz|bundle)$/i;
const ZIP = /\.zip$/i;

/**
 * Reads the chosen files, and packs them. A single file outside of a folder is sent as it is.
 * @param starter of the ticket: a folder around the work stays if the starter has it too
 */
export const collected = async (
  chosen: Chosen,
  starter: readonly TreeFile[],
  limits: TreeLimits = HAND_IN_LIMITS,
): Promise<Work | { readonly problem: Problem }> => {
  const { files, isFolder, leftOut } = chosen;
  const [only] = files;
  if (only === undefined) return { problem: 'empty' };
  if (files.length > limits.files) return { problem: 'tooMany' };
  if (files.reduce((sum, { file }) => sum + file.size, 0) > limits.bytes) return { problem: 'tooLarge' };
  const read = await Promise.all(
    files.map(async ({ path, file }) => ({
      path: path.normalize('NFC'),
      content: new Uint8Array(await file.arrayBuffer()),
    })),
  );
  if (files.length === 1 && !isFolder && ARCHIVE.test(only.path))
    return fromArchive(only.path, read, starter, limits);
  if (files.length === 1 && !isFolder)
    return workOf(only.path, read[0]?.content ?? new Uint8Array(), read, { leftOut });
  // A folder that is chosen, or dropped alone, is around the work and is removed, unless the starter has it too.
  const wrapper = wrapperIn(read, starter, isFolder);
  const inside = without(wrapper, read);
  const name = `${wrapper.slice(0, -1) || 'work'}.zip`;
  return workOf(name, packed(inside), inside, { leftOut, wrapper });
};

/** Files that were changed on the page, with the rest of the starter. */
export const collectedEdits = (files: readonly WorkFile[]): Promise<Work> =>
  workOf('work.zip', packed(files), files, {});

/** The name of the file with a written answer. */
export const ANSWER = 'answer.md';

/** A written answer. */
export const collectedText = (text: string): Promise<Work> => {
  const content = new TextEncoder().encode(text);
  return workOf(ANSWER, content, [{ path: ANSWER, content }], {});
};

/** An archive is sent as it is. If it has a folder around the work, the service removes that. */
const fromArchive = async (
  name: string,
  [archive]: readonly WorkFile[],
  starter: readonly TreeFile[],
  limits: TreeLimits,
): Promise<Work> => {
  const content = archive?.content ?? new Uint8Array();
  const files = ZIP.test(name) ? unpacked(content, limits) : null;
  if (files === null) return workOf(name, content, null, {});
  const taken = files.filter(({ path }) => leftOutBy(path) === null);
  const leftOut = [...new Set(files.flatMap(({ path }) => leftOutBy(path) || []))];
  const wrapper = wrapperIn(taken, starter);
  return workOf(name, content, without(wrapper, taken), { leftOut, wrapper });
};

const wrapperIn = (files: readonly WorkFile[], starter: readonly TreeFile[], isAssumed?: boolean): string =>
  wrapperOf(
    files.map(({ path }) => path),
    starter,
    isAssumed,
  );

const without = (wrapper: string, files: readonly WorkFile[]): readonly WorkFile[] =>
  files.map(({ path, content }) => ({ path: path.slice(wrapper.length), content }));

const workOf = async (
  name: string,
  content: Uint8Array,
  files: readonly WorkFile[] | null,
  { leftOut = [], wrapper = '' }: { readonly leftOut?: readonly string[]; readonly wrapper?: string },
): Promise<Work> => ({
  ...{ name, content, files, leftOut, wrapper },
  sha256: await sha256Of(content),
  manifest: files && (await manifestOf(files)),
});

/** What was chosen by a field for files or for a folder. */
export const chosenBy = (list: Iterable<File>): Chosen => {
  const chosen = [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return {
    files: chosen.filter(({ path }) => leftOutBy(path) === null),
    isFolder: chosen.some(({ path }) => path.includes('/')),
    leftOut: [...new Set(chosen.flatMap(({ path }) => leftOutBy(path) || []))],
  };
};

/**
 * What was dropped. Its folders are read, except those of installed packages. Call it before the handler of the drop
 * returns: the browser empties `items` afterwards.
 */
export const dropped = async (items: Iterable<DataTransferItem>): Promise<Chosen> => {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: ChosenFile[] = [];
  const leftOut: string[] = [];
  const read = async (entry: FileSystemEntry, path: string): Promise<void> => {
    const left = leftOutBy(path);
    if (left !== null) {
      if (left !== '') leftOut.push(left);
    } else if (files.length > HAND_IN_LIMITS.files) {
      // `collected` refuses this many files, so the rest is not read.
    } else if (entry.isFile) files.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    else
      for (const child of await childrenOf(entry as FileSystemDirectoryEntry))
        await read(child, `${path}/${child.name}`);
  };
  for (const entry of entries) await read(entry, entry.name);
  return { files, isFolder: entries.some(({ isDirectory }) => isDirectory), leftOut };
};

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

const childrenOf = async (folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> => {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return children;
    children.push(...some);
  }
};
