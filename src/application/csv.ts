import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** What a field of a CSV may hold; `null` is written as an empty field. */
export type Cell = string | number | boolean | null;

/** A column of an export. */
export interface Column<Row> {
  readonly name: string;
  /** For the OpenAPI document; left out if the name says it. */
  readonly description?: string;
  readonly cell: (row: Row) => Cell;
}

/** The media type of a CSV that is sent. */
export const CSV_TYPE = 'text/csv; charset=utf-8';

/** Makes spreadsheet programs read the file as UTF-8. */
const BOM = '\uFEFF';

const FORMULA = String.raw`[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]`;
const TO_MARK = new RegExp(`^'*${FORMULA}`);
const MARKED = new RegExp(`^'+${FORMULA}`);

/**
 * A text that a spreadsheet program would run as a formula, with a mark before it so that it does not. A text that
 * already looks marked is marked too, so that `withoutMark` returns every text as it was. A leading line feed is marked
 * too: LibreOffice writes it in place of a carriage return, and `withoutMark` must still find the mark. The wide forms of
 * the signs begin a formula if Excel is set to Japanese or Chinese.
 */
export const defused = (text: string): string => (TO_MARK.test(text) ? `'${text}` : text);

/** Undoes `defused`. */
export const withoutMark = (text: string): string => (MARKED.test(text) ? text.slice(1) : text);

/** Rows as RFC 4180 has them. Fields with semicolons are quoted too: in some locales they separate fields. */
const lines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (cell === null ? '' : defused(`${cell}`)))),
    { record_delimiter: 'windows', quoted_match: /[;\t\r\n]|^\s|\s$/ },
  );

/** A short CSV as a text. */
export const csvText = (rows: readonly (readonly Cell[])[]): string => BOM + lines(rows);

/**
 * A CSV as bytes, a piece for its header and one for each page, as they are asked for: UTF-8 with a byte order mark,
 * fields separated by commas, lines ended by CRLF, formulas defused.
 */
export async function* csvPieces<Row>(
  columns: readonly Column<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from(csvText([columns.map(({ name }) => name)]));
  for await (const page of pages)
    if (page.length > 0) yield Buffer.from(lines(page.map((row) => columns.map(({ cell }) => cell(row)))));
}

/** A row that was read. */
export interface ReadRow {
  /** As spreadsheet programs count: the header is row 1. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** A CSV that cannot be parsed; the message is for its author. */
export class BrokenCsv extends Error {
  override readonly name = 'BrokenCsv';
}

const BROKEN: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a field that begins with a quote does not end with one',
  CSV_INVALID_CLOSING_QUOTE: 'a quote within a quoted field must be written twice',
  INVALID_OPENING_QUOTE: 'a field with a quote in it must be in quotes as a whole',
};

/** Separators of fields. Excel's “Unicode Text” and cells that are copied from a sheet have tabs. */
const SEPARATORS = [',', ';', '\t'];
/** A first line that declares the separator for Excel, which does not count this line among the rows. */
const SEPARATOR_LINE = /^\uFEFF?sep=([,;\t|])\s*$/i;

/**
 * Reads a CSV as spreadsheet programs write it: with or without a byte order mark; separated by commas, by semicolons or
 * tabs if its header is, or as its first line says; lines ended by CRLF, LF or CR; line breaks within quotes. Marks before
 * formulas are taken off, and rows without any text are left out.
 * @throws {BrokenCsv}
 */
export const readCsv = (
  text: string,
): { readonly header: readonly string[]; readonly rows: readonly ReadRow[] } => {
  const [first = ''] = text.split(/[\r\n]/, 1);
  const count = (separator: string): number => first.split(separator).length;
  const declared = SEPARATOR_LINE.exec(first)?.[1];
  const separator = declared ?? SEPARATORS.reduce((most, one) => (count(one) > count(most) ? one : most));
  const all = parsed(text, separator, declared === undefined ? 1 : 2);
  const rows = all.map((cells, at): ReadRow => ({ row: at + 1, cells: cells.map(withoutMark) }));
  return { header: rows[0]?.cells ?? [], rows: rows.slice(1).filter(({ cells }) => cells.some(isText)) };
};

/** Whether a field has anything but white space. */
export const isText = (cell: string): boolean => /\S/u.test(cell);

const parsed = (text: string, delimiter: string, firstLine: number): readonly (readonly string[])[] => {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      from_line: firstLine,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { readonly lines?: number };
    const what = BROKEN[error.code] ?? 'it is not a CSV';
    throw new BrokenCsv(`The CSV cannot be read, in line ${lines ?? 1}: ${what}.`);
  }
};
