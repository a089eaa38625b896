import { Equals, IsBoolean, IsIn, IsString, IsUUID, Matches, Max, Min, ValidateIf } from 'class-validator';
import { emailMistake, MAX_EMAIL } from '../../core/email-address.js';
import {
  AnyObject,
  type Enumeration,
  type TSchema,
  Type,
  Uuid as UuidSchema,
  Instant as InstantSchema,
} from '../../core/json-schema.js';
import { linePattern, NAME_OR_BLANK_PATTERN, NAME_PATTERN, nameFault } from '../../core/names.js';
import { SIGN_IN_TEXTS } from '../../languages/languages.js';
import {
  array,
  type Class,
  type Constraint,
  constraint,
  declareField,
  field,
  object,
  ownConstraint,
  type Rule,
  schemaOf,
  type Size,
  size,
  string,
} from './fields.js';
import { isEmailAddress, parseInstant } from './formats.js';

/**
 * Decorators for the fields of a request body. Each declares class-validator's constraints, our messages, and the
 * schema for the OpenAPI document. A field is required unless it has `@Optional()`, and `null` is refused unless it has
 * `@Nullable()`. Values are not converted. Rules are checked in order, and the first broken one is reported.
 */

/** The field may be absent. Unlike class-validator's `@IsOptional()`, `null` does not count as absent. */
export const Optional = (): PropertyDecorator => (target, key) => {
  declareField(target, String(key), { optional: true });
  ValidateIf((_, value) => value !== undefined)(target, key);
};

/** The field may be `null`. */
export const Nullable = (): PropertyDecorator => (target, key) => {
  declareField(target, String(key), { nullable: true });
  ValidateIf((_, value) => value !== null)(target, key);
};

export interface TextOptions {
  /** Longest length in code points. Required, since everything that is stored is bounded. */
  readonly maxLength: number;
  /** The text must have a character that is not white space. */
  readonly notBlank?: boolean;
  /** Halves of surrogate pairs are allowed, and are stored unchanged. */
  readonly anyString?: boolean;
  /** The text is written into mails: it must not have an e-mail or web address, or control or direction characters. */
  readonly inMails?: boolean;
  /** For the OpenAPI document, if other code checks the text further. */
  readonly described?: { readonly description: string; readonly pattern: string };
  /** What the text must match. Default: any text does. */
  readonly pattern?: RegExp;
  /** The message if the pattern does not match. Default: one that shows the pattern. */
  readonly sentence?: string;
}

const isWellFormed = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();

// Half of a surrogate pair cannot be written as UTF-8: in a URL, a header or a store it fails or becomes another text.
const wellFormed = ownConstraint({
  name: 'wellFormed',
  holds: isWellFormed,
  sentence: '{path} must not contain half of a surrogate pair.',
});

/** Description in the OpenAPI document of a name that mails contain. */
export const IN_MAILS =
  'It is shown in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction.';

const inMail = ownConstraint({
  name: 'inMails',
  // Another rule refuses blank texts.
  holds: (value) => typeof value === 'string' && (!/\S/u.test(value) || nameFault(value) === null),
  sentence: (value) => `{path} ${typeof value === 'string' ? (nameFault(value) ?? '') : ''}`,
});

/** A string. */
export const Text = (options: TextOptions): PropertyDecorator => {
  const { notBlank, anyString, inMails, maxLength, described, pattern } = options;
  const constraints = anyString ? [string] : [string, wellFormed];
  if (notBlank) {
    const sentence = '{path} must contain at least one character that is not a space.';
    constraints.push(constraint('notBlank', sentence, (validation) => Matches(/\S/, validation)));
  }
  constraints.push(atMost(maxLength));
  if (inMails) constraints.push(inMail);
  if (pattern) {
    const sentence = options.sentence ?? `{path} must match ${pattern.source}.`;
    constraints.push(constraint('pattern', sentence, (validation) => Matches(pattern, validation)));
  }
  const ofName = inMails ? (notBlank ? NAME_PATTERN : NAME_OR_BLANK_PATTERN) : null;
  const source = pattern?.source ?? ofName ?? (notBlank ? '\\S' : null);
  const schema = Type.String({
    maxLength,
    ...(source !== null && { pattern: source }),
    ...(inMails && { description: IN_MAILS }),
    ...described,
  });
  return field(constraints, { schema: () => schema });
};

/** Also excludes the full-width and the small form of `@`, which people and look-ups of addresses read as `@`. */
const WITHOUT_ADDRESS = new RegExp(linePattern(String.raw`@\uff20\ufe6b`));

/**
 * One line of text without an e-mail address.
 * @param reason for the message: why no address is allowed. Default: none
 */
export const LineWithoutAddress = (maxLength: number, reason = ''): PropertyDecorator =>
  Text({
    maxLength,
    pattern: WITHOUT_ADDRESS,
    sentence: `{path} must be one line of text without an e-mail address (no "@")${reason && `: ${reason}`}.`,
  });

// MaxLength does not count variation selectors, of which a text may have any number.
const atMost = (maxLength: number): Constraint =>
  ownConstraint({
    name: 'maxLength',
    holds: (value) => fits(value, maxLength),
    sentence: `{path} must have at most ${maxLength} characters.`,
  });

/** Whether a text has at most so many code points, as in JSON Schema. */
const fits = (value: unknown, maxLength: number): boolean =>
  typeof value === 'string' &&
  (value.length <= maxLength || (value.length <= 2 * maxLength && Array.from(value).length <= maxLength));

const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

/**
 * The same check as the pattern `BASE64`, ten times as fast on a long text. The decoder skips other characters, and
 * then returns fewer bytes than a text of that length has.
 */
const isBase64 = (value: unknown): boolean => {
  if (typeof value !== 'string' || value.length % 4 !== 0) return false;
  // The decoder would read only the lower byte of a character beyond ASCII.
  if (Buffer.byteLength(value) !== value.length) return false;
  // The decoder also accepts the URL-safe alphabet.
  if (value.includes('-') || value.includes('_')) return false;
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  return Buffer.from(value, 'base64').byteLength === (value.length / 4) * 3 - padding;
};

/**
 * Bytes in padded base64, or a buffer, if the route's parser has decoded and checked them.
 * @param maxBytes longest length of the bytes
 */
export const Base64 = (maxBytes: number): PropertyDecorator => {
  const maxLength = Math.ceil(maxBytes / 3) * 4;
  const sentence = `{path} must be base64 of at most ${maxBytes} bytes.`;
  const base64 = ownConstraint({ name: 'pattern', holds: isBase64, sentence });
  const declared = field([string, atMost(maxLength), base64], {
    schema: () => Type.String({ maxLength, pattern: BASE64 }),
  });
  return (target, key) => {
    ValidateIf((_, value) => !Buffer.isBuffer(value))(target, key);
    declared(target, key);
  };
};

// IsInt would accept numbers that the parsing of JSON has rounded.
const integer = ownConstraint({
  name: 'integer',
  holds: Number.isSafeInteger,
  sentence: `{path} must be a whole number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`,
});

/** A whole number that is exact as a JavaScript number. `min` and `max` are inclusive; by default there is no limit. */
export const Whole = (options: { readonly min?: number; readonly max?: number } = {}): PropertyDecorator => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  const constraints = [integer];
  if (options.min !== undefined) {
    const sentence = `{path} must be at least ${min}.`;
    constraints.push(constraint('min', sentence, (validation) => Min(min, validation)));
  }
  if (options.max !== undefined) {
    const sentence = `{path} must be at most ${max}.`;
    constraints.push(constraint('max', sentence, (validation) => Max(max, validation)));
  }
  return field(constraints, { schema: () => Type.Integer({ minimum: min, maximum: max }) });
};

/** `true` or `false`. */
export const Flag = (): PropertyDecorator =>
  field([constraint('boolean', '{path} must be true or false.', IsBoolean)], {
    schema: () => Type.Boolean(),
  });

/** Exactly this value, as in `{"consent": true}`. */
export const Exactly = (expected: string | number | boolean): PropertyDecorator => {
  const sentence = `{path} must be ${JSON.stringify(expected)}.`;
  return field([constraint('exactly', sentence, (validation) => Equals(expected, validation))], {
    schema: () => Type.Unsafe({ const: expected }),
  });
};

/** One of the values of an enumeration. */
export const OneOf = (enumeration: ReturnType<typeof Enumeration>): PropertyDecorator => {
  const values = enumeration.enum;
  const sentence = `{path} must be one of: ${values.join(', ')}.`;
  return field([constraint('oneOf', sentence, (validation) => IsIn(values, validation))], {
    schema: () => enumeration,
  });
};

const email = ownConstraint({
  name: 'email',
  holds: (value) => typeof value === 'string' && isEmailAddress(value),
  sentence: (value) => {
    const mistake = typeof value === 'string' ? emailMistake(value) : null;
    const named = mistake === null ? '' : ` ${SIGN_IN_TEXTS.en.wrongSign(mistake)}`;
    return `{path} must be an e-mail address.${named}`;
  },
});

/** An e-mail address by `isEmailAddress`. It is not normalised. */
export const Email = (): PropertyDecorator =>
  field([string, email], { schema: () => Type.String({ format: 'email', maxLength: MAX_EMAIL }) });

// IsRFC3339 would accept 31 February, a space for the T, and second 60, which a Date cannot represent.
const instant = ownConstraint({
  name: 'instant',
  holds: (value) => typeof value === 'string' && parseInstant(value) !== null,
  sentence: '{path} must be a time as in 2026-01-31T09:30:00.000Z.',
});

/** A point in time, RFC 3339 with an offset. It is not converted: see `parseInstant`. */
export const Instant = (): PropertyDecorator => field([string, instant], { schema: () => InstantSchema });

// Without a list of versions, IsUUID would also accept the nil and the max UUID.
const uuid = constraint('uuid', '{path} must be a UUID.', (validation) =>
  IsUUID(['7', '4', '1', '2', '3', '5', '6', '8'], validation),
);

/** A UUID. */
export const Uuid = (): PropertyDecorator => field([string, uuid], { schema: () => UuidSchema });

/** An object with any keys and values. It is not copied. */
export const FreeObject = (): PropertyDecorator => field([object], { schema: () => AnyObject });

const list = (item: TSchema, { min, max }: Size): TSchema =>
  Type.Array(item, { ...(min !== undefined && { minItems: min }), maxItems: max });

const strings = constraint('strings', '{path} must hold strings only.', (validation) =>
  IsString({ ...validation, each: true }),
);

/** A list of strings, each of at most `maxLength` characters. */
export const TextList = (options: Size & Pick<TextOptions, 'maxLength'>): PropertyDecorator => {
  const { maxLength } = options;
  const lengths = ownConstraint({
    name: 'maxLength',
    holds: (value) => Array.isArray(value) && value.every((item) => fits(item, maxLength)),
    sentence: `Each item of {path} must have at most ${maxLength} characters.`,
  });
  return field([array, ...size(options), strings, lengths], {
    schema: () => list(Type.String({ maxLength }), options),
  });
};

/** A list of whole numbers. `least` and `most` are each item's limits, inclusive; by default there is none. */
export const WholeList = (
  options: Size & { readonly least?: number; readonly most?: number },
): PropertyDecorator => {
  const { least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER } = options;
  const numbers = ownConstraint({
    name: 'range',
    holds: (value) =>
      Array.isArray(value) &&
      value.every((item) => Number.isSafeInteger(item) && item >= least && item <= most),
    sentence: `{path} must hold whole numbers from ${least} to ${most} only.`,
  });
  return field([array, ...size(options), numbers], {
    schema: () => list(Type.Integer({ minimum: least, maximum: most }), options),
  });
};

/** An object with its own class of fields. */
export const Nested = (type: () => Class): PropertyDecorator =>
  field([object], { schema: () => schemaOf(type()), nested: type });

/** A list of objects of one class. A wrong one is named by its index. */
export const ListOf = (type: () => Class, options: Size): PropertyDecorator =>
  field([array, ...size(options)], {
    schema: () => list(schemaOf(type()), options),
    nested: type,
  });

/** A field with other rules, checked in order. @param schema for the OpenAPI document */
export const Checked = (schema: TSchema, ...rules: readonly Rule[]): PropertyDecorator =>
  field(rules.map(ownConstraint), { schema: () => schema });

/** A list of at least one name, without repetition. Whether a name exists is checked elsewhere. */
export const NameList = (name: TSchema, maxItems: number): PropertyDecorator =>
  Checked(
    Type.Array(name, { minItems: 1, maxItems, uniqueItems: true }),
    { name: 'array', holds: Array.isArray, sentence: '{path} must be a list.' },
    { name: 'strings', holds: areStrings, sentence: '{path} must hold strings only.' },
  );

const areStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
