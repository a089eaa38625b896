import Type, { type Static as StaticOf, type TObject, type TSchema } from 'typebox';

/**
 * Records are declared once, with TypeBox: the declaration is a JSON Schema (draft 2020-12, as OpenAPI 3.1 uses it), and
 * the record's type follows from it. A schema with an `$id` is a named one of the OpenAPI document.
 */
export { Type };
export type { TSchema };

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

/** Any keys and values. */
export const AnyObject = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' });

/** Figures and texts by any names. */
export const Figures = Type.Unsafe<Readonly<Record<string, number | string>>>({
  type: 'object',
  additionalProperties: { type: ['number', 'string'] },
});

/** The same, or `null`, in the shortest form: many clients' generators make a type of its own of each `anyOf`. */
export const Nullable = <S extends TSchema>(schema: S) => Type.Unsafe<StaticOf<S> | null>(orNull(schema));

const orNull = (schema: TSchema): TSchema => {
  if (Type.IsEnum(schema)) return { enum: [...schema.enum, null] };
  if ('type' in schema && !('$id' in schema)) return { ...schema, type: [schema.type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
};

/** A page of a list. */
export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({ items: Type.Array(item), nextCursor: Nullable(Type.String()) });

/** The declared fields of a record, in the order of their declaration. */
export const pick = <S extends TObject>(schema: S, source: Static<S>): Static<S> => {
  const fields = source as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(schema.properties).map((name) => [name, fields[name]])) as Static<S>;
};
