import type { Evaluation, ExplainedOverall, OverallTerm } from '../../../packages/client/src/index.js';
import { Table } from '../parts/table.js';
import { segmentsOf, shareOf } from './compared.js';
import { useFigures, useTexts } from './texts.js';

/** The picture's height and its bar's. A unit across is a point of the overall score. */
const HEIGHT = 34;
const BAR = 18;
/** Parts of fewer points have no number: the table names them in the same order. */
const MIN_NUMBERED = 4;

/** The overall score as a bar of its parts, with the same figures in a table. */
export const Contributions = ({
  evaluation,
  overall,
}: {
  readonly evaluation: Evaluation;
  readonly overall: ExplainedOverall;
}) => {
  const e = useTexts();
  const figure = useFigures();
  const { overallThreshold, scores } = evaluation;
  const scoreOf = ({ dimensionId }: OverallTerm) => scores.find((one) => one.dimensionId === dimensionId);
  const segments = segmentsOf(overall.terms);
  return (
    <section>
      <h2>{e.scores.composition}</h2>
      <figure class="picture">
        <svg
          viewBox={`0 0 100 ${HEIGHT}`}
          role="img"
          aria-label={e.scores.composition}
          preserveAspectRatio="none"
        >
          <rect class="track" x={0} y={8} width={100} height={BAR} />
          {segments.map(({ dimensionId, number, from, to }) => (
            <rect
              key={dimensionId}
              class={number % 2 === 1 ? 'part' : 'part other'}
              x={from}
              y={8}
              width={Math.max(0, to - from - 0.3)}
              height={BAR}
            />
          ))}
          <line class="threshold" x1={overallThreshold} x2={overallThreshold} y1={3} y2={BAR + 13} />
        </svg>
        <svg class="numbers" aria-hidden="true" width="100%" height={16}>
          {segments
            .filter(({ from, to }) => to - from >= MIN_NUMBERED)
            .map(({ dimensionId, number, from, to }) => (
              <text key={dimensionId} x={`${(from + to) / 2}%`} y={12} text-anchor="middle">
                {number}
              </text>
            ))}
        </svg>
        <figcaption class="soft small">{e.scores.picture}</figcaption>
      </figure>
      <Table<OverallTerm>
        caption={e.scores.composition}
        rows={overall.terms}
        rowKey={({ dimensionId }) => dimensionId}
        columns={[
          {
            key: 'dimension',
            head: e.scores.dimension,
            cell: (term) => (
              <a href={`#d-${term.dimensionId}`}>
                {overall.terms.indexOf(term) + 1}. {scoreOf(term)?.dimensionName}
              </a>
            ),
          },
          {
            key: 'score',
            head: e.scores.score,
            figures: true,
            cell: ({ score }) => score,
          },
          {
            key: 'threshold',
            head: e.scores.threshold,
            figures: true,
            wideOnly: true,
            cell: (term) => scoreOf(term)?.threshold ?? '–',
          },
          {
            key: 'weight',
            head: e.scores.weight,
            figures: true,
            wideOnly: true,
            cell: (term) => `${figure(shareOf(term, overall.terms))}\u00a0%`,
          },
          {
            key: 'contribution',
            head: e.scores.contribution,
            figures: true,
            cell: (term) => e.scores.of(figure(term.contribution), figure(shareOf(term, overall.terms))),
          },
        ]}
      />
    </section>
  );
};
