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
 * Decorators for the fields of a request body: class-validator's constraints, our sentences, and the schema of the
 * OpenAPI document in one declaration. Each field is required unless `@Optional()`, and `null` is refused unless
 * `@Nullable()`. Nothing is converted. Rules are tried in order and the first that is broken is named.
 */

/** The field may be absent. `null` is not absent, as it would be to class-validator's own `@IsOptional()`. */
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
  /** Longest length in characters, counted as code points. Every text has one: all that is stored is bounded. */
  readonly maxLength: number;
  /** At least one character that is not white space. */
  readonly notBlank?: boolean;
  /** Halves of surrogate pairs are taken too, and come back as they are: for what takes any string. */
  readonly anyString?: boolean;
  /** It goes into mails: neither an address, of a page or a mailbox, nor signs that change how it reads. */
  readonly inMails?: boolean;
  /** For the OpenAPI document, if other code checks more of the text than the rules here. */
  readonly described?: { readonly description: string; readonly pattern: string };
  readonly pattern?: RegExp;
  /** The message if the pattern does not match. */
  readonly sentence?: string;
}

const isWellFormed = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();

// In an address, a header or a store's UTF-8 half a pair is an error or another text.
const wellFormed = ownConstraint({
  name: 'wellFormed',
  holds: isWellFormed,
  sentence: '{path} must not contain half of a surrogate pair.',
});

/** What the OpenAPI document says of a name that mails contain. */
export const IN_MAILS =
  'It stands in mails: it must not hold an e-mail address, the address of a page, control characters or marks of direction.';

const inMail = ownConstraint({
  name: 'inMails',
  // A blank one is another rule's matter.
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

/** The wide and the small form of the sign are the same to people, and to what looks an address up. */
const WITHOUT_ADDRESS = new RegExp(linePattern(String.raw`@\uff20\ufe6b`));

/** One line of text without an e-mail address. @param reason why none may be in it, for the sentence. Default: none */
export const LineWithoutAddress = (maxLength: number, reason = ''): PropertyDecorator =>
  Text({
    maxLength,
    pattern: WITHOUT_ADDRESS,
    sentence: `{path} must be one line of text without an e-mail address (no "@")${reason && `: ${reason}`}.`,
  });

// MaxLength would not count variation selectors, of which a text may hold any number.
const atMost = (maxLength: number): Constraint =>
  ownConstraint({
    name: 'maxLength',
    holds: (value) => fits(value, maxLength),
    sentence: `{path} must have at most ${maxLength} characters.`,
  });

/** Whether a text has at most so many characters, as JSON Schema counts: a surrogate pair is one. */
const fits = (value: unknown, maxLength: number): boolean =>
  typeof value === 'string' &&
  (value.length <= maxLength || (value.length <= 2 * maxLength && Array.from(value).length <= maxLength));

const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

/**
 * Means what `BASE64` means, which takes ten times as long on a long text. The decoder skips characters of no
 * alphabet, and then returns fewer bytes than a text of that length has.
 */
const isBase64 = (value: unknown): boolean => {
  if (typeof value !== 'string' || value.length % 4 !== 0) return false;
  // Of a character beyond ASCII it reads the lower byte alone.
  if (Buffer.byteLength(value) !== value.length) return false;
  // It also decodes the alphabet for URLs.
  if (value.includes('-') || value.includes('_')) return false;
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  return Buffer.from(value, 'base64').byteLength === (value.length / 4) * 3 - padding;
};

/**
 * Bytes in base64, padded; or as a buffer, if the route's parser has decoded and so checked them.
 * @param maxBytes of what it holds
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

// IsInt would take numbers that JSON has already rounded.
const integer = ownConstraint({
  name: 'integer',
  holds: Number.isSafeInteger,
  sentence: `{path} must be a whole number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`,
});

/** A whole number that JSON carries exactly. */
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

/** An e-mail address, as `isEmailAddress` tells it. It arrives as it was written. */
export const Email = (): PropertyDecorator =>
  field([string, email], { schema: () => Type.String({ format: 'email', maxLength: MAX_EMAIL }) });

// IsRFC3339 would take 31 February, a space for the T, and second 60, which no Date holds.
const instant = ownConstraint({
  name: 'instant',
  holds: (value) => typeof value === 'string' && parseInstant(value) !== null,
  sentence: '{path} must be a time as in 2026-01-31T09:30:00.000Z.',
});

/** A point in time, RFC 3339 with an offset. It arrives as it was written: see `parseInstant`. */
export const Instant = (): PropertyDecorator => field([string, instant], { schema: () => InstantSchema });

// Without its versions IsUUID would take the nil and the max UUID too, which name nothing.
const uuid = constraint('uuid', '{path} must be a UUID.', (validation) =>
  IsUUID(['7', '4', '1', '2', '3', '5', '6', '8'], validation),
);

/** A UUID. */
export const Uuid = (): PropertyDecorator => field([string, uuid], { schema: () => UuidSchema });

/** An object with any keys and values; it is handed on by reference, untouched. */
export const FreeObject = (): PropertyDecorator => field([object], { schema: () => AnyObject });

/** Every list that is sent has a largest size: all that is stored is bounded. */
type BoundedSize = Size & { readonly max: number };

const list = (item: TSchema, { min, max }: Size): TSchema =>
  Type.Array(item, {
    ...(min !== undefined && { minItems: min }),
    ...(max !== undefined && { maxItems: max }),
  });

const strings = constraint('strings', '{path} must hold strings only.', (validation) =>
  IsString({ ...validation, each: true }),
);

/** A list of strings, each of at most `maxLength` characters. */
export const TextList = (options: BoundedSize & Pick<TextOptions, 'maxLength'>): PropertyDecorator => {
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

/** A list of whole numbers. */
export const WholeList = (
  options: BoundedSize & { readonly least?: number; readonly most?: number },
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

/** An object of a class of its own. */
export const Nested = (type: () => Class): PropertyDecorator =>
  field([object], { schema: () => schemaOf(type()), nested: type });

/** A list of objects of one class; each is checked and named by its place. */
export const ListOf = (type: () => Class, options: BoundedSize): PropertyDecorator =>
  field([array, ...size(options)], {
    schema: () => list(schemaOf(type()), options),
    nested: type,
  });

/** Any rules of one's own, in order; `schema` goes into the OpenAPI document. */
export const Checked = (schema: TSchema, ...rules: readonly Rule[]): PropertyDecorator =>
  field(rules.map(ownConstraint), { schema: () => schema });

/** A list of names, each once, of which one at least is given. Which names are known is checked where they are. */
export const NameList = (name: TSchema, maxItems: number): PropertyDecorator =>
  Checked(
    Type.Array(name, { minItems: 1, maxItems, uniqueItems: true }),
    { name: 'array', holds: Array.isArray, sentence: '{path} must be a list.' },
    { name: 'strings', holds: areStrings, sentence: '{path} must hold strings only.' },
  );

const areStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
