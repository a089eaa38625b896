/** A field of a message: its check, and its description for authors of clients. */
export interface Field<T> {
  /** In words, for a sentence "<field> must be …". */
  readonly must: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly optional: boolean;
  readonly holds: (value: unknown) => value is T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

type Required<F extends Fields> = {
  [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>;
};
type Optional<F extends Fields> = {
  [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]>;
};
type ValueOf<F> = F extends Field<infer T> ? T : never;

/** The object type that a set of fields describes. */
export type ObjectOf<F extends Fields> = {
  readonly [K in keyof (Required<F> & Optional<F>)]: (Required<F> & Optional<F>)[K];
};

const field = <T>(
  must: string,
  schema: Readonly<Record<string, unknown>>,
  holds: (value: unknown) => boolean,
): Field<T> => ({ must, schema, optional: false, holds: (value): value is T => holds(value) });

/** Characters are counted as code points. */
export const text = (longest: number): Field<string> =>
  field(
    `a string of 1 to ${longest} characters`,
    { type: 'string', minLength: 1, maxLength: longest },
    (value) =>
      typeof value === 'string' &&
      value !== '' &&
      (value.length <= longest || (value.length <= 2 * longest && Array.from(value).length <= longest)),
  );

/** An id that the server makes. */
export const uuid: Field<string> = field(
  'a UUID',
  { type: 'string', format: 'uuid' },
  (value) =>
    typeof value === 'string' && /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value),
);

/** A text, possibly empty, bounded by its UTF-8 bytes. @param longestAsJson bounds its JSON form in a frame */
export const bytes = (longest: number, longestAsJson = Infinity): Field<string> => {
  const most = `at most ${longest} bytes in UTF-8${longestAsJson < Infinity ? `, and ${longestAsJson} as JSON` : ''}`;
  return field(
    `a string of ${most}`,
    { type: 'string', maxLength: longest, description: `A${most.slice(1)}.` },
    (value) =>
      typeof value === 'string' &&
      utf8(value) <= longest &&
      (longestAsJson === Infinity || utf8(JSON.stringify(value)) <= longestAsJson),
  );
};

/** The same field, with at least one visible character: more than white space and characters without width. */
export const visible = (one: Field<string>): Field<string> => ({
  ...one,
  must: `${one.must}, with something in it that can be seen`,
  schema: { ...one.schema, minLength: 1, pattern: '\\S' },
  holds: (value): value is string => one.holds(value) && /[^\s\p{Cc}\p{Cf}\p{DI}]/u.test(value),
});

const utf8 = (value: string): number => new TextEncoder().encode(value).length;

/** A whole number within these bounds, both included. */
export const whole = (least: number, most: number): Field<number> =>
  field(
    `a whole number from ${least} to ${most}`,
    { type: 'integer', minimum: least, maximum: most },
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  );

/** True or false. */
export const flag: Field<boolean> = field(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
);

/** One of some texts. @param name in the AsyncAPI document */
export const oneOf = <const T extends string>(name: string, ...values: readonly T[]): Field<T> =>
  field(`one of ${values.join(', ')}`, { $id: name, type: 'string', enum: values }, (value) =>
    values.some((one) => one === value),
  );

/** This text and no other. */
export const exactly = <const T extends string>(only: T): Field<T> =>
  field(only, { type: 'string', const: only }, (value) => value === only);

/** A text of at most `longest` characters. @param known the texts of this version; others can be added */
export const code = (longest: number, name: string, known: readonly string[]): Field<string> => ({
  ...text(longest),
  schema: { $id: name, type: 'string', enum: known },
});

/** A list; its items are checked elsewhere. */
export const list = (most: number): Field<readonly unknown[]> =>
  field(
    `a list of at most ${most} items`,
    { type: 'array', maxItems: most, items: { type: 'object' } },
    (value) => Array.isArray(value) && value.length <= most,
  );

/** A point in time. */
export const instant: Field<string> = field(
  'a time',
  { type: 'string', format: 'date-time' },
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
);

/** An object with these fields. @param name in the AsyncAPI document */
export const object = <F extends Fields>(name: string, fields: F): Field<ObjectOf<F>> =>
  field('an object', { $id: name, ...objectSchema(fields) }, (value) => problemWith(fields, value) === null);

/** The same field, which may be left out. */
export const optional = <T>(one: Field<T>): Field<T | undefined> => ({
  ...one,
  optional: true,
  holds: (value): value is T | undefined => value === undefined || one.holds(value),
});

/** The JSON Schema of an object with these fields; others are allowed. */
export const objectSchema = (fields: Fields): Record<string, unknown> => ({
  type: 'object',
  required: Object.entries(fields)
    .filter(([, { optional: left }]) => !left)
    .map(([name]) => name),
  properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
});

/** What is wrong with an object's fields, as a sentence; `null`: nothing. */
export const problemWith = (fields: Fields, value: unknown): string | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'A message must be a JSON object.';
  for (const [name, { holds, must, optional: left }] of Object.entries(fields)) {
    const given: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    if (given === undefined && !left) return `${name} is missing: it must be ${must}.`;
    if (!holds(given)) return `${name} must be ${must}.`;
  }
  return null;
};
