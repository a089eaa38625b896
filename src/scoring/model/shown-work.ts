import { inert, withoutAddresses } from '../../clients/openai/text.js';
import { truncate } from '../../core/text.js';
import type { ShownWork } from '../../domain/evaluation/events.js';
import type { FileDifference } from '../../work/difference.js';
import { isGenerated } from '../../work/fingerprints.js';
import { placeLength } from '../evidence/work.js';

/** Characters of JSON that a model is shown of all hand-ins of a session together. */
export const SHOWN_WORK_CHARACTERS = 24_000;

/** Longest line that is shown as a whole, in UTF-16 code units: prose has a paragraph on each line. */
const MAX_LINE = 3_000;
/** Room that a file needs so that its lines tell anything. */
const MIN_FILE = 300;
/** The part of the room that files may take which are told by name alone. */
const NAMES_PART = 4;
/** For the note of what is not even told by name. */
const LAST_NOTE = 40;

type Changes = Omit<ShownWork, 'handInId'>;

const SAME: Changes = { lines: [], notes: ['It is the same as what the ticket began with.'] };

/** What is shown of a hand-in that cannot be read. */
export const UNREADABLE_WORK: Changes = {
  lines: [],
  notes: ['This hand-in could not be read: that says nothing of the work.'],
};

/** What is shown of a hand-in whose candidate was not told that a model is shown it. */
export const UNTOLD_WORK: Changes = {
  lines: [],
  notes: [
    'This hand-in is not shown, because the candidate’s notice does not say that it is: that says nothing of the work.',
  ],
};

/** What a text takes in a list of the prompt. */
const sizeOf = (text: string): number => inert(text).length + 1;

/** What the changes of a hand-in take in the prompt. */
export const sizeOfChanges = ({ lines, notes }: Changes): number =>
  [...lines, ...notes].reduce((sum, text) => sum + sizeOf(text), 0);

/**
 * How a hand-in differs from what its ticket began with, as a model is shown it: whole lines as far as there is room,
 * which the files share fairly, and what is left out. E-mail addresses are replaced.
 * @param room in characters of the prompt
 */
export const shownChanges = (difference: readonly FileDifference[], room: number): Changes => {
  if (difference.length === 0) return SAME;
  const byLines = difference.filter(isShownByLines);
  const files = changedFirst(byLines).slice(0, Math.floor(room / MIN_FILE));
  const named = difference.filter((file) => !isShownByLines(file)).map(nameOf);
  const names = firstOf(named, room / NAMES_PART);
  const parts = divided(files.map(linesOf), room - names.size - LAST_NOTE);
  const untold = difference.length - names.shown.length - parts.length;
  const notes = [...names.shown, ...parts.flatMap(({ note }) => note ?? [])];
  return {
    lines: parts.flatMap(({ lines }) => lines),
    notes: untold === 0 ? notes : [...notes, `${untold} more files differ.`],
  };
};

const isShownByLines = ({ path, after, hunks }: FileDifference): boolean =>
  after !== null && hunks !== null && hunks.length > 0 && !isGenerated(path);

/** What the candidate changed of what they were given tells more than what else they sent. */
const changedFirst = (files: readonly FileDifference[]): readonly FileDifference[] => [
  ...files.filter(({ before }) => before !== null),
  ...files.filter(({ before }) => before === null),
];

const WHY = { binary: 'not a text', too_large: 'too much to show' } as const;

const nameOf = ({ path, before, after, omitted }: FileDifference): string => {
  if (after === null) return `${path}: removed.`;
  const why = omitted !== null ? WHY[omitted] : after.bytes === 0 ? 'empty' : 'written by a program';
  return `${path}: ${before === null ? 'added' : 'changed'}, ${after.bytes} bytes, ${why}.`;
};

interface FileLines {
  readonly path: string;
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

/** Small files leave their room to the others. @returns by path, without those for which there is no room at all */
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

const wholeSize = ({ lines }: FileLines, room: number): number => {
  const { shown, size } = firstOf(lines, room);
  return shown.length < lines.length ? room : size;
};

/** As many lines as there is room for; of a first line without room, its beginning. `null`: there is no room. */
const partOf = ({ path, lines }: FileLines, room: number): Part | null => {
  const whole = firstOf(lines, room);
  if (whole.shown.length === lines.length && lines.every((line) => line.length <= MAX_LINE))
    return { path, lines: whole.shown, note: null };
  const left = room - sizeOf(`${path}: ${lines.length} more lines differ, long lines are cut.`);
  const { shown } = firstOf(lines, left);
  const first = lines[0] ?? '';
  const beginning = shown.length === 0 ? beginningOf(first, left) : null;
  if (shown.length === 0 && beginning === null) return null;
  const all = beginning === null ? shown : [beginning];
  const more = lines.length - all.length;
  const isCut = beginning !== null || lines.slice(0, all.length).some(({ length }) => length > MAX_LINE);
  const notes = [more > 0 && `${more} more lines differ`, isCut && 'long lines are cut'];
  return { path, lines: all, note: `${path}: ${notes.filter(Boolean).join(', ')}.` };
};

/** The first texts that there is room for. */
const firstOf = (
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

/** The beginning of a line that tells more than where it is; `null`: there is no room for it. */
const beginningOf = (line: string, room: number): string | null => {
  const text = withoutAddresses(line);
  const head = placeLength(text);
  for (
    let length = Math.min(text.length, MAX_LINE, room);
    length > head + 20;
    length = Math.floor(length * 0.8)
  ) {
    const cut = truncate(text, length);
    if (sizeOf(cut) <= room) return cut;
  }
  return null;
};
