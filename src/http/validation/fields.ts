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
 * What a class of request bodies (a DTO) declares of its fields. The decorators of `rules` call `field` as the program
 * loads: for class-validator, and for a draft that is kept here. `shapeOf` makes the draft, with those of the classes
 * that it extends, into the shape of the class: `validate` checks bodies by it, the OpenAPI document has it as a schema.
 */

/** A class of request bodies. */
export type Class<T extends object = object> = new () => T;

/** A rule of one's own: its name, when it holds, and its message (`{path}` is the field's). */
export interface Rule {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly sentence: Sentence;
}

/** A message in words, `{path}` being the field's; or made of the value that breaks the rule. */
export type Sentence = string | ((value: unknown) => string);

/** One field of a request body. */
export interface Field {
  /** Messages, by the name of the rule that is broken. */
  readonly sentences: ReadonlyMap<string, Sentence>;
  readonly schema: () => TSchema;
  readonly optional: boolean;
  readonly nullable: boolean;
  /** The class of the value, or of each item if the value is a list. */
  readonly nested: Class | null;
}

/** What one decorator declares of a field. Its class may be declared further down, so it is asked for later. */
export type FieldPart = Partial<Omit<Field, 'nested'>> & { readonly nested?: () => Class };

/** What a class declares beside its fields. */
export interface ShapeOptions {
  /** Fields that the class does not declare are ignored. Default: they are refused by name. */
  readonly lax?: true;
  /** A request without a body is one with an empty object: for bodies of optional fields alone. */
  readonly mayBeAbsent?: true;
  /** Optional fields of which a body has one, and no other, each by the name of the schema for such bodies. */
  readonly exactlyOne?: Readonly<Record<string, string>>;
  /** Optional fields of which a body has one or several, by the same. */
  readonly atLeastOne?: Readonly<Record<string, string>>;
}

/** What a DTO class declares. */
export interface Shape extends ShapeOptions {
  /** In the OpenAPI document. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
}

/** What the decorators of one class have declared so far. */
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

/** Adds to what is known of a field; decorators of one field may come in any order. */
export const declareField = (prototype: object, name: string, part: FieldPart): void => {
  const { fields } = draftOf(prototype);
  fields.set(name, { ...fields.get(name), ...part });
};

/**
 * Names a class of bodies in the OpenAPI document. The name of the class itself would not do: a bundler changes it if
 * two are the same.
 */
export const Schema =
  (name: string, options: ShapeOptions = {}): ClassDecorator =>
  ({ prototype }) => {
    draftOf(prototype as object).own = { ...options, name };
  };

/** What a class declares, inherited fields included; `null`: it has no `@Schema`, so it is no class of bodies. */
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
 * What a class declares.
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

/** @param required a field that is optional as such, given by no `null` either @param without fields that are left out */
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

/** One rule of a field, as class-validator checks it. */
export interface Constraint {
  readonly name: string;
  /** The message if it is broken; `{path}` is the field's. */
  readonly sentence: Sentence;
  /** class-validator's decorator. */
  readonly of: (options: ValidationOptions) => PropertyDecorator;
}

/** Makes a constraint of a decorator of class-validator. */
export const constraint = (name: string, sentence: Sentence, of: Constraint['of']): Constraint => ({
  name,
  sentence,
  of,
});

/** A rule for which class-validator has no constraint that means the same. */
export const ownConstraint = ({ name, sentence, holds }: Rule): Constraint =>
  constraint(name, sentence, (options) => ValidateBy({ name, validator: { validate: holds } }, options));

// IsDefined would refuse null as well.
const required = ownConstraint({
  name: 'required',
  holds: (value) => value !== undefined,
  sentence: '{path} is required.',
});

/** Declares a field whose constraints are tried in this order, the field's presence first. */
export const field =
  (constraints: readonly Constraint[], declared: FieldPart): PropertyDecorator =>
  (target, key) => {
    const all = [required, ...constraints];
    const sentences = new Map(all.map(({ name, sentence }) => [name, sentence]));
    declareField(target, String(key), { ...declared, sentences });
    // A message carries the rule's name only: class-validator gives `$value` and the like in it a meaning.
    for (const { name, of } of all) of({ message: name })(target, key);
  };

export const string = constraint('string', '{path} must be a string.', IsString);

export const object = constraint('object', '{path} must be an object.', IsObject);

export const array = constraint('array', '{path} must be a list.', IsArray);

/** How many items a list has. */
export interface Size {
  readonly min?: number;
  readonly max?: number;
}

const items = (count: number): string => (count === 1 ? '1 item' : `${count} items`);

/** The constraints of a list’s size. */
export const size = ({ min, max }: Size): Constraint[] => {
  const constraints: Constraint[] = [];
  if (min !== undefined) {
    const sentence = `{path} must have at least ${items(min)}.`;
    constraints.push(constraint('minItems', sentence, (options) => ArrayMinSize(min, options)));
  }
  if (max !== undefined) {
    const sentence = `{path} must have at most ${items(max)}.`;
    constraints.push(constraint('maxItems', sentence, (options) => ArrayMaxSize(max, options)));
  }
  return constraints;
};
