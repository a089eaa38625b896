import { inert, withoutAddresses } from '../../clients/openai/prompt-data.js';
import { truncate } from '../../core/text.js';
import type { ShownWork } from '../../domain/evaluation/events.js';
import type { FileDifference } from '../../work/difference.js';
import { isGenerated } from '../../work/fingerprints.js';
import { placeLength } from '../evidence/work.js';

/** Characters of JSON that a model is shown of all hand-ins of a session together. */
export const SHOWN_WORK_CHARACTERS = 24_000;

/** Longest line that is shown as a whole, in UTF-16 code units: prose has a paragraph on each line. */
const MAX_LINE = 3_000;
/** The least room for a file: in less, its lines would be cut too short to be judged. */
const MIN_FILE_ROOM = 300;
/** Largest share of the room for the notes of files whose lines are not shown. */
const MAX_NOTES_SHARE = 1 / 4;
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

/** How many characters a text takes in a list of the prompt, with its separator. */
const sizeOf = (text: string): number => inert(text).length + 1;

/** How many characters the changes of a hand-in take in the prompt. */
export const sizeOfChanges = ({ lines, notes }: Changes): number =>
  [...lines, ...notes].reduce((sum, text) => sum + sizeOf(text), 0);

/**
 * How a hand-in differs from what its ticket began with, as a model is shown it: whole lines while there is room, and
 * notes of what is left out. Binary, removed, generated, empty and large files have only a note. E-mail addresses are
 * replaced.
 * @param room characters of the prompt that the changes may take, which the files share
 */
export const shownChanges = (difference: readonly FileDifference[], room: number): Changes => {
  if (difference.length === 0) return SAME;
  const byLines = difference.filter(isShownByLines);
  const files = changedFirst(byLines).slice(0, Math.floor(room / MIN_FILE_ROOM));
  const named = difference.filter((file) => !isShownByLines(file)).map(noteOf);
  const names = thoseThatFit(named, room * MAX_NOTES_SHARE);
  const shownFiles = shareRoom(files.map(linesOf), room - names.size - COUNT_NOTE_ROOM);
  const others = difference.length - names.shown.length - shownFiles.length;
  const notes = [...names.shown, ...shownFiles.flatMap(({ note }) => note ?? [])];
  return {
    lines: shownFiles.flatMap(({ lines }) => lines),
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

/** The lines of a file that are shown. */
interface ShownFile extends FileLines {
  /** What was cut; `null`: nothing. */
  readonly note: string | null;
}

/**
 * Shares the room among the files, the smallest first: each may take an equal share of the room that is still free.
 * @returns by path, without files for which there is no room at all
 */
const shareRoom = (files: readonly FileLines[], room: number): readonly ShownFile[] => {
  const bySize = files
    .map((file) => ({ file, size: wholeSize(file, room) }))
    .sort((one, other) => one.size - other.size);
  let left = room;
  const shownFiles = bySize.flatMap(({ file }, index) => {
    const shown = shownFile(file, Math.floor(left / (bySize.length - index)));
    left -= shown ? sizeOfChanges({ ...shown, notes: shown.note === null ? [] : [shown.note] }) : 0;
    return shown ?? [];
  });
  return shownFiles.sort((one, other) => (one.path < other.path ? -1 : 1));
};

/** How much room all lines of a file take, at most `room`. */
const wholeSize = ({ lines }: FileLines, room: number): number => {
  const { shown, size } = thoseThatFit(lines, room);
  return shown.length < lines.length ? room : size;
};

/** The first lines of a file that fit, or the beginning of its first line; `null`: there is no room for that either. */
const shownFile = ({ path, lines }: FileLines, room: number): ShownFile | null => {
  const whole = thoseThatFit(lines, room);
  if (whole.shown.length === lines.length && lines.every((line) => line.length <= MAX_LINE))
    return { path, lines: whole.shown, note: null };
  // The longest note that the file can get.
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

/** The first texts that fit into the room, as they are shown: cut to `MAX_LINE`, without addresses; and their size. */
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

/** A line's place and the beginning of its text, cut to fit; `null`: there is no room for `MIN_BEGINNING` of the text. */
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
