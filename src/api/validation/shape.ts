import { component, type JsonSchema } from '../../core/json-schema.js';

/** A DTO class. */
export type Class<T extends object = object> = new () => T;

/** A rule of one's own: its name, when it holds, and what to say where it does not (`{path}` is the field's). */
export interface Rule {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly sentence: string;
}

/** One field of a request body. */
export interface Field {
  /** What to say, by the name of the rule that is broken. */
  readonly sentences: ReadonlyMap<string, string>;
  readonly schema: () => JsonSchema;
  readonly optional: boolean;
  readonly nullable: boolean;
  /** The class of the value, or of each item where the value is a list. */
  readonly nested: (() => Class) | null;
}

/** What a DTO class declares: its fields, whether any other field is refused, and whether no body is an empty one. */
export interface Shape {
  readonly fields: ReadonlyMap<string, Field>;
  readonly strict: boolean;
  readonly mayBeAbsent: boolean;
}

interface Draft {
  readonly fields: Map<string, { -readonly [K in keyof Field]?: Field[K] }>;
  strict?: boolean;
  mayBeAbsent?: boolean;
}

const drafts = new WeakMap<object, Draft>();
const shapes = new WeakMap<object, Shape>();

const draftOf = (prototype: object): Draft => {
  let draft = drafts.get(prototype);
  if (!draft) drafts.set(prototype, (draft = { fields: new Map() }));
  return draft;
};

/** Adds to what is known of a field; decorators of one field may come in any order. */
export const declareField = (prototype: object, name: string, part: Partial<Field>): void => {
  const { fields } = draftOf(prototype);
  fields.set(name, { ...fields.get(name), ...part });
};

/** Makes a class refuse fields that it does not declare. */
export const declareStrict = (prototype: object): void => {
  draftOf(prototype).strict = true;
};

/** Lets a request without a body stand for an empty one. */
export const declareMayBeAbsent = (prototype: object): void => {
  draftOf(prototype).mayBeAbsent = true;
};

/** What a class declares, inherited fields included; `null` where it declares nothing. */
export const shapeOf = (type: { readonly prototype: unknown }): Shape | null => {
  const prototype = type.prototype as object;
  const known = shapes.get(prototype);
  if (known) return known;
  const lineage: Draft[] = [];
  for (let at: object | null = prototype; at; at = Object.getPrototypeOf(at) as object | null) {
    const draft = drafts.get(at);
    if (draft) lineage.unshift(draft);
  }
  if (lineage.length === 0) return null;
  const fields = new Map<string, Field>();
  for (const draft of lineage) {
    for (const [name, part] of draft.fields) {
      fields.set(name, {
        sentences: new Map(),
        schema: () => ({}),
        optional: false,
        nullable: false,
        nested: null,
        ...fields.get(name),
        ...part,
      });
    }
  }
  const shape = {
    fields,
    strict: lineage.some((draft) => draft.strict),
    mayBeAbsent: lineage.some((draft) => draft.mayBeAbsent),
  };
  shapes.set(prototype, shape);
  return shape;
};

/** The class as a named schema of the OpenAPI document; its name is the class's without `Dto`, and without the digits that a bundler may add. */
export const schemaOf = (type: Class): JsonSchema => {
  const shape = shapeOf(type);
  if (!shape) throw new Error(`${type.name} declares no fields.`);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, field] of shape.fields) {
    const schema = field.schema();
    properties[name] = field.nullable ? { anyOf: [schema, { type: 'null' }] } : schema;
    if (!field.optional) required.push(name);
  }
  return component(type.name.replace(/Dto\d*$/, ''), {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(shape.strict && { additionalProperties: false }),
  });
};
