import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderRules, isIgnored, readIgnoreFile } from './ignore.js';
import { isWithin } from './places.js';
import { hasCode } from './terminal.js';

/** A file of the work. */
export interface FoundFile {
  /** The path below the folder, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  /** In milliseconds since 1970. */
  readonly changedAt: number;
}

/** The files of a folder. `isCut`: there are more than were read. */
export interface Found {
  readonly files: readonly FoundFile[];
  readonly isCut: boolean;
}

/** Most files of a folder that are read. */
const MAX_FILES = 5_000;
/** A larger `.gitignore` is not read. */
const MAX_IGNORE_BYTES = 256 * 1_024;

/**
 * The files of a folder, by path: without what its `.gitignore` files leave out, `.git`, `node_modules`, links, and
 * anything that is not a plain file. Nothing outside the folder is read.
 */
export const filesIn = async (folder: string, mostFiles = MAX_FILES): Promise<Found> => {
  const files: FoundFile[] = [];
  let isCut = false;
  const walk = async (segments: readonly string[], above: readonly FolderRules[]): Promise<void> => {
    const entries = await readdir(join(folder, ...segments), { withFileTypes: true }).catch(
      (error: unknown) => {
        // It was removed meanwhile, or the user may not read it.
        if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return [];
        throw error;
      },
    );
    const own = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? await readInside(folder, [...segments, '.gitignore'].join('/'), MAX_IGNORE_BYTES)
      : null;
    const rules = own ? [{ depth: segments.length, rules: readIgnoreFile(own.toString('utf8')) }] : [];
    const ignoring = [...above, ...rules];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = [...segments, entry.name];
      // Leaves out links: a link is neither a directory nor a file here.
      if (!entry.isDirectory() && !entry.isFile()) continue;
      if (isIgnored(ignoring, inside, entry.isDirectory())) continue;
      if (entry.isDirectory()) {
        await walk(inside, ignoring);
        continue;
      }
      if (files.length >= mostFiles) {
        isCut = true;
        return;
      }
      const found = await lstat(join(folder, ...inside)).catch(() => null);
      if (found?.isFile())
        files.push({ path: inside.join('/'), bytes: found.size, changedAt: found.mtimeMs });
    }
  };
  await walk([], []);
  return { files, isCut };
};

/**
 * A file's content. `null`: it was removed, is larger than `mostBytes`, is a link, or is outside the folder.
 * @param path below the folder, with `/` between its parts
 */
export const readInside = async (folder: string, path: string, mostBytes: number): Promise<Buffer | null> => {
  const full = join(folder, ...path.split('/'));
  let file: FileHandle | undefined;
  try {
    // Follows no link in the last part of the path; for the folders above, the real path is compared below.
    file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const opened = await file.stat();
    const { size } = opened;
    if (!opened.isFile() || size > mostBytes || !(await lstat(full)).isFile()) return null;
    if (!isWithin(await realpath(folder), await realpath(full))) return null;
    const content = Buffer.alloc(Math.min(mostBytes, size) + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(content, length, content.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === content.length) break;
    }
    // If it grew while it was read, the next check reads it as a whole.
    return length > size ? null : content.subarray(0, length);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES', 'EPERM', 'EBUSY', 'ENXIO')) return null;
    throw error;
  } finally {
    await file?.close();
  }
};
