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
import { SEARCH_TEXT } from '../../http/meta.js';
import {
  type ApplicationFilter,
  applicationOrders,
  type ChosenApplications,
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
  'The order, with `-` the reverse; `invitedAt` by default. With `candidateId`, an address in `Search-Text`, `from` or `to` it is always that, with a role’s name in `Search-Text` always `roleName`.',
);

/** What a list of applications can be narrowed and ordered by, beside the text that it is searched for. */
export const APPLICATION_LIST: readonly QueryParameter[] = [
  APPLICATIONS_OF_ROLE,
  OF_CANDIDATE,
  STATUS,
  OUTCOME,
  WAITING,
  ...RANGE,
  SORT,
];

/** How many ids a list may be filtered by: some proxies refuse URLs of more than about 8,000 characters. */
const MAX_CHOSEN = 100;

/** Chooses applications in place of the parameters of `APPLICATION_LIST`. */
export const CHOSEN_APPLICATIONS = queryParameter(
  'applicationId',
  Type.Array(Uuid, { maxItems: MAX_CHOSEN }),
  'Only the applications of these ids, in this order. An id that the organisation has no application of is left out. Nothing else narrows or orders the list beside it.',
);

/**
 * Reads `CHOSEN_APPLICATIONS`.
 * @param text what is searched for, from the header; `null`: nothing
 * @returns `null`: none are chosen
 * @throws {ApiError} `validation_failed`
 */
export const chosenApplications = (query: Query, text: string | null): ChosenApplications | null => {
  const ids = readQuery(query, CHOSEN_APPLICATIONS) ?? [];
  if (ids.length === 0) return null;
  const given = text === null ? query : { ...query, [SEARCH_TEXT]: text };
  refuseBeside(given, CHOSEN_APPLICATIONS.name, [...APPLICATION_LIST.map(({ name }) => name), SEARCH_TEXT]);
  return { ids: [...new Set(ids)] };
};

/**
 * Reads the parameters of `APPLICATION_LIST`.
 * @param text what is searched for, `null`: nothing. It is personal: it comes in a header, and is in no query.
 * @throws {ApiError} `validation_failed`
 */
export const selectedApplications = (query: Query, text: string | null): SelectedApplications => {
  const given = text === null ? query : { ...query, [SEARCH_TEXT]: text };
  const roleId = readQuery(query, APPLICATIONS_OF_ROLE);
  const waiting = readQuery(query, WAITING);
  if (waiting !== null) {
    const others = ['candidateId', 'status', 'outcome', 'from', 'to', 'sort', SEARCH_TEXT];
    refuseBeside(given, 'waiting', others);
    return { waiting, roleId };
  }
  const filter: ApplicationFilter = {
    roleId,
    candidateId: readQuery(query, OF_CANDIDATE),
    status: readQuery(query, STATUS),
    outcome: readQuery(query, OUTCOME),
    invited: readRange(query),
    text,
  };
  if (filter.candidateId !== null) refuseBeside(given, 'candidateId', [SEARCH_TEXT]);
  const sort = readSort(query, applicationOrders(filter));
  if (sort.by === 'roleName' && text !== null)
    refuseBeside(query, `the beginning of a role’s name in ${SEARCH_TEXT}`, ['from', 'to']);
  return { waiting, filter, sort };
};
