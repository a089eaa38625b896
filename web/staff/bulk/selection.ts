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

/** What became of a row; a row without a result was not begun, or not ended. */
export type Result = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly why: string };

/** The rows that were not done: they are tried again. */
export const undone = (rows: readonly Row[], results: ReadonlyMap<string, Result>): readonly Row[] =>
  rows.filter(({ id }) => results.get(id)?.kind !== 'done');

/** So many rows are sent at once. */
const AT_ONCE = 4;

/**
 * Does the work for each row, a few at once, in their order. One that fails keeps no other back.
 * @param work of one row; it says why if it could not be done
 * @param signal no further row is begun once it is aborted, and what is under way is not told
 */
export const forEachRow = async (
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
  tell: (id: string, result: Result) => void,
  signal: AbortSignal,
): Promise<void> => {
  const left = rows.values();
  const isStopped = (): boolean => signal.aborted;
  const worker = async (): Promise<void> => {
    for (const row of left) {
      if (isStopped()) return;
      const result = await work(row);
      if (!isStopped()) tell(row.id, result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};
