import {
  type SavedViewFilter,
  evaluationStatusValues,
  waitingEvaluationValues,
} from '../../../packages/client/src/index.js';
import { type AnyFilter, given, oneOf, type Query, valuesOf } from '../addresses.js';

const ORDERS = ['completedAt', '-completedAt', 'overallScore', '-overallScore'] as const;

/** A whole number of a filter, within its limits; `undefined`: none, or not one. */
const scoreIn = (value: string | undefined): number | undefined =>
  value !== undefined && /^(?:100|\d{1,2})$/.test(value) ? Number(value) : undefined;

/**
 * The parameters of a list of evaluations, by the page's address. A list of what waits has an order of its own and can be
 * narrowed only by the role. A list within a range of scores is in order of score, and cannot be narrowed by date.
 * @param query with moments for its days
 */
export const evaluationParams = (query: Query) => {
  const paged = given({ roleId: query['role'], cursor: query['after'] });
  const waiting = oneOf(waitingEvaluationValues, query['waiting']);
  if (waiting) return { ...paged, waiting };
  const [minScore, maxScore] = [scoreIn(query['min']), scoreIn(query['max'])];
  const isByScore = minScore !== undefined || maxScore !== undefined;
  const dates = isByScore ? {} : given({ from: query['from'], to: query['to'] });
  const orders = Object.keys(dates).length > 0 ? ORDERS.slice(0, 2) : ORDERS;
  const asked = oneOf(orders, query['sort']) ?? '-completedAt';
  const byScore = asked === 'overallScore' ? asked : ('-overallScore' as const);
  return {
    ...paged,
    ...dates,
    ...given({
      minScore,
      maxScore,
      status: oneOf(evaluationStatusValues, query['status']),
      passed: query['passed'] === 'yes' ? true : query['passed'] === 'no' ? false : undefined,
    }),
    sort: isByScore ? byScore : asked,
  };
};

/** The filter of the list that an address shows, as a saved view keeps it. @param query as of `evaluationParams` */
export const filterOf = (query: Query): SavedViewFilter => evaluationParams({ ...query, after: undefined });

/** The address's query for a saved view's filter. */
export const queryOf = (filter: AnyFilter): Readonly<Record<string, string>> => ({
  ...valuesOf(filter, NAMES),
  ...(typeof filter['passed'] === 'boolean' && { passed: filter['passed'] ? 'yes' : 'no' }),
});

const NAMES = {
  ...{ roleId: 'role', status: 'status', minScore: 'min', maxScore: 'max', waiting: 'waiting' },
  ...{ from: 'from', to: 'to', sort: 'sort' },
};

const SCORES = ['min', 'max'] as const;
const DATES = ['from', 'to'] as const;
const NARROWING = ['status', 'passed', ...SCORES, ...DATES, 'sort'] as const;

/** The filters that a choice removes: what waits is narrowed only by the role, and a range of scores excludes dates. */
export const filtersAfter = (
  changes: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> => {
  const isAnyOf = (names: readonly string[]): boolean => names.some((name) => changes[name]);
  const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
  return {
    ...(isAnyOf(['waiting']) && without(NARROWING)),
    ...(isAnyOf(NARROWING) && without(['waiting'])),
    ...(isAnyOf(SCORES) && without(DATES)),
    ...(isAnyOf(DATES) && without(SCORES)),
    ...changes,
    after: null,
  };
};

/**
 * Whether the service's counts are those of the lists that differ by one choice: it counts by role and by that choice only,
 * so no other filter may be set.
 */
export const isCounted = (filter: SavedViewFilter, by: 'status' | 'passed'): boolean =>
  (['status', 'passed', 'minScore', 'maxScore', 'from', 'to'] as const).every(
    (field) => field === by || filter[field] === undefined,
  );
