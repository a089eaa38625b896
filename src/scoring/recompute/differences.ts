import { isDeepStrictEqual } from 'node:util';
import type {
  DimensionScore,
  EvaluationGenerated,
  IntegrityFinding,
} from '../../domain/evaluation/events.js';

/** One figure of a stored result that comes to something else when it is computed again. Nothing personal in it. */
export type Difference =
  /** A dimension's unrounded score. */
  | { readonly figure: 'score'; readonly dimensionId: string; readonly from: number; readonly to: number }
  /** The terms behind a dimension's score alone: other weights or evidence that come to the same. */
  | { readonly figure: 'terms'; readonly dimensionId: string }
  /** The unrounded overall score. */
  | { readonly figure: 'overall'; readonly from: number | null; readonly to: number | null }
  | {
      readonly figure: 'passed';
      /** `null`: of the whole evaluation. */
      readonly dimensionId: string | null;
      readonly from: boolean | null;
      readonly to: boolean | null;
    }
  /** How many findings of a kind there are; as many as before where they are others by their figures or version. */
  | { readonly figure: 'findings'; readonly kind: string; readonly from: number; readonly to: number }
  /** Scored again there would be no result. */
  | { readonly figure: 'failure' };

export type Figure = Difference['figure'];

/** Every figure, as reports list them. */
export const FIGURES = [
  'score',
  'terms',
  'overall',
  'passed',
  'findings',
  'failure',
] as const satisfies readonly Figure[];

type Result = Pick<
  EvaluationGenerated['data'],
  'scores' | 'overallScore' | 'overallExact' | 'overallThreshold' | 'passed' | 'integrity'
>;

/**
 * What differs between a stored result and the one that was computed again, in the order of its dimensions and then of
 * the kinds of findings. None: all that stands in plain of the two is the same.
 */
export const differencesOf = (stored: Result, again: Result): readonly Difference[] => {
  const [from, to] = [asStored(stored), asStored(again)];
  return [
    ...scoreDifferences(from.scores, to.scores),
    ...(from.overallExact === to.overallExact && from.overallScore === to.overallScore
      ? []
      : [{ figure: 'overall', from: from.overallExact, to: to.overallExact } as const]),
    ...(from.passed === to.passed
      ? []
      : [{ figure: 'passed', dimensionId: null, from: from.passed, to: to.passed } as const]),
    ...findingDifferences(from.integrity, to.integrity),
  ];
};

/** What was computed has not been through JSON yet, which leaves out what is undefined. */
const asStored = (result: Result): Result => JSON.parse(JSON.stringify(result)) as Result;

const scoreDifferences = (
  from: readonly DimensionScore[],
  to: readonly DimensionScore[],
): readonly Difference[] => {
  const again = new Map(to.map((score) => [score.dimensionId, score]));
  return from.flatMap((before): readonly Difference[] => {
    const { dimensionId } = before;
    const after = again.get(dimensionId);
    // Both are of the definition that the session was opened with.
    if (after === undefined) throw new Error(`The dimension ${dimensionId} was not scored again.`);
    const scored = before.exact === after.exact && before.score === after.score;
    const passed = before.passed === after.passed;
    return [
      ...(scored ? [] : [{ figure: 'score', dimensionId, from: before.exact, to: after.exact } as const]),
      ...(passed ? [] : [{ figure: 'passed', dimensionId, from: before.passed, to: after.passed } as const]),
      ...(scored && passed && !isDeepStrictEqual(before, after)
        ? [{ figure: 'terms', dimensionId } as const]
        : []),
    ];
  });
};

const findingDifferences = (
  from: readonly IntegrityFinding[],
  to: readonly IntegrityFinding[],
): readonly Difference[] => {
  const kinds = [...new Set([...from, ...to].map(({ kind }) => kind))].sort();
  return kinds.flatMap((kind): readonly Difference[] => {
    const [before, after] = [from, to].map((findings) => findings.filter((one) => one.kind === kind));
    if (isDeepStrictEqual(before, after)) return [];
    return [{ figure: 'findings', kind, from: before?.length ?? 0, to: after?.length ?? 0 }];
  });
};
