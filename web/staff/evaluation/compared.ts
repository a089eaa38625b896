import type { Evaluation, EvaluationSummary, OverallTerm } from '../../../packages/client/src/index.js';

/** A part of the overall score, on a scale from 0 to 100. */
export interface Segment {
  readonly dimensionId: string;
  /** From 1, as the picture and its table name it. */
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** The overall score as its parts, one after the other. */
export const segmentsOf = (terms: readonly OverallTerm[]): readonly Segment[] => {
  let from = 0;
  return terms.map(({ dimensionId, contribution }, index) => {
    const segment = { dimensionId, number: index + 1, from, to: from + contribution };
    from = segment.to;
    return segment;
  });
};

/** How much of the overall score a dimension can give at most, in points. */
export const shareOf = ({ weight }: Pick<OverallTerm, 'weight'>, all: readonly OverallTerm[]): number => {
  const sum = all.reduce((total, one) => total + one.weight, 0);
  return sum === 0 ? 0 : (100 * weight) / sum;
};

/** A figure of two generations. `null` in `from` or `to`: that generation does not have it. */
export interface ComparedFigure {
  readonly id: string;
  readonly name: string;
  readonly from: number | null;
  readonly to: number | null;
  /** `null` if either is missing. */
  readonly difference: number | null;
}

const compared = (id: string, name: string, from: number | null, to: number | null): ComparedFigure => ({
  ...{ id, name, from, to },
  difference: from === null || to === null ? null : to - from,
});

type Figures = Pick<Evaluation, 'overallScore' | 'scores'>;

/** The scores of two generations, dimension by dimension, after the overall one. @param overall what that is called */
export const compareGenerations = (
  from: Figures,
  to: Figures,
  overall: string,
): readonly ComparedFigure[] => {
  const dimensions = [
    ...from.scores,
    ...to.scores.filter(({ dimensionId }) => !from.scores.some((one) => one.dimensionId === dimensionId)),
  ];
  const scoreIn = ({ scores }: Figures, id: string): number | null =>
    scores.find(({ dimensionId }) => dimensionId === id)?.score ?? null;
  return [
    compared('overall', overall, from.overallScore, to.overallScore),
    ...dimensions.map(({ dimensionId, dimensionName }) =>
      compared(dimensionId, dimensionName, scoreIn(from, dimensionId), scoreIn(to, dimensionId)),
    ),
  ];
};

type Compared = Pick<EvaluationSummary, 'id' | 'scores'>;
type Summarised = NonNullable<EvaluationSummary['scores']>[number];

/** A row of a comparison: a dimension, and the score of each evaluation in it. */
export interface ComparedDimension {
  readonly dimensionId: string;
  readonly name: string;
  readonly category: string;
  /** By evaluation, in their order; `null`: its version of the role lacks the dimension. */
  readonly cells: readonly (Summarised | null)[];
}

/** Evaluations of a role by dimension. A dimension has its name of the first evaluation. */
export const compareDimensions = (evaluations: readonly Compared[]): readonly ComparedDimension[] => {
  const known = new Map<string, Summarised>();
  for (const { scores = [] } of evaluations)
    for (const score of scores) if (!known.has(score.dimensionId)) known.set(score.dimensionId, score);
  return [...known.values()].map(({ dimensionId, dimensionName, dimensionCategory }) => ({
    dimensionId,
    name: dimensionName,
    category: dimensionCategory,
    cells: evaluations.map(
      ({ scores = [] }) => scores.find((score) => score.dimensionId === dimensionId) ?? null,
    ),
  }));
};
