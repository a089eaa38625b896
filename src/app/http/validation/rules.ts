import { listOf, type JsonSchema } from '../openapi/schema.js';
import { isEmailAddress } from './email.js';
import { parseInstant } from './instant.js';
import { isPlainObject } from './plain-object.js';
import { type Class, declareField, declareStrict, type Field, type Rule, schemaOf } from './shape.js';

/**
 * Decorators for the fields of a request body. Each field is required unless `@Optional()`, and `null` is refused
 * unless `@Nullable()`. Nothing is converted. Rules are tried in order and the first that is broken is named. In sentences `{path}` stands for the field's full path.
 */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const field =
  (rules: readonly Rule[], declared: Partial<Field>): PropertyDecorator =>
  (target, key) =>
    declareField(target, String(key), { ...declared, rules });

const isText = (value: unknown): value is string => typeof value === 'string';

const string: Rule = { name: 'string', holds: isText, sentence: '{path} must be a string.' };

const object: Rule = { name: 'object', holds: isPlainObject, sentence: '{path} must be an object.' };

const array: Rule = { name: 'array', holds: Array.isArray, sentence: '{path} must be a list.' };

const length = (options: { readonly min?: number; readonly max?: number }): Rule[] => {
  const rules: Rule[] = [];
  const { min, max } = options;
  const items = (count: number) => (count === 1 ? '1 item' : `${count} items`);
  if (min !== undefined) {
    rules.push({
      name: 'minItems',
      holds: (value) => Array.isArray(value) && value.length >= min,
      sentence: `{path} must have at least ${items(min)}.`,
    });
  }
  if (max !== undefined) {
    rules.push({
      name: 'maxItems',
      holds: (value) => Array.isArray(value) && value.length <= max,
      sentence: `{path} must have at most ${items(max)}.`,
    });
  }
  return rules;
};

/** The field may be absent. `null` is not absent. */
export const Optional = (): PropertyDecorator => (target, key) =>
  declareField(target, String(key), { optional: true });

/** The field may be `null`. */
export const Nullable = (): PropertyDecorator => (target, key) =>
  declareField(target, String(key), { nullable: true });

/** Fields that the class does not declare are refused by name; without it they are ignored. */
export const Strict = (): ClassDecorator => (type) => declareStrict(type.prototype as object);

export interface TextOptions {
  /** At least one character that is not white space. */
  readonly notBlank?: boolean;
  /** Longest length, in UTF-16 code units. */
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  /** What to say where the pattern does not match. */
  readonly sentence?: string;
}

/** A string. */
export const Text = (options: TextOptions = {}): PropertyDecorator => {
  const { notBlank, maxLength, pattern } = options;
  const rules = [string];
  if (notBlank) {
    rules.push({
      name: 'notBlank',
      holds: (value) => isText(value) && value.trim() !== '',
      sentence: '{path} must contain at least one character that is not a space.',
    });
  }
  if (maxLength !== undefined) {
    rules.push({
      name: 'maxLength',
      holds: (value) => isText(value) && value.length <= maxLength,
      sentence: `{path} must have at most ${maxLength} characters.`,
    });
  }
  if (pattern) {
    rules.push({
      name: 'pattern',
      holds: (value) => isText(value) && pattern.test(value),
      sentence: options.sentence ?? `{path} must match ${pattern.source}.`,
    });
  }
  const schema: JsonSchema = {
    type: 'string',
    ...(maxLength !== undefined && { maxLength }),
    ...((pattern ?? notBlank) && { pattern: pattern?.source ?? '\\S' }),
  };
  return field(rules, { schema: () => schema });
};

/** A whole number that JSON carries exactly. */
export const Whole = (options: { readonly min?: number; readonly max?: number } = {}): PropertyDecorator => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  const rules: Rule[] = [
    {
      name: 'integer',
      holds: Number.isSafeInteger,
      sentence: `{path} must be a whole number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`,
    },
  ];
  if (options.min !== undefined) {
    rules.push({
      name: 'min',
      holds: (value) => Number(value) >= min,
      sentence: `{path} must be at least ${min}.`,
    });
  }
  if (options.max !== undefined) {
    rules.push({
      name: 'max',
      holds: (value) => Number(value) <= max,
      sentence: `{path} must be at most ${max}.`,
    });
  }
  return field(rules, { schema: () => ({ type: 'integer', minimum: min, maximum: max }) });
};

/** `true` or `false`. */
export const Flag = (): PropertyDecorator =>
  field(
    [
      {
        name: 'boolean',
        holds: (value) => typeof value === 'boolean',
        sentence: '{path} must be true or false.',
      },
    ],
    { schema: () => ({ type: 'boolean' }) },
  );

/** Exactly this value, as in `{"consent": true}`. */
export const Exactly = (expected: string | number | boolean): PropertyDecorator =>
  field(
    [
      {
        name: 'exactly',
        holds: (value) => value === expected,
        sentence: `{path} must be ${JSON.stringify(expected)}.`,
      },
    ],
    { schema: () => ({ const: expected }) },
  );

/** One of these strings. */
export const OneOf = (...values: readonly string[]): PropertyDecorator =>
  field(
    [
      {
        name: 'oneOf',
        holds: (value) => isText(value) && values.includes(value),
        sentence: `{path} must be one of: ${values.join(', ')}.`,
      },
    ],
    { schema: () => ({ enum: values }) },
  );

/** An e-mail address; white space around it does no harm. It arrives as it was written. */
export const Email = (): PropertyDecorator =>
  field(
    [
      string,
      {
        name: 'email',
        holds: (value) => isText(value) && isEmailAddress(value),
        sentence: '{path} must be an e-mail address.',
      },
    ],
    { schema: () => ({ type: 'string', format: 'email' }) },
  );

/** A point in time, RFC 3339 with an offset. It arrives as it was written: see `parseInstant`. */
export const Instant = (): PropertyDecorator =>
  field(
    [
      string,
      {
        name: 'instant',
        holds: (value) => isText(value) && parseInstant(value) !== null,
        sentence: '{path} must be a time as in 2026-01-31T09:30:00.000Z.',
      },
    ],
    { schema: () => ({ type: 'string', format: 'date-time' }) },
  );

/** A UUID. */
export const Uuid = (): PropertyDecorator =>
  field(
    [
      string,
      {
        name: 'uuid',
        holds: (value) => isText(value) && UUID.test(value),
        sentence: '{path} must be a UUID.',
      },
    ],
    { schema: () => ({ type: 'string', format: 'uuid' }) },
  );

/** An object with any keys and values; it is handed on by reference, untouched. */
export const FreeObject = (): PropertyDecorator => field([object], { schema: () => ({ type: 'object' }) });

/** A list of strings. */
export const TextList = (
  options: { readonly min?: number; readonly max?: number } = {},
): PropertyDecorator => {
  const items: Rule = {
    name: 'strings',
    holds: (value) => Array.isArray(value) && value.every(isText),
    sentence: '{path} must hold strings only.',
  };
  const { min, max } = options;
  return field([array, items, ...length(options)], {
    schema: () => ({
      ...listOf({ type: 'string' }),
      ...(min !== undefined && { minItems: min }),
      ...(max !== undefined && { maxItems: max }),
    }),
  });
};

/** An object of a class of its own. */
export const Nested = (type: () => Class): PropertyDecorator =>
  field([object], { schema: () => schemaOf(type()), nested: type });

/** A list of objects of one class; each is checked and named by its place. */
export const ListOf = (
  type: () => Class,
  options: { readonly min?: number; readonly max?: number } = {},
): PropertyDecorator => {
  const { min, max } = options;
  const schema = () => ({
    ...listOf(schemaOf(type())),
    ...(min !== undefined && { minItems: min }),
    ...(max !== undefined && { maxItems: max }),
  });
  return field([array, ...length(options)], { schema, nested: type, list: true });
};

/** Any rules of one's own, in order; `schema` is what the OpenAPI document says. */
export const Checked = (schema: JsonSchema, ...rules: readonly Rule[]): PropertyDecorator =>
  field(rules, { schema: () => schema });
