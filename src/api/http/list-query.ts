import { type ErrorDetail, validationFailed } from './api-error.js';

/** A page that was asked for. */
export interface ListQuery {
  readonly limit: number;
  /** As it was answered before; `null`: from the beginning. */
  readonly cursor: string | null;
}

/** A parsed query string: a repeated name gives a list. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

export const DEFAULT_LIMIT = 50;
export const LARGEST_LIMIT = 200;
/** In characters. */
export const LONGEST_CURSOR = 4096;

/** Past what is exact, a number is as good as the largest exact one: no record has either. */
const wholeNumber = (text: string): number =>
  /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : Number.NaN;

/**
 * Reads `?limit=&cursor=`.
 * @throws {ApiError} `validation_failed`
 */
export const readListQuery = (query: Query): ListQuery => {
  const details: ErrorDetail[] = [];
  const { limit: limits, cursor: cursors } = query;
  let limit = DEFAULT_LIMIT;
  if (limits !== undefined) {
    limit = typeof limits === 'string' ? wholeNumber(limits) : Number.NaN;
    if (!(limit >= 1 && limit <= LARGEST_LIMIT)) {
      details.push({
        path: 'limit',
        rule: 'integer',
        message: `limit must be a whole number from 1 to ${LARGEST_LIMIT}.`,
      });
    }
  }
  let cursor: string | null = null;
  if (cursors !== undefined) {
    if (typeof cursors === 'string' && cursors !== '' && cursors.length <= LONGEST_CURSOR) cursor = cursors;
    else details.push(badCursor);
  }
  if (details.length > 0) throw validationFailed(details);
  return { limit, cursor };
};

/** So many unknown parameters are named, each by so many characters. */
const MOST_NAMED = 10;
const LONGEST_NAME = 100;

/**
 * Lets a request have the query parameters of these names and no others.
 * @throws {ApiError} `validation_failed`, naming each unknown one
 */
export const refuseOtherThan = (query: Query, names: readonly string[]): void => {
  const known = names.length === 0 ? 'None is known here.' : `Known here: ${names.join(', ')}.`;
  const details = Object.keys(query)
    .filter((name) => !names.includes(name))
    .slice(0, MOST_NAMED)
    .map((name) => name.slice(0, LONGEST_NAME))
    .map((path) => ({ path, rule: 'unknown', message: `Unknown query parameter: ${path}. ${known}` }));
  if (details.length > 0) throw validationFailed(details);
};

/** The error for a cursor that no list gave out. */
export const badCursor: ErrorDetail = {
  path: 'cursor',
  rule: 'cursor',
  message: 'cursor must be the nextCursor of a former page of the same list.',
};

/**
 * One query parameter, `null` where it is absent.
 * @throws {ApiError} `validation_failed` where it is given more than once or is not one of `values`
 */
export const readQueryText: {
  <T extends string>(query: Query, name: string, values: readonly T[]): T | null;
  (query: Query, name: string): string | null;
} = <T extends string>(query: Query, name: string, values?: readonly T[]): T | null => {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value !== 'string') {
    throw validationFailed([{ path: name, rule: 'once', message: `${name} may be given once only.` }]);
  }
  const known = values ? values.find((one) => one === value) : (value as T);
  if (values && known === undefined) {
    const message = `${name} must be one of: ${values.join(', ')}.`;
    throw validationFailed([{ path: name, rule: 'oneOf', message }]);
  }
  return known ?? null;
};

/**
 * One query parameter that is `true` or `false`, `null` where it is absent.
 * @throws {ApiError} `validation_failed`
 */
export const readQueryFlag = (query: Query, name: string): boolean | null => {
  const text = readQueryText(query, name, ['true', 'false']);
  return text === null ? null : text === 'true';
};

/** What a list is ordered by, and in which direction. */
export interface Sort<By extends string> {
  readonly by: By;
  readonly reverse: boolean;
}

/** The values that `?sort=` may have: each order, and with `-` its reverse. */
export const sortValues = (orders: readonly string[]): string[] => orders.flatMap((by) => [by, `-${by}`]);

/**
 * Reads `?sort=`; the first order where it is absent.
 * @throws {ApiError} `validation_failed`
 */
export const readSort = <By extends string>(query: Query, orders: readonly [By, ...By[]]): Sort<By> => {
  const given = readQueryText(query, 'sort', sortValues(orders)) ?? orders[0];
  const by = orders.find((one) => given === one || given === `-${one}`) ?? orders[0];
  return { by, reverse: given !== by };
};

/**
 * A text that a list is searched for, trimmed; `null` where it is absent.
 * @throws {ApiError} `validation_failed`: it is blank, or longer than `maxLength` characters
 */
export const readSearch = (query: Query, name: string, maxLength: number): string | null => {
  const text = readQueryText(query, name);
  if (text === null) return null;
  const searched = text.trim();
  if (searched !== '' && Array.from(text).length <= maxLength) return searched;
  const message = `${name} must have 1 to ${maxLength} characters that are not all spaces.`;
  throw validationFailed([{ path: name, rule: 'search', message }]);
};

/**
 * One query parameter that is a whole number of at least `min`, `null` where it is absent.
 * @throws {ApiError} `validation_failed`
 */
export const readQueryInteger = (query: Query, name: string, min = 0): number | null => {
  const text = readQueryText(query, name);
  if (text === null) return null;
  const value = wholeNumber(text);
  if (value >= min) return value;
  const message = `${name} must be a whole number of at least ${min}.`;
  throw validationFailed([{ path: name, rule: 'integer', message }]);
};
