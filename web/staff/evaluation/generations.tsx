import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Evaluation } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Choice } from '../parts/form.js';
import { Empty, Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Table } from '../parts/table.js';
import { compareGenerations } from './compared.js';
import { useFigures, useTexts } from './texts.js';
import { ResultBadge } from './words.js';

/** Two generations of an evaluation, figure by figure. */
export const Generations = ({
  evaluationId,
  latest,
}: {
  readonly evaluationId: string;
  readonly latest: number;
}) => {
  const e = useTexts();
  const [from, setFrom] = useState(Math.max(1, latest - 1));
  const [to, setTo] = useState(latest);
  const options = Array.from(
    { length: latest },
    (_, index) => [`${latest - index}`, e.page.generation(latest - index)] as const,
  );
  return (
    <section>
      <h2>{e.page.generations}</h2>
      {latest < 2 ? (
        <Empty title={e.generations.one}>
          <p class="soft">{e.generations.oneText}</p>
        </Empty>
      ) : (
        <>
          <p class="soft">{e.generations.text}</p>
          <div class="filters">
            <Choice
              label={e.generations.from}
              value={`${from}`}
              options={options}
              change={(value) => setFrom(Number(value))}
            />
            <Choice
              label={e.generations.to}
              value={`${to}`}
              options={options}
              change={(value) => setTo(Number(value))}
            />
          </div>
          <Both evaluationId={evaluationId} from={from} to={to} key={`${from}-${to}`} />
        </>
      )}
    </section>
  );
};

interface Row {
  readonly id: string;
  readonly name: string;
  readonly cells: readonly [from: ComponentChildren, to: ComponentChildren, difference: ComponentChildren];
}

const Both = ({
  evaluationId,
  from,
  to,
}: {
  readonly evaluationId: string;
  readonly from: number;
  readonly to: number;
}) => {
  const { client, orgId, to: address } = usePlace();
  const e = useTexts();
  const figure = useFigures();
  const both = useLoading(
    async (signal) => {
      const read = (generation: number) =>
        client.get('/organisations/{orgId}/evaluations/{id}', {
          params: { orgId, id: evaluationId, generation },
          signal,
        });
      return Promise.all([read(from), read(to)]);
    },
    [orgId, evaluationId],
  );
  const signed = (value: number | null): string =>
    value === null ? '–' : value > 0 ? `+${figure(value)}` : figure(value);
  const rowsOf = ([one, other]: readonly [Evaluation, Evaluation]): readonly Row[] => {
    const inBoth = (id: string, name: string, of: (evaluation: Evaluation) => ComponentChildren): Row => ({
      ...{ id, name },
      cells: [of(one), of(other), ''],
    });
    return [
      inBoth('result', e.generations.result, (evaluation) => <ResultBadge {...evaluation} />),
      ...compareGenerations(one, other, e.generations.overall).map((row): Row => ({
        ...{ id: row.id, name: row.name },
        cells: [row.from ?? '–', row.to ?? '–', signed(row.difference)],
      })),
      inBoth('hints', e.generations.hints, ({ integrity }) => integrity.length),
      inBoth('by', e.generations.scoredBy, ({ scoredBy }) =>
        scoredBy ? `${scoredBy.scorer} ${scoredBy.version}` : '–',
      ),
      inBoth('at', e.generations.generatedAt, ({ generatedAt }) => <Moment at={generatedAt} withTime />),
    ];
  };
  const open = (generation: number) => (
    <a href={address(`evaluations/${evaluationId}?generation=${generation}`)}>
      {e.page.generation(generation)}
    </a>
  );
  return (
    <Loaded of={both} what={e.generations.what}>
      {(data) => (
        <Table<Row>
          caption={e.page.generations}
          rows={rowsOf(data)}
          rowKey={({ id }) => id}
          columns={[
            { key: 'figure', head: e.generations.figure, cell: ({ name }) => name },
            { key: 'from', head: open(from), cell: ({ cells: [one] }) => one },
            { key: 'to', head: open(to), cell: ({ cells: [, other] }) => other },
            {
              key: 'difference',
              head: e.generations.difference,
              figures: true,
              cell: ({ cells: [, , difference] }) => difference,
            },
          ]}
        />
      )}
    </Loaded>
  );
};
