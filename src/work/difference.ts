import { structuredPatch } from 'diff';
import { isUtf8 } from 'node:buffer';
import type { Tree, TreeFileWithContent } from './tree.js';

/** Changed lines, with the lines around them. Lines are counted from 1; a side without lines here starts at 0. */
export interface Hunk {
  readonly beforeStart: number;
  readonly beforeLines: number;
  readonly afterStart: number;
  readonly afterLines: number;
  /** Each begins with ` ` (on both sides), `-` (before), `+` (after) or `\` (the line above has no line break). */
  readonly lines: readonly string[];
}

/** One side of a file's difference. */
export interface FileSide {
  readonly bytes: number;
  readonly sha256: string;
}

/** How one file differs between two trees. */
export interface FileDifference {
  readonly path: string;
  /** `null`: the file was added. */
  readonly before: FileSide | null;
  /** `null`: the file was removed. */
  readonly after: FileSide | null;
  /** `null`: the lines are left out, because of `omitted`. */
  readonly hunks: readonly Hunk[] | null;
  /** `binary`: the file is not UTF-8 text. `too_large`: the text is too long, or the texts differ too much. */
  readonly omitted: 'binary' | 'too_large' | null;
}

/** Longest text of one side whose lines are compared, in bytes. */
const MAX_TEXT_BYTES = 512 * 1024;
/** Limit of the characters in the hunks of all files together. */
const MAX_HUNK_CHARACTERS = 1024 * 1024;
/** Limit of the lines that are added and removed in one file. The time grows with its square. */
const MAX_EDITS = 2_000;
/** Limit of the sum of the squares of edits in all files: about a second. */
const MAX_EFFORT = 2 * MAX_EDITS ** 2;
const CONTEXT_LINES = 3;

const isText = ({ content }: TreeFileWithContent): boolean => !content.includes(0) && isUtf8(content);
const textOf = (file: TreeFileWithContent | null): string =>
  file === null ? '' : Buffer.from(file.content).toString('utf8');

/** Compares files in order, within limits of time and size for all together. */
class Comparison {
  #characters = MAX_HUNK_CHARACTERS;
  #effort = MAX_EFFORT;

  compare(before: TreeFileWithContent | null, after: TreeFileWithContent | null): FileDifference {
    const sides = [before, after].filter((side) => side !== null);
    const isBinary = !sides.every(isText);
    const hunks = isBinary ? null : this.#hunks(before, after);
    return {
      path: sides[0]?.path ?? '',
      before: before && { bytes: before.bytes, sha256: before.sha256 },
      after: after && { bytes: after.bytes, sha256: after.sha256 },
      hunks,
      omitted: isBinary ? 'binary' : hunks === null ? 'too_large' : null,
    };
  }

  #hunks(before: TreeFileWithContent | null, after: TreeFileWithContent | null): readonly Hunk[] | null {
    if (Math.max(before?.bytes ?? 0, after?.bytes ?? 0) > MAX_TEXT_BYTES) return null;
    // A file that was added or removed needs no comparison, so the number of its lines is not limited.
    const isWhole = before === null || after === null;
    const maxEditLength = isWhole ? Infinity : Math.min(MAX_EDITS, Math.floor(Math.sqrt(this.#effort)));
    const patch = structuredPatch('', '', textOf(before), textOf(after), '', '', {
      context: CONTEXT_LINES,
      maxEditLength,
    });
    const hunks = patch?.hunks.map((hunk) => ({
      beforeStart: hunk.oldLines === 0 ? 0 : hunk.oldStart,
      beforeLines: hunk.oldLines,
      afterStart: hunk.newLines === 0 ? 0 : hunk.newStart,
      afterLines: hunk.newLines,
      lines: hunk.lines,
    }));
    const lines = hunks?.flatMap((hunk) => hunk.lines) ?? [];
    const edits = hunks === undefined ? maxEditLength : lines.filter((line) => !line.startsWith(' ')).length;
    if (!isWhole) this.#effort = Math.max(0, this.#effort - edits ** 2);
    const characters = lines.reduce((sum, { length }) => sum + length, 0);
    if (hunks === undefined || characters > this.#characters) return null;
    this.#characters -= characters;
    return hunks;
  }
}

/**
 * Files that were added, removed or changed, by path. Time and size are limited for any trees: beyond the limits, only
 * sizes and hashes are returned.
 */
export const differenceOf = (before: Tree, after: Tree): readonly FileDifference[] => {
  const former = new Map(before.files.map((file) => [file.path, file]));
  const next = new Map(after.files.map((file) => [file.path, file]));
  const paths = [...new Set([...former.keys(), ...next.keys()])].sort();
  const comparison = new Comparison();
  return paths
    .map((path) => [former.get(path) ?? null, next.get(path) ?? null] as const)
    .filter(([one, other]) => one?.sha256 !== other?.sha256)
    .map(([one, other]) => comparison.compare(one, other));
};
