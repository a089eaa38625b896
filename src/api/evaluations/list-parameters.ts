import { Enumeration, Type, Uuid } from '../../core/json-schema.js';
import {
  type Query,
  queryParameter,
  type QueryParameter,
  readQuery,
  readSort,
  refuseBeside,
  sortParameter,
} from '../../http/list-query.js';
import { rangeParameters, readRange } from '../../http/list-range.js';
import { EVALUATION_STATUS } from './record.js';
import {
  type EvaluationFilter,
  evaluationOrders,
  OVERDUE_MINUTES,
  WAITING_EVALUATIONS,
  type SelectedEvaluations,
} from './summaries.js';

export const EVALUATIONS_OF_ROLE = queryParameter('roleId', Uuid, 'Only those of this role.');
const STATUS = queryParameter('status', EVALUATION_STATUS, 'Only those of this status.');
const PASSED = queryParameter(
  'passed',
  Type.Boolean(),
  'Only those with a result that passed, or that did not.',
);
const WAITING = queryParameter(
  'waiting',
  Enumeration('WaitingEvaluation', WAITING_EVALUATIONS),
  `Only those that wait for staff, the first to be done at the top: \`failed\`: there is no result, and another generation may have one. \`contested\`: the candidate contests something and has no answer. \`overdue\`: it has been generated for more than ${OVERDUE_MINUTES} minutes. Beside it \`roleId\` alone narrows the list.`,
);
const RANGE = rangeParameters('whose trial session was completed');
const SCORE = Type.Integer({ minimum: 0, maximum: 100 });
const LEAST = queryParameter('minScore', SCORE, 'Only those of this overall score or more.');
const GREATEST = queryParameter('maxScore', SCORE, 'Only those of this overall score or less.');
// Without a filter, all orders are allowed.
const SORT = sortParameter(
  'EvaluationOrder',
  evaluationOrders({ completed: { from: null, to: null }, score: { least: null, greatest: null } }),
  'The order, with `-` the reverse; by default `completedAt`, when the trial session was completed. By `overallScore`, those without one come below all others. With `from` or `to` it is always `completedAt`, with `minScore` or `maxScore` always `overallScore`.',
);

/** What a list of evaluations can be narrowed and ordered by. */
export const EVALUATION_LIST: readonly QueryParameter[] = [
  EVALUATIONS_OF_ROLE,
  STATUS,
  PASSED,
  LEAST,
  GREATEST,
  WAITING,
  ...RANGE,
  SORT,
];

/**
 * Reads the parameters of `EVALUATION_LIST`.
 * @throws {ApiError} `validation_failed`
 */
export const selectedEvaluations = (query: Query): SelectedEvaluations => {
  const roleId = readQuery(query, EVALUATIONS_OF_ROLE);
  const waiting = readQuery(query, WAITING);
  if (waiting !== null) {
    refuseBeside(query, 'waiting', ['status', 'passed', 'minScore', 'maxScore', 'from', 'to', 'sort']);
    return { waiting, roleId };
  }
  const filter: EvaluationFilter = {
    roleId,
    status: readQuery(query, STATUS),
    passed: readQuery(query, PASSED),
    completed: readRange(query),
    score: { least: readQuery(query, LEAST), greatest: readQuery(query, GREATEST) },
  };
  const sort = readSort(query, evaluationOrders(filter));
  // A list is narrowed by scores or by times. With times, `readSort` allows this order only if there are scores too.
  if (sort.by === 'overallScore') refuseBeside(query, 'minScore or maxScore', ['from', 'to']);
  return { waiting, filter, sort };
};
