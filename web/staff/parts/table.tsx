import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePlace } from '../console.js';
import { queryWith } from '../addresses.js';

export interface Column<T> {
  readonly key: string;
  readonly head: ComponentChildren;
  readonly cell: (row: T) => ComponentChildren;
  /** Whether its cells are the headings of their rows; of the first column unless one says so. */
  readonly rowHeading?: boolean;
  /** Figures stand at the end of their column. */
  readonly figures?: boolean;
  /** Left out where the window is narrow: the row's page has it. */
  readonly wideOnly?: boolean;
  /** The values of `sort` in the query: rising, and falling. */
  readonly sort?: readonly [rising: string, falling: string];
}

/** A list as a real table, with the server's pages. */
export const Table = <T,>({
  caption,
  columns,
  rows,
  rowKey,
  query = {},
  page = '',
}: {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** The page's query and name, if a heading sorts. */
  readonly query?: Readonly<Record<string, string>>;
  readonly page?: string;
}) => {
  const { to } = usePlace();
  const headingAt = Math.max(
    0,
    columns.findIndex(({ rowHeading }) => rowHeading),
  );
  const heading = ({ head, sort }: Column<T>) => {
    if (!sort) return head;
    const next = query['sort'] === sort[0] ? sort[1] : sort[0];
    const mark = query['sort'] === sort[0] ? '↑' : query['sort'] === sort[1] ? '↓' : '';
    return (
      <a href={to(page + queryWith(query, { sort: next, after: null }))}>
        {head} <span aria-hidden="true">{mark}</span>
      </a>
    );
  };
  const sorted = ({ sort }: Column<T>) =>
    sort && (query['sort'] === sort[0] ? 'ascending' : query['sort'] === sort[1] ? 'descending' : 'none');
  const classOf = ({ figures, wideOnly }: Column<T>) =>
    [figures && 'figures', wideOnly && 'wide'].filter(Boolean).join(' ');
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class="list">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" class={classOf(column)} aria-sort={sorted(column)}>
                {heading(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === headingAt ? (
                  <th key={column.key} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} class={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** The way to the next page of a list, and back to the first; the browser's own way back leads to the one before. */
export const Pager = ({
  page,
  query,
  nextCursor,
}: {
  readonly page: string;
  readonly query: Readonly<Record<string, string>>;
  readonly nextCursor: string | null;
}) => {
  const { t, to } = usePlace();
  const shown = useRef(query['after']);
  useEffect(() => {
    if (shown.current === query['after']) return;
    shown.current = query['after'];
    // The reader begins at the top of the next page, as on any page that is opened.
    document.querySelector('h1')?.focus();
  }, [query['after']]);
  if (nextCursor === null && query['after'] === undefined) return null;
  return (
    <nav class="pager" aria-label={t.table.pages}>
      {query['after'] !== undefined && (
        <a class="button quiet small" href={to(page + queryWith(query, { after: null }))}>
          {t.table.first}
        </a>
      )}
      {nextCursor !== null && (
        <a class="button quiet small" href={to(page + queryWith(query, { after: nextCursor }))}>
          {t.table.next}
        </a>
      )}
    </nav>
  );
};
