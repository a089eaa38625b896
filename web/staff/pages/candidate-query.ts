import {
  type SavedViewFilter,
  applicationStatusValues,
  outcomeStatusValues,
  waitingApplicationValues,
} from '../../../packages/client/src/index.js';
import { type AnyFilter, given, oneOf, type Query, valuesOf } from '../addresses.js';

export const CANDIDATE_ORDERS = ['invitedAt', '-invitedAt', 'roleName', '-roleName'] as const;

/** Whether a search is for the beginning of a role's name, with which no dates can be combined; else it is for an address. */
const isRoleText = (text: string): boolean => text !== '' && !text.includes('@');

/**
 * The parameters of a list of candidates, by the page's address. A list of what waits, and a search, have an order of their
 * own and can be narrowed only by the role.
 * @param query with moments for its days
 * @param text the searched text, which is never in the query
 */
const askedFor = (query: Query, text: string) => {
  const paged = given({ roleId: query['role'], cursor: query['after'] });
  const waiting = oneOf(waitingApplicationValues, query['waiting']);
  if (waiting) return { params: { ...paged, waiting } };
  const further = given({
    ...(!isRoleText(text) && { from: query['from'], to: query['to'] }),
    ...(text === '' && { candidateId: query['candidate'] }),
  });
  const isFurther = Object.keys(further).length > 0;
  const narrowed = {
    ...paged,
    ...further,
    ...given({
      status: oneOf(applicationStatusValues, query['status']),
      outcome: oneOf(outcomeStatusValues, query['outcome']),
    }),
  };
  if (text !== '') return { params: narrowed, text };
  const sort = oneOf(isFurther ? CANDIDATE_ORDERS.slice(0, 2) : CANDIDATE_ORDERS, query['sort']);
  return { params: { ...narrowed, sort: sort ?? ('-invitedAt' as const) } };
};

/** The call of the list that an address shows. @param query as of `askedFor` @param text as of `askedFor` */
export const candidateCall = (orgId: string, query: Query, text: string) => {
  const { params, text: searchText } = askedFor(query, text);
  return { params: { orgId, ...params }, ...given({ searchText }) };
};

/** The filter of the list that an address shows, as a saved view keeps it. @param query, text as of `askedFor` */
export const filterOf = (query: Query, text: string): SavedViewFilter => {
  const { params, text: searched } = askedFor({ ...query, after: undefined }, text);
  return { ...params, ...given({ text: searched }) };
};

/** The address's query for a saved view's filter, without the searched text. */
export const queryOf = (filter: AnyFilter): Readonly<Record<string, string>> => valuesOf(filter, NAMES);

/** The searched text of a saved view's filter; '': none. */
export const searchedBy = ({ text = '' }: AnyFilter): string => `${text}`;

const NAMES = {
  ...{ roleId: 'role', candidateId: 'candidate', status: 'status', outcome: 'outcome', waiting: 'waiting' },
  ...{ from: 'from', to: 'to', sort: 'sort' },
};

/** The filters that a choice removes: what waits is narrowed only by the role, and only completed applications by outcome. */
export const filtersAfter = (
  changes: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> => {
  const ended = changes['waiting']
    ? { status: null, outcome: null, sort: null, from: null, to: null, candidate: null }
    : changes['outcome']
      ? { status: null, waiting: null }
      : changes['status']
        ? { outcome: null, waiting: null }
        : hasDates(changes)
          ? { waiting: null }
          : {};
  return { ...ended, ...changes, after: null };
};

const hasDates = (changes: Readonly<Record<string, string>>): boolean =>
  Boolean(changes['from'] || changes['to']);

/** The searched text after a choice. @param text before it */
export const textAfter = (changes: Readonly<Record<string, string>>, text: string): string =>
  changes['waiting'] || (hasDates(changes) && isRoleText(text)) ? '' : text;

/** The filters that a search removes. @param text the searched text; '': none */
export const filtersAfterSearch = (text: string): Readonly<Record<string, null>> => ({
  after: null,
  ...(text.trim() !== '' && { waiting: null, candidate: null }),
  ...(isRoleText(text.trim()) && { from: null, to: null }),
});

/**
 * Whether the service's counts are those of the lists by status and outcome: it counts by role, status and outcome only, so
 * no other filter may be set. What waits has the same counts as its lists, which are narrowed only by the role.
 */
export const isCounted = ({ from, to, candidateId, text }: SavedViewFilter): boolean =>
  [from, to, candidateId, text].every((one) => one === undefined);

/** The searched text, in the fragment of the address: personal text must not be in a query. */
export const searchedIn = (fragment: string): string => new URLSearchParams(fragment.slice(1)).get('q') ?? '';

/** The fragment for the searched text; '': none. */
export const fragmentOf = (text: string): string =>
  text.trim() === '' ? '' : `#${new URLSearchParams({ q: text.trim() })}`;
