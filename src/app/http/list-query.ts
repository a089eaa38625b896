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
const LONGEST_CURSOR = 4096;

const wholeNumber = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

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

/** What to say of a cursor that no list gave out. */
export const badCursor: ErrorDetail = {
  path: 'cursor',
  rule: 'cursor',
  message: 'cursor must be the nextCursor of a former page of the same list.',
};

/**
 * One query parameter, `null` where it is absent.
 * @throws {ApiError} `validation_failed` where it is given more than once or is not one of `values`
 */
export const readQueryText = (query: Query, name: string, values?: readonly string[]): string | null => {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value !== 'string') {
    throw validationFailed([{ path: name, rule: 'once', message: `${name} may be given once only.` }]);
  }
  if (values && !values.includes(value)) {
    const message = `${name} must be one of: ${values.join(', ')}.`;
    throw validationFailed([{ path: name, rule: 'oneOf', message }]);
  }
  return value;
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
