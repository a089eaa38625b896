import Type, { type Static as StaticOf, type TSchema } from 'typebox';

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

/** The same, or `null`. TypeBox itself has `anyOf` for it, which generated clients make a type of its own of. */
export const Nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<StaticOf<S> | null>(nullable(schema as JsonSchema));

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const components = new Map<string, JsonSchema>();

/**
 * Registers a schema under `components/schemas`.
 * @returns the reference to it
 */
export const component = (name: string, schema: JsonSchema): JsonSchema => {
  const known = components.get(name);
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`Two different schemas are named ${name}.`);
  }
  components.set(name, schema);
  return { $ref: `#/components/schemas/${name}` };
};

/** Every registered schema, by name in code-unit order. */
export const registeredComponents = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));

export const text: JsonSchema = { type: 'string' };
export const uuid: JsonSchema = { type: 'string', format: 'uuid' };
export const instant: JsonSchema = { type: 'string', format: 'date-time' };
/** Bytes that are no JSON. */
export const binary: JsonSchema = { type: 'string', format: 'binary' };
export const integer: JsonSchema = { type: 'integer' };
export const number: JsonSchema = { type: 'number' };
export const flag: JsonSchema = { type: 'boolean' };
export const anything: JsonSchema = {};

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

export const oneOf = (...values: readonly (string | number | boolean)[]): JsonSchema => ({ enum: values });

/** The same, or `null`. */
export const nullable = (schema: JsonSchema): JsonSchema => {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.enum)) return { enum: [...(schema.enum as unknown[]), null] };
  return { anyOf: [schema, { type: 'null' }] };
};

/** An object all of whose named properties are always there, but for those listed in `optional`. */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
};

/** A page of a list. */
export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({ items: Type.Array(item), nextCursor: Nullable(Type.String()) });
