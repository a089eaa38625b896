import Table from 'cli-table3';
import stringWidth from 'string-width';
import { asTyped } from '../../process/installation.js';
import { harmlessLines } from './output.js';

/** Width of the smallest supported terminal, and of a pipe, in columns. */
const MIN_TERMINAL = 80;

/** Smallest width into which a cell is wrapped: narrower text cannot be read. */
const MIN_CELL = 16;

/** Only longer words are broken. Ids and names of generations are shorter, so that they can be copied. */
const UNBROKEN = 36;

type Cells = readonly string[];

/** A head and the cells below it. */
type Column = Cells;

/**
 * A table in lines that are harmless to a terminal and fit its width. If it is too wide, empty columns are left out;
 * then cells are wrapped; then the table is split into parts, each with the first column.
 * @param width of the terminal, in columns; default: `COLUMNS`, else the terminal's, at least 80
 */
export const tableLines = (
  head: Cells,
  rows: readonly (readonly (string | number)[])[],
  width = terminalWidth(),
): readonly string[] => {
  const shown = [head, ...rows].map((row) => row.map((cell) => asTyped(harmlessLines(String(cell)))));
  const columns = head.map((_, index) => shown.map((row) => row[index] ?? ''));
  if (fits(columns.map(natural), width)) return drawn(columns);
  const [first, ...others] = columns.filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  if (first === undefined) return drawn(columns);
  return partsOf(first, others, width).flatMap((part) => drawn(wrappedTo(part, width)));
};

const terminalWidth = (): number => {
  const columns = Number(process.env['COLUMNS'] ?? process.stdout.columns);
  return columns > MIN_TERMINAL ? columns : MIN_TERMINAL;
};

const fits = (widths: readonly number[], width: number): boolean => roomIn(widths, width) >= 0;

/** Columns that remain beside cells of these widths, their padding and the lines between them. */
const roomIn = (widths: readonly number[], width: number): number =>
  width - widths.reduce((sum, one) => sum + one + 3, 1);

const natural = (column: Column): number => widest(column, /\n/);

/** The smallest width of a column that breaks no word of up to `UNBROKEN` characters. */
const least = (column: Column): number =>
  Math.max(Math.min(natural(column), MIN_CELL), Math.min(widest(column, /\s/), UNBROKEN));

const widest = (column: Column, separator: RegExp): number =>
  column
    .flatMap((cell) => cell.split(separator))
    // Not by arguments of one call, of which there may be too many.
    .reduce((width, part) => Math.max(width, stringWidth(part)), 0);

/** Splits the columns into as many tables as needed. */
const partsOf = (first: Column, others: readonly Column[], width: number): readonly (readonly Column[])[] => {
  if (fits([first, ...others].map(least), width)) return [[first, ...others]];
  const capped = (column: Column): number => Math.max(least(column), Math.min(natural(column), UNBROKEN));
  const parts: Column[][] = [];
  let part: Column[] = [];
  for (const column of others) {
    if (part.length === 0 || !fits([...part, column].map(capped), width)) parts.push((part = [first]));
    part.push(column);
  }
  return parts;
};

/** Wraps the widest columns until all fit. */
const wrappedTo = (columns: readonly Column[], width: number): readonly Column[] => {
  const widths = columns.map(natural);
  const bounds = columns.map(least);
  while (!fits(widths, width)) {
    const spare = widths.map((one, index) => (one > (bounds[index] ?? 0) ? one : 0));
    const broadest = spare.indexOf(Math.max(...spare));
    widths[broadest] = (widths[broadest] ?? 0) - 1;
  }
  return columns.map((column, index) => column.map((cell) => wrapped(cell, widths[index] ?? MIN_CELL)));
};

/** Wraps a text into lines of at most this width, between words and within longer words. */
const wrapped = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const lines = [''];
      for (const word of line.split(' ').flatMap((one) => broken(one, width))) {
        const joined = `${lines.at(-1) ?? ''} ${word}`.trimStart();
        if (stringWidth(joined) <= width) lines.splice(-1, 1, joined);
        else lines.push(word);
      }
      return lines;
    })
    .join('\n');

/** Splits a text into graphemes, which must not be broken. */
const CHARACTERS = new Intl.Segmenter('en');

const broken = (word: string, width: number): readonly string[] => {
  if (stringWidth(word) <= width) return [word];
  const pieces = [''];
  for (const { segment } of CHARACTERS.segment(word)) {
    const joined = `${pieces.at(-1) ?? ''}${segment}`;
    if (stringWidth(joined) <= width) pieces.splice(-1, 1, joined);
    else pieces.push(segment);
  }
  return pieces;
};

const drawn = (columns: readonly Column[]): readonly string[] => {
  const [head = [], ...rows] = (columns[0] ?? []).map((_, row) => columns.map((column) => column[row] ?? ''));
  const table = new Table({
    head: [...head],
    colAligns: columns.map((column) => (isNumbers(column) ? 'right' : 'left')),
    // Without colours and lines between rows, for pipes and for pasting.
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push([...row]);
  return table.toString().split('\n');
};

const isNumbers = ([, ...cells]: Column): boolean => cells.every((cell) => /^\d+$/.test(cell));
