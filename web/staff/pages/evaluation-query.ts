import {
  type SavedViewFilter,
  evaluationStatusValues,
  waitingEvaluationValues,
} from '../../../packages/client/src/index.js';
import { type AnyFilter, given, valuesOf } from '../addresses.js';

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
  const dates = given({ from: query['from'], to: query['to'] });
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

/** What a saved view narrows the list by beside what the page has fields for. */
export const FURTHER = ['from', 'to'] as const;
/** Takes that out of an address. */
export const WITHOUT_FURTHER = { from: null, to: null, after: null };

/** The filter of the list that an address shows, as a saved view keeps it. */
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

const NARROWING = ['status', 'passed', 'min', 'max', 'sort', ...FURTHER] as const;

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
  ['role', 'status', 'passed', 'min', 'max', 'waiting', ...FURTHER].some((name) => query[name] !== undefined);
