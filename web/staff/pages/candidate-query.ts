import {
  type SavedViewFilter,
  applicationStatusValues,
  outcomeStatusValues,
  waitingApplicationValues,
} from '../../../packages/client/src/index.js';
import { type AnyFilter, given, oneOf, type Query, valuesOf } from '../addresses.js';

export const CANDIDATE_ORDERS = ['invitedAt', '-invitedAt', 'roleName', '-roleName'] as const;

/** Whether a search is for the beginning of a role's name: then no date narrows the list. Any other is for an address. */
const isRoleText = (text: string): boolean => text !== '' && !text.includes('@');

/**
 * What a list of candidates is asked for, by the address. What waits has an order of its own and is narrowed by the role
 * alone, and so has what is searched for.
 * @param query with moments for its days
 * @param text what is searched for; it is in no query
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

/** The address's query for a saved view's filter, but for what it searches for. */
export const queryOf = (filter: AnyFilter): Readonly<Record<string, string>> => valuesOf(filter, NAMES);

/** What a saved view's filter searches for; '': nothing. */
export const searchedBy = ({ text = '' }: AnyFilter): string => `${text}`;

const NAMES = {
  ...{ roleId: 'role', candidateId: 'candidate', status: 'status', outcome: 'outcome', waiting: 'waiting' },
  ...{ from: 'from', to: 'to', sort: 'sort' },
};

/** The filters that a choice ends: what waits goes with the role alone, and only what is completed has an outcome. */
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

/** What is still searched for after a choice. @param text what was */
export const textAfter = (changes: Readonly<Record<string, string>>, text: string): string =>
  changes['waiting'] || (hasDates(changes) && isRoleText(text)) ? '' : text;

/** The filters that a search ends. @param text what is searched for; '': nothing */
export const filtersAfterSearch = (text: string): Readonly<Record<string, null>> => ({
  after: null,
  ...(text.trim() !== '' && { waiting: null, candidate: null }),
  ...(isRoleText(text.trim()) && { from: null, to: null }),
});

/**
 * Whether the lists of each status and outcome would have as many as the service counts for the role: it counts by nothing
 * else. What waits is counted as it is listed, since that is narrowed by the role alone.
 */
export const isCounted = ({ from, to, candidateId, text }: SavedViewFilter): boolean =>
  [from, to, candidateId, text].every((one) => one === undefined);

/** The searched text, in the fragment of the address: personal text must not be in a query. */
export const searchedIn = (fragment: string): string => new URLSearchParams(fragment.slice(1)).get('q') ?? '';

/** The fragment of what is searched for; '': nothing is. */
export const fragmentOf = (text: string): string =>
  text.trim() === '' ? '' : `#${new URLSearchParams({ q: text.trim() })}`;
