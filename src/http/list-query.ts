import type { ListQuery } from '../application/reads.js';
import { Enumeration, type Static, type TSchema, Type } from '../core/json-schema.js';
import { parseTimestamp } from '../core/timestamp.js';
import { type ErrorDetail, validationFailed } from './api-error.js';

/** A parsed query string. A name that is repeated has a list. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A query parameter, for `readQuery` and for the OpenAPI document. */
export interface QueryParameter<Schema extends TSchema = TSchema> {
  readonly name: string;
  readonly description: string;
  /**
   * An enumeration, a whole number, a boolean, a UUID, a time, a text with `maxLength` that is not blank, or a list of
   * these, for which the name is repeated.
   */
  readonly schema: Schema;
  /** Default: optional. */
  readonly required?: boolean;
  /** A valid value, for the OpenAPI document. A required parameter has one; others have none. */
  readonly example?: string | number;
}

/** Declares an optional query parameter. */
export const queryParameter = <Schema extends TSchema>(
  name: string,
  schema: Schema,
  description: string,
): QueryParameter<Schema> => ({ name, description, schema });

/** The parameter that names one of a record's numbered versions. A number without a version is not found. */
export const numberParameter = (name: string, description: string) =>
  queryParameter(name, Type.Integer({ minimum: 0 }), description);

const DEFAULT_LIMIT = 50;

const LIMIT = queryParameter(
  'limit',
  Type.Integer({ minimum: 1, maximum: 200, default: DEFAULT_LIMIT }),
  'How many items at most. A page of large items may hold fewer.',
);
const CURSOR = queryParameter(
  'cursor',
  Type.String({ maxLength: 4096, pattern: '\\S' }),
  'The `nextCursor` of the page before, which was asked for with the same other parameters.',
);

/** The parameters of every list. */
export const LIST_PARAMETERS: readonly QueryParameter[] = [LIMIT, CURSOR];

/**
 * `NaN`: not a whole number. A number that is too large to be exact becomes the largest exact one, which no record has.
 */
const wholeNumber = (text: string): number =>
  /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : Number.NaN;

/** A schema's limits. */
interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly maxLength?: number;
}

type Rule = readonly [name: string, must: string];

const oneOf = (values: readonly unknown[]): Rule => ['oneOf', `must be one of: ${values.join(', ')}`];

/** The value of a text, or the rule that it breaks. */
const valueOf = (schema: TSchema, text: string): { readonly value: unknown } | Rule => {
  if (Type.IsEnum(schema)) return schema.enum.includes(text) ? { value: text } : oneOf(schema.enum);
  if (Type.IsBoolean(schema))
    return ['true', 'false'].includes(text) ? { value: text === 'true' } : oneOf([true, false]);
  const { minimum = 0, maximum, format, maxLength = 0 }: Bounds = schema;
  if (Type.IsInteger(schema)) {
    const value = wholeNumber(text);
    if (value >= minimum && value <= (maximum ?? value)) return { value };
    const bounds = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    return ['integer', `must be a whole number ${bounds}`];
  }
  if (!Type.IsString(schema)) throw new TypeError('No query parameter is read by such a schema.');
  // As in a path, a text that is not an id is an unknown id: nothing is found.
  if (format === 'uuid') return { value: text };
  if (format === 'date-time') {
    const value = timeIn(text);
    return value === null
      ? ['timestamp', 'must be an RFC 3339 time, such as 2026-03-01T09:30:00.000Z']
      : { value };
  }
  if (text.trim() !== '' && Array.from(text).length <= maxLength) return { value: text };
  return ['text', `must have 1 to ${maxLength} characters that are not all spaces`];
};

/**
 * Reads an RFC 3339 time from a query, in the form in which this service writes times; `null`: it is not one. A `+`
 * that is not escaped in a query arrives as a blank: before an offset such a blank counts as `+`.
 */
export const timeIn = (text: string): string | null => parseTimestamp(text.replace(/ (?=\d{2}:\d{2}$)/, '+'));

const readOne = (
  query: Query,
  { name, schema }: Pick<QueryParameter, 'name' | 'schema'>,
): { readonly value: unknown } | ErrorDetail => {
  if (Type.IsArray(schema)) return readAll(query, name, schema);
  const text = queryText(query, name);
  if (text === null) return { value: null };
  if (typeof text !== 'string') return text;
  const read = valueOf(schema, text);
  if ('value' in read) return read;
  const [rule, must] = read;
  return { path: name, rule, message: `${name} ${must}.` };
};

const readAll = (
  query: Query,
  name: string,
  { items, maxItems = 0 }: { readonly items: TSchema; readonly maxItems?: number },
): { readonly value: unknown } | ErrorDetail => {
  const texts = [query[name] ?? []].flat();
  if (texts.length > maxItems)
    return { path: name, rule: 'maxItems', message: `${name} may be given ${maxItems} times at most.` };
  const value: unknown[] = [];
  for (const text of texts) {
    const read = valueOf(items, text);
    if (!('value' in read)) return { path: name, rule: read[0], message: `${name} ${read[1]}.` };
    value.push(read.value);
  }
  return { value };
};

/** The text of a query parameter; `null`: it is absent. An `ErrorDetail`: it is given more than once. */
export const queryText = (query: Query, name: string): string | null | ErrorDetail => {
  const text = query[name] ?? null;
  if (text === null || typeof text === 'string') return text;
  return { path: name, rule: 'once', message: `${name} may be given once only.` };
};

/**
 * Reads a query parameter. An absent one is `null`; an absent list is empty.
 * @throws {ApiError} `validation_failed`: it is given too often, or breaks its schema
 */
export const readQuery = <Schema extends TSchema>(
  query: Query,
  parameter: Pick<QueryParameter<Schema>, 'name' | 'schema'>,
): Static<Schema> | null => {
  const read = readOne(query, parameter);
  if ('value' in read) return read.value as Static<Schema> | null;
  throw validationFailed([read]);
};

/**
 * Reads a required query parameter.
 * @throws {ApiError} `validation_failed`: it is absent, or `readQuery` throws
 */
export const requireQuery = <Schema extends TSchema>(
  query: Query,
  parameter: Pick<QueryParameter<Schema>, 'name' | 'schema'>,
): Static<Schema> => {
  const { name: path } = parameter;
  const value = readQuery(query, parameter);
  if (value === null) throw validationFailed([{ path, rule: 'required', message: `${path} is required.` }]);
  return value;
};

/**
 * Reads `?limit=&cursor=`.
 * @throws {ApiError} `validation_failed`
 */
export const readListQuery = (query: Query): ListQuery => {
  const details = LIST_PARAMETERS.flatMap((parameter) => {
    const read = readOne(query, parameter);
    return 'value' in read ? [] : [parameter === CURSOR ? badCursor : read];
  });
  if (details.length > 0) throw validationFailed(details);
  return { limit: readQuery(query, LIMIT) ?? DEFAULT_LIMIT, cursor: readQuery(query, CURSOR) };
};

/** How many unknown parameters an answer names. */
const MAX_NAMED = 10;
/** How much of each name an answer repeats, in UTF-16 units. */
const MAX_NAME = 100;

/**
 * Refuses query parameters with other names.
 * @throws {ApiError} `validation_failed`, with each unknown name
 */
export const refuseOtherThan = (query: Query, names: readonly string[]): void => {
  const known = names.length === 0 ? 'None is known here.' : `Known here: ${names.join(', ')}.`;
  const details = Object.keys(query)
    .filter((name) => !names.includes(name))
    .slice(0, MAX_NAMED)
    .map((name) => name.slice(0, MAX_NAME))
    .map((path) => ({ path, rule: 'unknown', message: `Unknown query parameter: ${path}. ${known}` }));
  if (details.length > 0) throw validationFailed(details);
};

/**
 * Refuses query parameters that cannot be combined with a given one.
 * @param name the given parameter's
 * @throws {ApiError} `validation_failed`, with each of the others that is given too
 */
export const refuseBeside = (query: Query, name: string, others: readonly string[]): void => {
  const details = others
    .filter((path) => query[path] !== undefined)
    .map((path) => ({ path, rule: 'together', message: `${path} cannot be given together with ${name}.` }));
  if (details.length > 0) throw validationFailed(details);
};

/** The error for a cursor that no list has returned. */
export const badCursor: ErrorDetail = {
  path: 'cursor',
  rule: 'cursor',
  message: 'cursor must be the nextCursor of a former page of the same list.',
};

/** The order of a list. */
export interface Sort<By extends string> {
  readonly by: By;
  readonly reverse: boolean;
}

/** The values of `?sort=`: each order, and its reverse with `-`. */
const sortValues = (orders: readonly string[]): string[] => orders.flatMap((by) => [by, `-${by}`]);

/** Declares `?sort=`. @param $id the name of its enumeration in the OpenAPI document */
export const sortParameter = ($id: string, orders: readonly string[], description: string): QueryParameter =>
  queryParameter('sort', Enumeration($id, sortValues(orders)), description);

/**
 * Reads `?sort=`. Default: the first order.
 * @throws {ApiError} `validation_failed`
 */
export const readSort = <By extends string>(query: Query, orders: readonly [By, ...By[]]): Sort<By> => {
  const given = readQuery(query, { name: 'sort', schema: Type.Enum(sortValues(orders)) }) ?? orders[0];
  const by = orders.find((one) => given === one || given === `-${one}`) ?? orders[0];
  return { by, reverse: given !== by };
};
