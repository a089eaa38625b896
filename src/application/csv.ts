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

/** By it, spreadsheet programs read the file as UTF-8. */
const BOM = '\uFEFF';

/**
 * A text that a spreadsheet program would run as a formula, with a mark before it so that it does not. A text that
 * already looks marked is marked too: `withoutMark` gives back every text as it was.
 */
export const defused = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** Undoes `defused`. */
export const withoutMark = (text: string): string => (/^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text);

/** Rows as RFC 4180 has them. Where a locale separates by semicolons, a bare one would split a field: it is quoted too. */
const lines = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map((cell) => (cell === null ? '' : defused(`${cell}`)))),
    { record_delimiter: 'windows', quoted_match: /[;\t\r\n]|^\s|\s$/ },
  );

/**
 * A CSV as bytes, a piece for its header and one for each page, as they are asked for: UTF-8 with a byte order mark,
 * fields separated by commas, lines ended by CRLF, formulas defused.
 */
export async function* csvPieces<Row>(
  columns: readonly Column<Row>[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from(BOM + lines([columns.map(({ name }) => name)]));
  for await (const page of pages)
    if (page.length > 0) yield Buffer.from(lines(page.map((row) => columns.map(({ cell }) => cell(row)))));
}
