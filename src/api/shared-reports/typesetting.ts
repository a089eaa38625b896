// @ts-expect-error The package has no types.
import LineBreaker from 'linebreak';
import { bidi, type Direction } from './glyph-variants.js';
import { type Face, type Faces, INVISIBLE, UnsettableText, type Weight } from './pdf-fonts.js';

/** Finds where a line may be broken (Unicode annex 14). */
const Breaks = LineBreaker as new (text: string) => { nextBreak(): { readonly position: number } | null };
const clustersOf = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How a text is set; sizes are in points. */
export interface Style {
  readonly size: number;
  readonly weight: Weight;
}

/** A part of a line in one font and one direction. Widths are in points. */
export interface Piece {
  readonly text: string;
  readonly face: Face;
  readonly direction: Direction;
  readonly width: number;
}

/** A line of a text, its pieces from left to right. */
export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
  /** Whether the pieces are in another order than what is read. */
  readonly isReordered: boolean;
}

/** A text that is divided into lines. */
export interface SetText {
  /** What the lines say, in the order in which it is read. */
  readonly text: string;
  readonly lines: readonly Line[];
  readonly direction: Direction;
}

/** What is one character to its reader, from one place in the text to another, and its font. */
interface Cluster {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly face: Face;
  readonly level: number;
}

/**
 * The text on one line, with letters and marks composed: fonts have composed characters more often than separate
 * marks.
 */
const oneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

/**
 * Sets a text in lines of at most this width, in points: each run in a font that has it, in the order of the Unicode bidirectional
 * algorithm, broken between words, or within one that is wider than a line.
 * @throws {UnsettableText} it cannot be set
 */
export const setText = (given: string, { size, weight }: Style, width: number, faces: Faces): SetText => {
  const text = oneLine(given);
  const levels = bidi.getEmbeddingLevels(text);
  const clusters = clustersIn(text, levels.levels, weight, faces);
  const pieces = (of: readonly Cluster[]): readonly Piece[] => {
    const [first, last] = [of[0], of.at(-1)];
    if (!first || !last) return [];
    const order = bidi.getReorderedIndices(text, levels, first.start, last.end - 1);
    const visual = order.slice(first.start, last.end);
    return runsOf(visual, levels.levels).flatMap(([start, end]) =>
      piecesOf(
        // By where it begins: an Arabic sign of numbers may be of another level than the letter that it is set with.
        of.filter((one) => one.start >= start && one.start < end),
        size,
      ),
    );
  };
  // Its order matters to no width.
  const widthOf = (of: readonly Cluster[]): number => sum(byLevel(of).flatMap((run) => piecesOf(run, size)));
  const lines = broken(wordsOf(text, clusters), width, widthOf).map((line): Line => {
    const set = pieces(line);
    return { pieces: set, width: sum(set), isReordered: set.some(isTurned) };
  });
  return { text, lines, direction: directionOf(levels.paragraphs[0]?.level ?? 0) };
};

const sum = (pieces: readonly Piece[]): number => pieces.reduce((total, { width }) => total + width, 0);
const isTurned = ({ direction }: Piece): boolean => direction === 'rtl';
const directionOf = (level: number): Direction => (level % 2 === 1 ? 'rtl' : 'ltr');

const clustersIn = (text: string, levels: Uint8Array, weight: Weight, faces: Faces): readonly Cluster[] => {
  const clusters: Cluster[] = [];
  for (const { segment, index: start } of clustersOf.segment(text)) {
    const visible = segment.replaceAll(INVISIBLE, '');
    if (visible === '') continue;
    const before = clusters.at(-1)?.face ?? null;
    const face = faces.faceFor(visible, weight, before);
    if (!face) throw new UnsettableText('The text cannot be set.');
    clusters.push({ start, end: start + segment.length, text: visible, face, level: levels[start] ?? 0 });
  }
  return clusters;
};

/** Clusters between the places at which a line may be broken. */
const wordsOf = (text: string, clusters: readonly Cluster[]): readonly (readonly Cluster[])[] => {
  const words: Cluster[][] = [[]];
  const breaks = new Breaks(text);
  let next = breaks.nextBreak();
  for (const cluster of clusters) {
    while (next && next.position <= cluster.start) {
      words.push([]);
      next = breaks.nextBreak();
    }
    words.at(-1)?.push(cluster);
  }
  return words.filter((word) => word.length > 0);
};

/** Lines of words that fit; spaces at the ends of lines are left out. */
const broken = (
  words: readonly (readonly Cluster[])[],
  width: number,
  widthOf: (clusters: readonly Cluster[]) => number,
): readonly (readonly Cluster[])[] => {
  const lines: Cluster[][] = [[]];
  let used = 0;
  for (const word of words) {
    if (used > 0 && used + widthOf(trimmed(word)) > width) {
      lines.push([]);
      used = 0;
    }
    let rest = word;
    while (widthOf(trimmed(rest)) > width) {
      const fits = fitting(rest, width, widthOf);
      lines.at(-1)?.push(...rest.slice(0, fits));
      lines.push([]);
      rest = rest.slice(fits);
    }
    lines.at(-1)?.push(...rest);
    used += widthOf(rest);
  }
  return lines.map(trimmed).filter((line) => line.length > 0);
};

/** How many clusters of a word that is wider than a line fit into one: at least one. */
const fitting = (
  word: readonly Cluster[],
  width: number,
  widthOf: (clusters: readonly Cluster[]) => number,
): number => {
  let [fits, over] = [1, word.length];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (widthOf(word.slice(0, middle)) <= width) fits = middle;
    else over = middle;
  }
  return fits;
};

const trimmed = (clusters: readonly Cluster[]): readonly Cluster[] =>
  clusters.slice(0, clusters.findLastIndex(({ text }) => text !== ' ') + 1);

/** Runs of one level from left to right: each from one place in the text to another. */
const runsOf = (visual: readonly number[], levels: Uint8Array): readonly (readonly [number, number])[] => {
  const runs: { start: number; end: number; level: number }[] = [];
  for (const index of visual) {
    const [run, level] = [runs.at(-1), levels[index] ?? 0];
    if (run?.level === level && level % 2 === 0 && index === run.end) run.end++;
    else if (run?.level === level && level % 2 === 1 && index === run.start - 1) run.start--;
    else runs.push({ start: index, end: index + 1, level });
  }
  return runs.map(({ start, end }) => [start, end]);
};

/** Neighbours of one level, as they are read. */
const byLevel = (clusters: readonly Cluster[]): readonly (readonly Cluster[])[] => {
  const runs: Cluster[][] = [];
  for (const cluster of clusters) {
    const last = runs.at(-1);
    if (last?.[0]?.level === cluster.level) last.push(cluster);
    else runs.push([cluster]);
  }
  return runs;
};

/** The pieces of a run from left to right: neighbours of one font are one. */
const piecesOf = (run: readonly Cluster[], size: number): readonly Piece[] => {
  const direction = directionOf(run[0]?.level ?? 0);
  const parts: { text: string; face: Face }[] = [];
  for (const { text, face } of run) {
    const last = parts.at(-1);
    if (last?.face === face) last.text += text;
    else parts.push({ text, face });
  }
  const pieces = parts.map(({ text, face }): Piece => ({
    ...{ text, face, direction },
    width: face.width(text, direction) * size,
  }));
  return direction === 'rtl' ? pieces.reverse() : pieces;
};
