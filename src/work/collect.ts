import { type Inflate, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { hasCode } from '../core/errors.js';
import type { TreeLimits } from './limits.js';
import { escapeOf, leftOutBy, PathCollisions, pathProblem, shown } from './paths.js';
import { treeOf, type UnpackedTree } from './tree.js';

/** Thrown to end unpacking. `unpack` catches it and refuses the work with its message. */
export class WorkProblem extends Error {
  override readonly name = 'WorkProblem';
}

/** The kind of an archive's entry. `other` describes any other kind, such as "a symbolic link". */
export type EntryKind = 'file' | 'folder' | { readonly other: string };

/**
 * How many entries an archive may have for each file that a tree may have. It may contain the folders of version
 * control and of installed packages, which are left out.
 */
const ENTRIES_PER_FILE = 50;
/** How many bytes an archive may inflate to for each byte that a tree may have, including what is left out. */
const INFLATED_PER_BYTE = 8;

/** First bytes of archives, by which they are recognised. */
const ARCHIVES: readonly (readonly [type: string, offset: number, magic: readonly number[]])[] = [
  ['a zip archive', 0, [0x50, 0x4b, 0x03, 0x04]],
  ['a zip archive', 0, [0x50, 0x4b, 0x05, 0x06]],
  ['a zip archive', 0, [0x50, 0x4b, 0x07, 0x08]],
  ['a gzip archive', 0, [0x1f, 0x8b]],
  ['a bzip2 archive', 0, [...Buffer.from('BZh')]],
  ['an xz archive', 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['a Zstandard archive', 0, [0x28, 0xb5, 0x2f, 0xfd]],
  ['a 7z archive', 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ['a rar archive', 0, [...Buffer.from('Rar!')]],
  ['a git bundle', 0, [...Buffer.from('# v')]],
  ['a tar archive', 257, [...Buffer.from('ustar')]],
];

/** The type of archive of a content, in words; `null`: no known type. */
export const archiveOf = (content: Uint8Array): string | null => {
  const found = ARCHIVES.find(([, offset, magic]) =>
    magic.every((byte, index) => content[offset + index] === byte),
  );
  if (found === undefined) return null;
  const [type] = found;
  return type !== 'a git bundle' ||
    /^# v\d git bundle\n/.test(Buffer.from(content.subarray(0, 20)).toString('latin1'))
    ? type
    : null;
};

/** A limit as text, such as `10 MB` or `512 bytes`. */
const sizeOf = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MB` : `${bytes} bytes`;

/**
 * Collects an archive's entries into a tree, and refuses what may not be in one. A reader of archives calls `add` for
 * each entry, `inflate` and `reserve` for their contents, and `tree` at the end. Each throws a `WorkProblem` with the
 * refusal.
 */
export class TreeCollector {
  readonly #limits: TreeLimits;
  readonly #files: { readonly path: string; readonly content: Uint8Array }[] = [];
  readonly #collisions = new PathCollisions();
  readonly #leftOut = new Set<string>();
  #entries = 0;
  #bytes = 0;
  #inflated = 0;

  constructor(limits: TreeLimits) {
    this.#limits = limits;
  }

  /**
   * Inflates a stream. The inflated and reserved bytes of an archive together are limited.
   * @param max the size of the inflated stream, if it is in the archive
   * @returns the bytes, and how many bytes of `data` were read
   * @throws {WorkProblem} too many bytes; zlib's error if the data is damaged or longer than `max`
   */
  inflate(
    format: 'zlib' | 'raw' | 'gzip',
    data: Uint8Array,
    max = Infinity,
  ): { readonly content: Buffer; readonly taken: number } {
    const left = this.#limits.bytes * INFLATED_PER_BYTE - this.#inflated;
    const run = format === 'zlib' ? inflateSync : format === 'raw' ? inflateRawSync : gunzipSync;
    try {
      const { buffer, engine } = run(data, {
        info: true,
        maxOutputLength: Math.max(1, Math.min(max, left)),
        finishFlush: constants.Z_FINISH,
      }) as unknown as { buffer: Buffer; engine: Inflate };
      this.#count(buffer.byteLength);
      return { content: buffer, taken: engine.bytesWritten };
    } catch (error) {
      // If the archive's limit was reached, not the stream's own size, this throws the WorkProblem.
      if (hasCode(error, 'ERR_BUFFER_TOO_LARGE') && left <= max) this.#count(Infinity);
      throw error;
    }
  }

  #count(bytes: number): void {
    this.#inflated += bytes;
    const max = this.#limits.bytes * INFLATED_PER_BYTE;
    if (this.#inflated > max)
      throw new WorkProblem(
        `The archive unpacks to more than ${sizeOf(max)}, with all that is left out of it. Pack the work’s own files only.`,
      );
  }

  /**
   * Counts the bytes of content that is made from other content, such as by a delta. Call it before the content is
   * made.
   * @throws {WorkProblem} too many
   */
  reserve(bytes: number): void {
    this.#count(bytes);
  }

  /**
   * Adds one entry.
   * @param raw its path in the archive
   * @param read called only for files of the tree: returns the content. If that is longer than `max`, the file is refused
   *   as too large, so its first `max` + 1 bytes are enough
   * @returns whether it is part of the tree. If a folder is not, neither is its content
   * @throws {WorkProblem} the entry, or the archive with it, is refused
   */
  add(raw: string, kind: EntryKind, read: (max: number) => Uint8Array): boolean {
    if (++this.#entries > this.#limits.files * ENTRIES_PER_FILE)
      throw new WorkProblem(
        `The archive has more than ${this.#limits.files * ENTRIES_PER_FILE} entries. Pack the work’s own files only.`,
      );
    const escape = escapeOf(raw);
    if (escape !== null) throw this.#refused(raw, escape);
    const path = raw
      .replace(/^(?:\.\/+)+/, '')
      .replace(/\/$/, '')
      .normalize('NFC');
    // tar's entry for the packed folder itself.
    if (kind === 'folder' && (path === '' || path === '.')) return true;
    const leftOut = leftOutBy(path);
    if (leftOut !== null) {
      // '' is a file of version control or of an operating system, which is not reported to the sender.
      if (leftOut !== '' && pathProblem(leftOut) === null) this.#leftOut.add(leftOut);
      return false;
    }
    if (typeof kind === 'object')
      throw this.#refused(raw, `is ${kind.other}: only files and folders are taken`);
    const problem = pathProblem(path);
    if (problem !== null) throw this.#refused(raw, problem);
    if (kind === 'file') this.#addFile(path, read);
    return true;
  }

  #addFile(path: string, read: (max: number) => Uint8Array): void {
    const { files, bytes } = this.#limits;
    if (this.#files.length === files)
      throw new WorkProblem(`There are more than ${files} files, the first too many is ${shown(path)}.`);
    const collision = this.#collisions.add(path);
    if (collision !== null) throw this.#refused(path, collision);
    const content = read(bytes - this.#bytes);
    this.#bytes += content.byteLength;
    if (this.#bytes > bytes) throw this.tooLarge(path);
    const archive = archiveOf(content);
    if (archive !== null)
      throw this.#refused(path, `is ${archive} by its content. Hand in what it holds, as files of this one`);
    this.#files.push({ path, content });
  }

  /** The refusal of a file that makes the tree too large; a reader throws it if the archive states the file's size. */
  tooLarge(path: string): WorkProblem {
    return new WorkProblem(
      `The files are larger than ${sizeOf(this.#limits.bytes)} together, the first too much is ${shown(path)}.`,
    );
  }

  #refused(path: string, problem: string): WorkProblem {
    return new WorkProblem(`The path ${shown(path)} ${problem}.`);
  }

  /** The tree of the entries that were added. @throws {WorkProblem} it has no files */
  tree(): UnpackedTree {
    if (this.#files.length === 0)
      throw new WorkProblem(
        this.#leftOut.size === 0
          ? 'The archive holds no files.'
          : `The archive holds no files besides installed packages (${[...this.#leftOut].map(shown).join(', ')}).`,
      );
    return { ...treeOf(this.#files), leftOut: [...this.#leftOut].sort() };
  }
}
