/*
 * Records are declared once, with TypeBox: the declaration is a JSON Schema (draft 2020-12, as OpenAPI 3.1 uses it), and
 * the record's type follows from it. A schema with an `$id` is a named one of the OpenAPI document; every object and
 * every enumeration has one, since clients' generators make a type of each.
 */
import * as typebox from 'typebox';
import type { Static as StaticOf, TProperties, TSchema, TSchemaOptions } from 'typebox';

export type { TSchema };

/** The parts of TypeBox that schemas are made of, one by one: the bundled programs contain no others. */
export const Type = {
  Array: typebox.Array,
  Boolean: typebox.Boolean,
  Enum: typebox.Enum,
  Integer: typebox.Integer,
  IsArray: typebox.IsArray,
  IsBoolean: typebox.IsBoolean,
  IsEnum: typebox.IsEnum,
  IsInteger: typebox.IsInteger,
  IsObject: typebox.IsObject,
  IsOptional: typebox.IsOptional,
  IsString: typebox.IsString,
  Literal: typebox.Literal,
  Null: typebox.Null,
  Number: typebox.Number,
  Object: typebox.Object,
  Optional: typebox.Optional,
  String: typebox.String,
  Union: typebox.Union,
  Unknown: typebox.Unknown,
  Unsafe: typebox.Unsafe,
};

/** The type that a schema declares, `readonly` throughout. */
export type Static<S extends TSchema> = Immutable<StaticOf<S>>;

type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

export const Uuid = Type.String({ format: 'uuid' });
/** A point in time, RFC 3339. */
export const Instant = Type.String({ format: 'date-time' });

/** How many there are of something. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** A version, a generation, a place in an order: counted from 1. */
export const Ordinal = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A record, as a named schema of the OpenAPI document. */
export const Named = <Properties extends TProperties>(
  $id: string,
  properties: Properties,
  options: TSchemaOptions = {},
) => Object.assign(Type.Object(properties, options), { $id });

/** One of some texts. @param $id its name in the OpenAPI document */
export const Enumeration = <const Value extends string>(
  $id: string,
  values: readonly Value[],
  options: TSchemaOptions = {},
) => Type.Enum([...values], { ...options, $id, type: 'string' });

/** Any keys and values. */
export const AnyObject = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
});

/** Figures and texts by any names. */
export const Figures = Type.Unsafe<Readonly<Record<string, number | string>>>({
  type: 'object',
  additionalProperties: { type: ['number', 'string'] },
});

/** The same, or `null`, in the shortest form: many clients' generators make a type of its own of each `anyOf`. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Unsafe<StaticOf<S> | null>(orNull(schema));

const orNull = (schema: TSchema): TSchema =>
  'type' in schema && !('$id' in schema)
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** A page of a list of records. */
export const pageOf = <Item extends TSchema & { readonly $id: string }>(item: Item) =>
  Named(`${item.$id}Page`, {
    items: Type.Array(item),
    nextCursor: Nullable(Type.String({ description: 'The `cursor` of the next page; `null` on the last.' })),
  });

/** The declared fields of a record, except some. */
export const fieldsWithout = <Properties extends TProperties, Name extends keyof Properties & string>(
  record: { readonly properties: Properties },
  ...names: readonly Name[]
): Omit<Properties, Name> =>
  Object.fromEntries(
    Object.entries(record.properties).filter(([field]) => !(names as readonly string[]).includes(field)),
  ) as unknown as Omit<Properties, Name>;

/** The schemas of some of a record's fields, in the order of the names. */
export const onlyFields = <Properties extends TProperties, Name extends keyof Properties & string>(
  record: { readonly properties: Properties },
  names: readonly Name[],
): Pick<Properties, Name> =>
  Object.fromEntries(names.map((name) => [name, record.properties[name]])) as unknown as Pick<
    Properties,
    Name
  >;

/** The declared fields of a record, in the order of their declaration; one that `source` lacks is `undefined`. */
export const pick = <S extends TSchema & { readonly properties: TProperties }>(
  schema: S,
  source: Static<S>,
): Static<S> => {
  const fields = source as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(schema.properties).map((name) => [name, fields[name]])) as Static<S>;
};
