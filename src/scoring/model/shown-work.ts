import { inert, withoutAddresses } from '../../clients/openai/prompt-data.js';
import { truncate } from '../../core/text.js';
import type { ShownWork } from '../../domain/evaluation/events.js';
import type { FileDifference } from '../../work/difference.js';
import { isGenerated } from '../../work/fingerprints.js';
import { placeLength } from '../evidence/work.js';

/** Characters of JSON that a model is shown of all hand-ins of a session together. */
export const SHOWN_WORK_CHARACTERS = 24_000;

/*
 * A room is a number of characters of the prompt. Files whose lines can be shown share it; binary, removed, generated and
 * large files are named in a note.
 */

/** Longest line that is shown as a whole, in UTF-16 code units: prose has a paragraph on each line. */
const MAX_LINE = 3_000;
/** The least room for a file: in less, its lines would be cut too short to be judged. */
const MIN_FILE_ROOM = 300;
/** The largest part of the room for the names of files whose lines are not shown. */
const NAMES_PART = 1 / 4;
/** Room for the note that counts the files that are not even named. */
const COUNT_NOTE_ROOM = 40;
/** Fewer characters of a line, after its place, are not shown. */
const MIN_BEGINNING = 20;

/** What is shown of a hand-in: changed lines, each after its place, and notes of what is not shown. */
type Changes = Omit<ShownWork, 'handInId'>;

const SAME: Changes = { lines: [], notes: ['It is the same as what the ticket began with.'] };

/** What is shown of a hand-in that cannot be read. */
export const UNREADABLE_WORK: Changes = {
  lines: [],
  notes: ['This hand-in could not be read: that says nothing of the work.'],
};

/** What is shown of a hand-in if the candidate's notice did not say that a model is shown it. */
export const WITHHELD_WORK: Changes = {
  lines: [],
  notes: [
    'This hand-in is not shown, because the candidate’s notice does not say that it is: that says nothing of the work.',
  ],
};

/** How much room a text takes in a list of the prompt. */
const sizeOf = (text: string): number => inert(text).length + 1;

/** How much room the changes of a hand-in take in the prompt. */
export const sizeOfChanges = ({ lines, notes }: Changes): number =>
  [...lines, ...notes].reduce((sum, text) => sum + sizeOf(text), 0);

/**
 * How a hand-in differs from what its ticket began with, as a model is shown it: whole lines while there is room, which
 * the files share, and notes of what is left out. E-mail addresses are replaced.
 */
export const shownChanges = (difference: readonly FileDifference[], room: number): Changes => {
  if (difference.length === 0) return SAME;
  const byLines = difference.filter(isShownByLines);
  const files = changedFirst(byLines).slice(0, Math.floor(room / MIN_FILE_ROOM));
  const named = difference.filter((file) => !isShownByLines(file)).map(noteOf);
  const names = thoseThatFit(named, room * NAMES_PART);
  const parts = divided(files.map(linesOf), room - names.size - COUNT_NOTE_ROOM);
  const others = difference.length - names.shown.length - parts.length;
  const notes = [...names.shown, ...parts.flatMap(({ note }) => note ?? [])];
  return {
    lines: parts.flatMap(({ lines }) => lines),
    notes: others === 0 ? notes : [...notes, `${others} more files differ.`],
  };
};

const isShownByLines = ({ path, after, hunks }: FileDifference): boolean =>
  after !== null && hunks !== null && hunks.length > 0 && !isGenerated(path);

/** Files of the starter that the candidate changed come before those that they added: they show more of the work. */
const changedFirst = (files: readonly FileDifference[]): readonly FileDifference[] => [
  ...files.filter(({ before }) => before !== null),
  ...files.filter(({ before }) => before === null),
];

const REASONS = { binary: 'not a text', too_large: 'too much to show' } as const;

/** The note of a file whose lines are not shown. */
const noteOf = ({ path, before, after, omitted }: FileDifference): string => {
  if (after === null) return `${path}: removed.`;
  const why = omitted !== null ? REASONS[omitted] : after.bytes === 0 ? 'empty' : 'written by a program';
  return `${path}: ${before === null ? 'added' : 'changed'}, ${after.bytes} bytes, ${why}.`;
};

interface FileLines {
  readonly path: string;
  /** Each after its place and sign: `src/a.ts:12+ text`. */
  readonly lines: readonly string[];
}

const linesOf = ({ path, hunks }: FileDifference): FileLines => ({
  path,
  lines: (hunks ?? []).flatMap(({ beforeStart, afterStart, lines }) => {
    let [before, after] = [beforeStart, afterStart];
    return lines.flatMap((line) => {
      const text = line.slice(1).replace(/\r$/, '');
      if (line.startsWith('+')) return [`${path}:${after++}+ ${text}`];
      if (line.startsWith('-')) return [`${path}:${before++}- ${text}`];
      if (line.startsWith(' ')) [before, after] = [before + 1, after + 1];
      return [];
    });
  }),
});

/** What is shown of a file. */
interface Part extends FileLines {
  /** What was cut; `null`: nothing. */
  readonly note: string | null;
}

/**
 * Divides the room among the files: each gets an equal part of what those smaller than it have left.
 * @returns by path, without files for which there is no room at all
 */
const divided = (files: readonly FileLines[], room: number): readonly Part[] => {
  const bySize = files
    .map((file) => ({ file, size: wholeSize(file, room) }))
    .sort((one, other) => one.size - other.size);
  let left = room;
  const parts = bySize.flatMap(({ file }, index) => {
    const part = partOf(file, Math.floor(left / (bySize.length - index)));
    left -= part ? sizeOfChanges({ ...part, notes: part.note === null ? [] : [part.note] }) : 0;
    return part ?? [];
  });
  return parts.sort((one, other) => (one.path < other.path ? -1 : 1));
};

/** How much room all lines of a file take, at most `room`. */
const wholeSize = ({ lines }: FileLines, room: number): number => {
  const { shown, size } = thoseThatFit(lines, room);
  return shown.length < lines.length ? room : size;
};

/** The lines of a file that fit, or the beginning of its first line; `null`: there is no room for that either. */
const partOf = ({ path, lines }: FileLines, room: number): Part | null => {
  const whole = thoseThatFit(lines, room);
  if (whole.shown.length === lines.length && lines.every((line) => line.length <= MAX_LINE))
    return { path, lines: whole.shown, note: null };
  const left = room - sizeOf(`${path}: ${lines.length} more lines differ, long lines are cut.`);
  const { shown } = thoseThatFit(lines, left);
  const first = lines[0] ?? '';
  const beginning = shown.length === 0 ? beginningOf(first, left) : null;
  if (shown.length === 0 && beginning === null) return null;
  const all = beginning === null ? shown : [beginning];
  const more = lines.length - all.length;
  const isCut = beginning !== null || lines.slice(0, all.length).some(({ length }) => length > MAX_LINE);
  const notes = [more > 0 && `${more} more lines differ`, isCut && 'long lines are cut'];
  return { path, lines: all, note: `${path}: ${notes.filter(Boolean).join(', ')}.` };
};

/** The first texts that fit into the room, and how much of it they take. */
const thoseThatFit = (
  texts: readonly string[],
  room: number,
): { readonly shown: readonly string[]; readonly size: number } => {
  const shown: string[] = [];
  let size = 0;
  for (const text of texts) {
    const next = truncate(withoutAddresses(text), MAX_LINE);
    if (size + sizeOf(next) > room) break;
    size += sizeOf(next);
    shown.push(next);
  }
  return { shown, size };
};

/** The beginning of a line that fits and is longer than the line's place; `null`: there is no room for it. */
const beginningOf = (line: string, room: number): string | null => {
  const text = withoutAddresses(line);
  const least = placeLength(text) + MIN_BEGINNING;
  // Escapes make a text longer in the prompt than it is: try shorter ones.
  for (
    let length = Math.min(text.length, MAX_LINE, room);
    length > least;
    length = Math.floor(length * 0.8)
  ) {
    const cut = truncate(text, length);
    if (sizeOf(cut) <= room) return cut;
  }
  return null;
};
