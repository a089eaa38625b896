import type { CheckedRow } from '../../../packages/client/src/index.js';
import { Moment } from '../parts/layout.js';
import { Table } from '../parts/table.js';
import { countOf, type Fault, faultText, MAX_SHOWN } from './rows.js';
import { useTexts } from './texts.js';

export type Checked = CheckedRow;

/** The rows that a file would invite. */
export const CheckedRows = ({ rows }: { readonly rows: readonly Checked[] }) => {
  const words = useTexts();
  return (
    <>
      <div role="status">
        <h2>{words.ready(rows.length)}</h2>
      </div>
      <Table<Checked>
        caption={words.ready(rows.length)}
        rows={rows.slice(0, MAX_SHOWN)}
        rowKey={({ row }) => `${row}`}
        columns={[
          { key: 'email', head: words.email, cell: ({ candidateEmail }) => candidateEmail },
          { key: 'name', head: words.name, cell: ({ candidateName }) => candidateName ?? '–' },
          {
            key: 'language',
            head: words.language,
            cell: ({ language }) => words.languages[language],
          },
          {
            key: 'expires',
            head: words.expiresAt,
            cell: ({ expiresAt }) =>
              expiresAt === null ? words.inTwoWeeks : <Moment at={expiresAt} withTime />,
          },
        ]}
      />
      {rows.length > MAX_SHOWN && <p class="soft small">{words.shown(MAX_SHOWN, rows.length)}</p>}
    </>
  );
};

/** What is wrong with a file, by row. */
export const Faults = ({ faults }: { readonly faults: readonly Fault[] }) => {
  const words = useTexts();
  const title = words.faults(countOf(faults));
  return (
    <section role="alert">
      <h2>{title}</h2>
      <p>{words.faultsText}</p>
      <Table<Fault>
        caption={title}
        rows={faults}
        rowKey={({ row, column, rule }) => `${row} ${column} ${rule}`}
        columns={[
          { key: 'row', head: words.row, cell: ({ row }) => row ?? words.wholeFile },
          { key: 'column', head: words.column, cell: ({ column }) => column ?? '–' },
          {
            key: 'fault',
            head: words.fault,
            // A rule of a later version has the service's own sentence, which is English.
            cell: (one) => faultText(one, words) ?? <span lang="en">{one.sentence}</span>,
          },
        ]}
      />
    </section>
  );
};
