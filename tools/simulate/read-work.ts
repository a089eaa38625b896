import type { Evaluation, Explanation, TestTally } from '../../packages/client/src/index.js';
import type { ReadResult, ReadScore, ReadWork } from './compare-work.js';
import { Unexpected } from './service.js';

/** What the contract leaves open: the payload of the events about handed in work. */
interface WorkPayload {
  readonly handInId: string;
  readonly scope: string;
  readonly reason: string | null;
  readonly visible: TestTally;
  readonly hidden: TestTally;
}

/** What an evaluation and its explanation say about handed in work. */
export const readWork = (evaluation: Evaluation, { overall, dimensions }: Explanation): ReadWork => {
  const by = (source: string, type: string): readonly WorkPayload[] =>
    evaluation.evidence.events
      .filter((event) => event.eventType === type && event.source === source)
      .map(({ payload }) => payload as unknown as WorkPayload);
  const scores = evaluation.scores.map(({ dimensionId, dimensionCategory, score, passed }): ReadScore => {
    const dimension = dimensions.find((one) => one.dimensionId === dimensionId);
    if (dimension === undefined) throw new Unexpected('An explanation lacks a dimension of its evaluation.');
    return { category: dimensionCategory, score, exact: dimension.exact, passed };
  });
  const terms = dimensions.flatMap((dimension) => dimension.terms);
  const shareOf = (signal: string): number =>
    fractionOf(terms.find((term) => term.signal === signal)?.value ?? 0);
  return {
    handedIn: by('service', 'work.handed_in').map(({ handInId }) => handInId),
    results: by('checker', 'work.checked').map(
      ({ handInId, scope, reason, visible, hidden }): ReadResult => ({
        ...{ handInId, scope, reason },
        ...{ visible: testsOf(visible), hidden: testsOf(hidden) },
      }),
    ),
    scores,
    overallScore: evaluation.overallScore,
    overallExact: overall.exact,
    passed: evaluation.passed,
    interview: {
      questionsAnswered: shareOf('questions_answered'),
      answersWithSubstance: shareOf('answers_with_substance'),
    },
  };
};

/** More questions or answers than an interview has. */
const MAX_COUNTED = 500;
/** The exact share, such as 2/3, from one with 6 decimal places. */
const fractionOf = (value: number): number => {
  for (let all = 1; all <= MAX_COUNTED; all += 1) {
    const share = Math.round(value * all) / all;
    if (Math.abs(share - value) < 1e-6) return share;
  }
  return value;
};

const testsOf = ({ passed, failed, errors }: TestTally): ReadResult['visible'] => ({
  passed,
  failed: failed + errors,
});
