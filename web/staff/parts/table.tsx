import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { cellName } from './cells.js';

/** A column of a table. */
export interface Column<T> {
  readonly key: string;
  readonly head: ComponentChildren;
  readonly cell: (row: T) => ComponentChildren;
  /** Whether its cells are the headings of their rows. Without such a column, those of the first one are. */
  readonly rowHeading?: boolean;
  /** Figures are aligned with the end of their column. */
  readonly figures?: boolean;
  /** Its cells are texts of several lines: beside figures they would be cut in a narrow window, so each row is a block there. */
  readonly long?: boolean;
  /** Left out in a narrow window: the row's own page has it, or another part of this one. */
  readonly wideOnly?: boolean;
  /** Its cells are buttons with labels, so they need no column name. */
  readonly acts?: boolean;
  /** The values of `sort` in the query: rising, and falling. Default: its heading does not sort. */
  readonly sort?: readonly [rising: string, falling: string];
}

/**
 * A list as a table, with the server's pages. In a narrow window each row is a block with the names of its cells. A list
 * of figures alone, several in a row, stays a table that scrolls, since the figures are compared. The ARIA roles are set
 * explicitly, because an element that is not laid out as a table row loses its role.
 */
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
  const classOf = ({ figures, wideOnly, acts }: Column<T>) =>
    [figures && 'figures', wideOnly && 'wide', acts && 'acts'].filter(Boolean).join(' ');
  const others = columns.filter(({ wideOnly, acts }, index) => index !== headingAt && !wideOnly && !acts);
  const isCompared = others.length > 1 && others.every(({ figures }) => figures);
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class={isCompared ? 'list' : 'list stacked'} role="table">
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                class={classOf(column)}
                aria-sort={sorted(column)}
              >
                {heading(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column, index) => {
                const content = column.cell(row);
                return index === headingAt ? (
                  <th key={column.key} role="rowheader" scope="row">
                    {content}
                  </th>
                ) : (
                  <td
                    key={column.key}
                    role="cell"
                    class={classOf(column)}
                    data-name={cellName(content, column)}
                  >
                    {content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Links to the next page of a list and to the first. The browser's back button leads to the previous one. */
export const Pager = ({
  page,
  query,
  nextCursor,
  fragment = '',
}: {
  readonly page: string;
  readonly query: Readonly<Record<string, string>>;
  readonly nextCursor: string | null;
  /** The address's fragment with its `#`: the searched text. */
  readonly fragment?: string;
}) => {
  const { t, to } = usePlace();
  const shown = useRef(query['after']);
  useEffect(() => {
    if (shown.current === query['after']) return;
    shown.current = query['after'];
    // Moves the focus to the heading, as on any page that is opened.
    document.querySelector('h1')?.focus();
  }, [query['after']]);
  if (nextCursor === null && query['after'] === undefined) return null;
  return (
    <nav class="pager" aria-label={t.table.pages}>
      {query['after'] !== undefined && (
        <a class="button quiet small" href={to(page + queryWith(query, { after: null }) + fragment)}>
          {t.table.first}
        </a>
      )}
      {nextCursor !== null && (
        <a class="button quiet small" href={to(page + queryWith(query, { after: nextCursor }) + fragment)}>
          {t.table.next}
        </a>
      )}
    </nav>
  );
};
