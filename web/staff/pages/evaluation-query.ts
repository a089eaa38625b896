import { evaluationStatusValues, waitingEvaluationValues } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';

type Query = Readonly<Record<string, string | undefined>>;

const ORDERS = ['completedAt', '-completedAt', 'overallScore', '-overallScore'] as const;

const oneOf = <T extends string>(values: readonly T[], asked: string | undefined): T | undefined =>
  values.find((value) => value === asked);

/** A whole number of a filter, within its limits; `undefined`: none, or not one. */
const scoreIn = (value: string | undefined): number | undefined =>
  value !== undefined && /^(?:100|\d{1,2})$/.test(value) ? Number(value) : undefined;

/**
 * What a list of evaluations is asked for, by the address. What waits has an order of its own and is narrowed by the role
 * alone; within a range of scores the order is by score.
 */
export const evaluationParams = (query: Query) => {
  const paged = given({ roleId: query['role'], cursor: query['after'] });
  const waiting = oneOf(waitingEvaluationValues, query['waiting']);
  if (waiting) return { ...paged, waiting };
  const [minScore, maxScore] = [scoreIn(query['min']), scoreIn(query['max'])];
  const isByScore = minScore !== undefined || maxScore !== undefined;
  const asked = oneOf(ORDERS, query['sort']) ?? '-completedAt';
  const byScore = asked === 'overallScore' ? asked : ('-overallScore' as const);
  return {
    ...paged,
    ...given({
      minScore,
      maxScore,
      status: oneOf(evaluationStatusValues, query['status']),
      passed: query['passed'] === 'yes' ? true : query['passed'] === 'no' ? false : undefined,
    }),
    sort: isByScore ? byScore : asked,
  };
};

const NARROWING = ['status', 'passed', 'min', 'max', 'sort'] as const;

/** The filters that a choice ends: what waits goes with the role alone. */
export const filtersAfter = (
  changes: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> => {
  const ended = changes['waiting']
    ? Object.fromEntries(NARROWING.map((name) => [name, null]))
    : NARROWING.some((name) => changes[name])
      ? { waiting: null }
      : {};
  return { ...ended, ...changes, after: null };
};

/** Whether the address narrows the list. */
export const isNarrowed = (query: Query): boolean =>
  ['role', 'status', 'passed', 'min', 'max', 'waiting'].some((name) => query[name] !== undefined);
