import {
  applicationStatusValues,
  outcomeStatusValues,
  waitingApplicationValues,
} from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';

export const CANDIDATE_ORDERS = ['invitedAt', '-invitedAt', 'roleName', '-roleName'] as const;

type Query = Readonly<Record<string, string | undefined>>;

const oneOf = <T extends string>(values: readonly T[], asked: string | undefined): T | undefined =>
  values.find((value) => value === asked);

/**
 * What a list of candidates is asked for, by the address. What waits has an order of its own and is narrowed by the role
 * alone, and so has what is searched for.
 * @param text what is searched for; it is in no query
 */
export const candidateParams = (query: Query, text: string) => {
  const paged = given({ roleId: query['role'], cursor: query['after'] });
  const waiting = oneOf(waitingApplicationValues, query['waiting']);
  if (waiting) return { ...paged, waiting };
  const narrowed = {
    ...paged,
    ...given({
      status: oneOf(applicationStatusValues, query['status']),
      outcome: oneOf(outcomeStatusValues, query['outcome']),
    }),
  };
  return text === ''
    ? { ...narrowed, sort: oneOf(CANDIDATE_ORDERS, query['sort']) ?? ('-invitedAt' as const) }
    : { ...narrowed, q: text };
};

/** The filters that a choice ends: what waits goes with the role alone, and only what is completed has an outcome. */
export const filtersAfter = (
  changes: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> => {
  const ended = changes['waiting']
    ? { status: null, outcome: null, sort: null }
    : changes['outcome']
      ? { status: null, waiting: null }
      : changes['status']
        ? { outcome: null, waiting: null }
        : {};
  return { ...ended, ...changes, after: null };
};

/** What is searched for, of an address's fragment: personal text stands in no query. */
export const searchedIn = (fragment: string): string => new URLSearchParams(fragment.slice(1)).get('q') ?? '';

/** The fragment of what is searched for; '': nothing is. */
export const fragmentOf = (text: string): string =>
  text.trim() === '' ? '' : `#${new URLSearchParams({ q: text.trim() })}`;
