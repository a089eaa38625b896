import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsString,
  ValidateBy,
  type ValidationOptions,
} from 'class-validator';
import { Named, Nullable, type TSchema, Type } from '../../core/json-schema.js';

/*
 * What a class of request bodies (a DTO) declares of its fields. When the program loads, the decorators of `rules` call
 * `field`, which declares each field to class-validator and to a draft kept here. `shapeOf` makes the shape of a class
 * from its draft and those of its superclasses. `validate` checks bodies by the shape, and the OpenAPI document has it
 * as a schema.
 */

/** A class of request bodies. */
export type Class<T extends object = object> = new () => T;

/** A rule that is not class-validator's: its name, its check, and its message (`{path}` is the field's). */
export interface Rule {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly sentence: Sentence;
}

/** A message with `{path}` for the field's path, or a function that makes it from the value that breaks the rule. */
export type Sentence = string | ((value: unknown) => string);

/** One field of a request body. */
export interface Field {
  /** Messages by the name of the broken rule. */
  readonly sentences: ReadonlyMap<string, Sentence>;
  readonly schema: () => TSchema;
  readonly optional: boolean;
  readonly nullable: boolean;
  /** The class of the value, or of each item if the value is a list. */
  readonly nested: Class | null;
}

/** What one decorator declares of a field. `nested` is a function, since the class may be declared further down. */
export type FieldPart = Partial<Omit<Field, 'nested'>> & { readonly nested?: () => Class };

/** What a class declares beside its fields. */
export interface ShapeOptions {
  /** Fields that the class does not declare are ignored. Default: they are refused. */
  readonly lax?: true;
  /** A request without a body counts as one with an empty object. For bodies whose fields are all optional. */
  readonly mayBeAbsent?: true;
  /** Optional fields of which a body has exactly one. By the name of the schema for such bodies. */
  readonly exactlyOne?: Readonly<Record<string, string>>;
  /** Optional fields of which a body has one or several. By the name of the schema for such bodies. */
  readonly atLeastOne?: Readonly<Record<string, string>>;
}

/** What a DTO class declares. */
export interface Shape extends ShapeOptions {
  /** The name in the OpenAPI document. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
}

/** The declarations of one class so far. */
interface Draft {
  readonly fields: Map<string, FieldPart>;
  own: ShapeOptions & { readonly name?: string };
}

const drafts = new WeakMap<object, Draft>();
const shapes = new WeakMap<object, Shape>();

const draftOf = (prototype: object): Draft => {
  let draft = drafts.get(prototype);
  if (!draft) drafts.set(prototype, (draft = { fields: new Map(), own: {} }));
  return draft;
};

/** Adds to a field's declarations. The decorators of a field may come in any order. */
export const declareField = (prototype: object, name: string, part: FieldPart): void => {
  const { fields } = draftOf(prototype);
  fields.set(name, { ...fields.get(name), ...part });
};

/**
 * Names a class of bodies in the OpenAPI document. The class's own name is not used, since a bundler changes it if two
 * are the same.
 */
export const Schema =
  (name: string, options: ShapeOptions = {}): ClassDecorator =>
  ({ prototype }) => {
    draftOf(prototype as object).own = { ...options, name };
  };

/** A class's shape, with inherited fields; `null`: it has no `@Schema`, so it is not a class of bodies. */
export const shapeOf = (type: { readonly prototype: unknown }): Shape | null => {
  const prototype = type.prototype as object;
  const known = shapes.get(prototype);
  if (known) return known;
  const lineage: Draft[] = [];
  for (let at: object | null = prototype; at; at = Object.getPrototypeOf(at) as object | null) {
    const draft = drafts.get(at);
    if (draft) lineage.unshift(draft);
  }
  const { name, ...options } = drafts.get(prototype)?.own ?? {};
  if (name === undefined) return null;
  const fields = new Map<string, Field>();
  for (const draft of lineage) {
    for (const [key, part] of draft.fields) {
      fields.set(key, {
        sentences: new Map(),
        schema: () => Type.Unknown(),
        optional: false,
        nullable: false,
        ...fields.get(key),
        ...part,
        nested: part.nested?.() ?? fields.get(key)?.nested ?? null,
      });
    }
  }
  const shape = { ...options, name, fields };
  shapes.set(prototype, shape);
  return shape;
};

/**
 * A class's shape.
 * @throws {Error} it has no `@Schema`
 */
export const declaredShape = (type: Class): Shape => {
  const shape = shapeOf(type);
  if (!shape) throw new Error(`${type.name} is not named: give it @Schema('…').`);
  return shape;
};

/** The class as a named schema. */
export const schemaOf = (type: Class): TSchema => {
  const shape = declaredShape(type);
  const { exactlyOne, atLeastOne } = shape;
  if (exactlyOne) return Type.Unsafe({ $id: shape.name, oneOf: alternatives(shape, exactlyOne, true) });
  if (atLeastOne) return Type.Unsafe({ $id: shape.name, anyOf: alternatives(shape, atLeastOne, false) });
  return objectOf(shape, shape.name);
};

const alternatives = (
  shape: Shape,
  byName: Readonly<Record<string, string>>,
  withoutOthers: boolean,
): readonly TSchema[] =>
  Object.entries(byName).map(([$id, required]) => {
    const others = Object.values(byName).filter((name) => name !== required);
    return objectOf(shape, $id, required, withoutOthers ? others : []);
  });

/**
 * @param required an optional field that this schema requires and does not allow to be `null`
 * @param without omitted fields
 */
const objectOf = (
  { fields, lax }: Shape,
  $id: string,
  required?: string,
  without: readonly string[] = [],
): TSchema => {
  const properties = [...fields]
    .filter(([name]) => !without.includes(name))
    .map(([name, { schema, nullable, optional }]) => {
      if (name === required) return [name, schema()] as const;
      const value = nullable ? Nullable(schema()) : schema();
      return [name, optional ? Type.Optional(value) : value] as const;
    });
  return Named($id, Object.fromEntries(properties), lax ? {} : { additionalProperties: false });
};

/** One rule of a field, checked by class-validator. */
export interface Constraint {
  readonly name: string;
  /** The message if it is broken; `{path}` is the field's. */
  readonly sentence: Sentence;
  /** class-validator's decorator. */
  readonly of: (options: ValidationOptions) => PropertyDecorator;
}

/** Makes a constraint from a decorator of class-validator. */
export const constraint = (name: string, sentence: Sentence, of: Constraint['of']): Constraint => ({
  name,
  sentence,
  of,
});

/** Makes a constraint from a rule that class-validator does not have. */
export const ownConstraint = ({ name, sentence, holds }: Rule): Constraint =>
  constraint(name, sentence, (options) => ValidateBy({ name, validator: { validate: holds } }, options));

// IsDefined would also refuse null.
const required = ownConstraint({
  name: 'required',
  holds: (value) => value !== undefined,
  sentence: '{path} is required.',
});

/** Declares a field. Its presence is checked first, then the constraints in this order. */
export const field =
  (constraints: readonly Constraint[], declared: FieldPart): PropertyDecorator =>
  (target, key) => {
    const all = [required, ...constraints];
    const sentences = new Map(all.map(({ name, sentence }) => [name, sentence]));
    declareField(target, String(key), { ...declared, sentences });
    // The message is the rule's name: class-validator would replace `$value` and the like in a sentence.
    for (const { name, of } of all) of({ message: name })(target, key);
  };

export const string = constraint('string', '{path} must be a string.', IsString);

export const object = constraint('object', '{path} must be an object.', IsObject);

export const array = constraint('array', '{path} must be a list.', IsArray);

/** Limits of the number of items in a list. It must have a largest size, since everything that is stored is bounded. */
export interface Size {
  /** Without it the list may be empty. */
  readonly min?: number;
  readonly max: number;
}

const items = (count: number): string => (count === 1 ? '1 item' : `${count} items`);

/** The constraints of a list’s size. */
export const size = ({ min, max }: Size): Constraint[] => {
  const atMost = constraint('maxItems', `{path} must have at most ${items(max)}.`, (options) =>
    ArrayMaxSize(max, options),
  );
  if (min === undefined) return [atMost];
  const sentence = `{path} must have at least ${items(min)}.`;
  return [constraint('minItems', sentence, (options) => ArrayMinSize(min, options)), atMost];
};
