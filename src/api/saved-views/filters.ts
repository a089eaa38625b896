import { validate as isUuid } from 'uuid';
import { MAX_EMAIL } from '../../core/email-address.js';
import { Enumeration, Named, type TSchema, Type } from '../../core/json-schema.js';
import { SAVED_LISTS, type SavedFilter, type SavedList } from '../../domain/saved-view/events.js';
import { ApiError, type ErrorDetail, validationFailed } from '../../http/api-error.js';
import { type Query, type QueryParameter, readQuery } from '../../http/list-query.js';
import { SEARCH_TEXT } from '../../http/meta.js';
import { APPLICATION_LIST, selectedApplications } from '../applications/list-parameters.js';
import { EVALUATION_LIST, selectedEvaluations } from '../evaluations/list-parameters.js';

export const SAVED_LIST = Enumeration('SavedViewList', SAVED_LISTS);

/** What a list is searched for, in a filter. */
const TEXT = 'text';

const SEARCHED = Type.String({
  maxLength: MAX_EMAIL,
  pattern: '\\S',
  description:
    'What the list is searched for: the whole e-mail address of a candidate, or a text without `@`. It is stored encrypted.',
});

/** What a saved filter may have: the parameters of its list, each a field. */
interface Filtered {
  readonly parameters: readonly QueryParameter[];
  readonly isSearched: boolean;
  /** @throws {ApiError} `validation_failed`: the list does not take these together */
  readonly read: (query: Query, text: string | null) => unknown;
}

const FILTERED: Readonly<Record<SavedList, Filtered>> = {
  applications: {
    parameters: APPLICATION_LIST,
    isSearched: true,
    read: selectedApplications,
  },
  evaluations: { parameters: EVALUATION_LIST, isSearched: false, read: selectedEvaluations },
};

/** A filter as it is sent and answered. */
export type FilterRecord = SavedFilter & { readonly text?: string };

/** The fields of all lists in one record, which is easier for clients; a field of two lists has the values of both. */
const fieldsOf = (lists: readonly Filtered[]): Readonly<Record<string, TSchema>> => {
  const fields: Record<string, TSchema> = {};
  for (const { name, schema } of lists.flatMap(({ parameters }) => parameters)) {
    const other = fields[name];
    fields[name] =
      other && Type.IsEnum(other) && Type.IsEnum(schema)
        ? Enumeration(`SavedView${name.charAt(0).toUpperCase()}${name.slice(1)}`, [
            ...new Set([...other.enum, ...schema.enum].map(String)),
          ])
        : schema;
  }
  return fields;
};

/** A list's query parameters as the fields of a JSON object. */
export const FILTER = Type.Unsafe<FilterRecord>(
  Named(
    'SavedViewFilter',
    Object.fromEntries(
      Object.entries({ ...fieldsOf(Object.values(FILTERED)), [TEXT]: SEARCHED }).map(
        ([name, schema]) => [name, Type.Optional(schema)] as const,
      ),
    ),
  ),
);

/** How many faults an answer names. */
const MAX_NAMED = 10;

/**
 * Reads a filter by what its list takes, and nothing else: no parameter can carry a text that is stored as it is.
 * @param given an object, unchecked
 * @throws {ApiError} `validation_failed`
 */
export const readFilter = (
  list: SavedList,
  given: object,
): { readonly filter: SavedFilter; readonly text: string | null } => {
  const { parameters, isSearched, read } = FILTERED[list];
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const filter: Record<string, string | number | boolean> = {};
  const details: ErrorDetail[] = [];
  let text: string | null = null;
  for (const [name, value] of Object.entries(given) as readonly (readonly [string, unknown])[]) {
    const parameter = known.get(name);
    if (name === TEXT && isSearched) {
      if (isSearchText(value)) text = value.trim();
      else
        details.push(fault(TEXT, 'text', `must have 1 to ${MAX_EMAIL} characters that are not all spaces`));
    } else if (!parameter) details.push(unknown(name.slice(0, MAX_EMAIL), [...known.keys()]));
    else {
      const one = valueOf(parameter, value);
      if (typeof one === 'object') details.push(one);
      else filter[name] = one;
    }
    if (details.length === MAX_NAMED) break;
  }
  if (details.length > 0) throw validationFailed(details);
  const query = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, `${value}`]));
  inFilter(() => read(query, text));
  return { filter, text };
};

const isSearchText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.isWellFormed() &&
  Array.from(value).length <= MAX_EMAIL;

/** The value in the form in which the list reads it, or what is wrong with it. */
const valueOf = (parameter: QueryParameter, value: unknown): string | number | boolean | ErrorDetail => {
  const { name, schema } = parameter;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    if ('format' in schema && schema.format === 'uuid')
      return typeof value === 'string' && isUuid(value) ? value : fault(name, 'uuid', 'must be a UUID');
    const read = inFilter(() => readQuery({ [name]: `${value}` }, parameter));
    if (typeof read === typeof value) return read as typeof value;
    return fault(name, 'type', `must be a ${typeof read}`);
  }
  return fault(name, 'type', 'must be a string, a number or a boolean');
};

const fault = (name: string, rule: string, must: string): ErrorDetail => {
  const path = `filter.${name}`;
  return { path, rule, message: `${path} ${must}.` };
};

const unknown = (name: string, known: readonly string[]): ErrorDetail => {
  const path = `filter.${name}`;
  return { path, rule: 'unknown', message: `Unknown field: ${path}. Known here: ${known.join(', ')}.` };
};

/** Runs `read`, and names what it finds wrong with the query as fields of the filter. */
const inFilter = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error;
    throw validationFailed(
      error.details.map(({ path, rule, message }) => {
        const [name, sentence] = [path, message].map((one) => one.replaceAll(SEARCH_TEXT, TEXT));
        return { path: `filter.${name}`, rule, message: `filter.${sentence}` };
      }),
    );
  }
};
