import type { Application } from '../../../packages/client/src/index.js';

/** What a bulk action needs of an application. */
export type Row = Pick<Application, 'id' | 'candidateName' | 'candidateEmail' | 'status'>;

/** The chosen applications by id, of whatever page of the list. */
export type Selection = ReadonlyMap<string, Row>;

/** The selection with the row if it was not chosen, else without it. */
export const toggled = (selected: Selection, row: Row): Selection => {
  const next = new Map(selected);
  if (!next.delete(row.id)) next.set(row.id, row);
  return next;
};

/** How many rows of a page are chosen. */
export const pageState = (selected: Selection, rows: readonly Row[]): 'none' | 'some' | 'all' => {
  const count = rows.filter(({ id }) => selected.has(id)).length;
  return count === 0 ? 'none' : count === rows.length ? 'all' : 'some';
};

/** The selection with all rows of a page; without them if all were chosen. Other pages' rows stay. */
export const pageToggled = (selected: Selection, rows: readonly Row[]): Selection => {
  const next = new Map(selected);
  const isWhole = pageState(selected, rows) === 'all';
  for (const row of rows)
    if (isWhole) next.delete(row.id);
    else next.set(row.id, row);
  return next;
};

/** How many applications can be selected at once: each may need a command of its own. */
export const MAX_SELECTED = 2_000;

/** How all that match were selected: `limit`: more match than `MAX_SELECTED`. */
export type Ending = 'all' | 'limit' | 'stopped';

/**
 * Reads all pages of the list, and adds the rows of each to the selection. If a page cannot be read, the rows of earlier
 * pages stay selected.
 * @param read reads the page after a cursor, or the first one
 * @param signal nothing more is read or added once it is aborted
 */
export const selectAll = async (
  read: (
    cursor: string | undefined,
  ) => Promise<{ readonly items: readonly Row[]; readonly nextCursor: string | null }>,
  add: (rows: readonly Row[]) => void,
  signal: AbortSignal,
): Promise<Ending> => {
  const isStopped = (): boolean => signal.aborted;
  let left = MAX_SELECTED;
  let cursor: string | undefined;
  try {
    while (!isStopped()) {
      const { items, nextCursor } = await read(cursor);
      if (isStopped()) break;
      add(items.slice(0, left));
      if (items.length > left) return 'limit';
      if (nextCursor === null) return 'all';
      left -= items.length;
      cursor = nextCursor;
    }
  } catch (error) {
    if (!isStopped()) throw error;
  }
  return 'stopped';
};

/** The selection with these rows. */
export const withRows = (selected: Selection, rows: readonly Row[]): Selection =>
  new Map([...selected, ...rows.map((row) => [row.id, row] as const)]);

/** How many people the question before an irrevocable action names. */
const MAX_NAMED = 5;

/** What a dialog shows before an irreversible action: the first names, and the text to type as a confirmation. */
export const confirmation = (
  names: readonly string[],
): { readonly named: readonly string[]; readonly more: number; readonly asked: string } => ({
  named: names.slice(0, MAX_NAMED),
  more: Math.max(0, names.length - MAX_NAMED),
  asked: names.length === 1 ? names.join() : `${names.length}`,
});

/** Whether a new end is over already. @param until as a field has it, in the device's zone @param now in milliseconds */
export const hasPassed = (until: string, now: number): boolean => Date.parse(until) <= now;

/** Rows of an export per request: the service takes no more ids in a URL. */
const MAX_EXPORTED = 100;

/**
 * The lines of all these rows as one CSV, joined from several requests.
 * @param read reads the CSV of these ids; each begins with the same line of column names
 */
export const exportOf = async (
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const files: Uint8Array[] = [];
  for (let at = 0; at < ids.length; at += MAX_EXPORTED) {
    const file = await read(ids.slice(at, at + MAX_EXPORTED));
    files.push(at === 0 ? file : file.subarray(file.indexOf(LINE_FEED) + 1));
  }
  return new Uint8Array(await new Blob(files as Uint8Array<ArrayBuffer>[]).arrayBuffer());
};
/** The byte that ends a line; no column's name contains it. */
const LINE_FEED = 10;

/** The result of a row. A row without a result was not begun, or is still running. */
export type Result = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly why: string };

/** The rows that were not done, to be tried again. */
export const undone = (rows: readonly Row[], results: ReadonlyMap<string, Result>): readonly Row[] =>
  rows.filter(({ id }) => results.get(id)?.kind !== 'done');

/** Requests under way at once. */
const AT_ONCE = 4;

/**
 * Does the work for each row, a few at once, in their order. A failed row does not stop the others.
 * @param work of one row; returns its result
 * @param report gets the result of each row
 * @param signal once it is aborted no further row is begun, and results of those under way are dropped
 */
export const forEachRow = async (
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
  report: (id: string, result: Result) => void,
  signal: AbortSignal,
): Promise<void> => {
  const left = rows.values();
  const isStopped = (): boolean => signal.aborted;
  const worker = async (): Promise<void> => {
    for (const row of left) {
      if (isStopped()) return;
      const result = await work(row);
      if (!isStopped()) report(row.id, result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};
