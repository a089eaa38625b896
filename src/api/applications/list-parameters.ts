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
import { MAX_EMAIL } from '../../http/validation/formats.js';
import {
  type ApplicationFilter,
  applicationOrders,
  EXPIRING_DAYS,
  WAITING_APPLICATIONS,
  type SelectedApplications,
} from './lists.js';
import { APPLICATION_STATUS, OUTCOME_STATUS } from './record.js';

export const APPLICATIONS_OF_ROLE = queryParameter('roleId', Uuid, 'Only those for this role.');
const OF_CANDIDATE = queryParameter(
  'candidateId',
  Uuid,
  'Only those of this candidate: all applications of one person in the organisation.',
);
const STATUS = queryParameter('status', APPLICATION_STATUS, 'Only those of this status.');
const SEARCH = queryParameter(
  'q',
  Type.String({ maxLength: MAX_EMAIL, pattern: '\\S' }),
  'Only those of the candidate with this whole e-mail address; a text that is no address finds those whose role’s name begins with it. Case does not matter. Addresses are stored encrypted, so no part of one can be searched for.',
);
const OUTCOME = queryParameter(
  'outcome',
  OUTCOME_STATUS,
  'Only completed ones whose outcome is known so far. An erased application is of no outcome here.',
);
const WAITING = queryParameter(
  'waiting',
  Enumeration('WaitingApplication', WAITING_APPLICATIONS),
  `Only those that wait for staff, the first to be done at the top: \`outcome\`: completed, and no outcome is recorded. \`expiring\`: open, with at most ${EXPIRING_DAYS} days left. \`accommodation\`: open, and an accommodation was asked for that nothing was granted for since. \`erasure\`: the candidate asked to be erased. Beside it \`roleId\` alone narrows the list.`,
);
const RANGE = rangeParameters('invited');
const SORT = sortParameter(
  'ApplicationOrder',
  applicationOrders({ candidateId: null, text: null, invited: { from: null, to: null } }),
  'The order, with `-` the reverse; `invitedAt` by default. With `candidateId`, an address in `q`, `from` or `to` it is always that, with a role’s name in `q` always `roleName`.',
);

/** What a list of applications can be narrowed and ordered by. */
export const APPLICATION_LIST: readonly QueryParameter[] = [
  APPLICATIONS_OF_ROLE,
  OF_CANDIDATE,
  STATUS,
  OUTCOME,
  WAITING,
  ...RANGE,
  SEARCH,
  SORT,
];

/**
 * Reads the parameters of `APPLICATION_LIST`.
 * @throws {ApiError} `validation_failed`
 */
export const selectedApplications = (query: Query): SelectedApplications => {
  const roleId = readQuery(query, APPLICATIONS_OF_ROLE);
  const waiting = readQuery(query, WAITING);
  if (waiting !== null) {
    refuseBeside(query, 'waiting', ['candidateId', 'status', 'outcome', 'from', 'to', 'q', 'sort']);
    return { waiting, roleId };
  }
  const filter: ApplicationFilter = {
    roleId,
    candidateId: readQuery(query, OF_CANDIDATE),
    status: readQuery(query, STATUS),
    outcome: readQuery(query, OUTCOME),
    invited: readRange(query),
    text: readQuery(query, SEARCH)?.trim() ?? null,
  };
  if (filter.candidateId !== null) refuseBeside(query, 'candidateId', ['q']);
  const sort = readSort(query, applicationOrders(filter));
  if (sort.by === 'roleName' && filter.text !== null)
    refuseBeside(query, 'the beginning of a role’s name in q', ['from', 'to']);
  return { waiting, filter, sort };
};
