import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsString,
  ValidateBy,
  type ValidationOptions,
} from 'class-validator';
import { type TSchema, Type } from '../../core/json-schema.js';

/** A DTO class. */
export type Class<T extends object = object> = new () => T;

/** A rule of one's own: its name, when it holds, and its message (`{path}` is the field's). */
export interface Rule {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly sentence: string;
}

/** One field of a request body. */
export interface Field {
  /** Messages, by the name of the rule that is broken. */
  readonly sentences: ReadonlyMap<string, string>;
  readonly schema: () => TSchema;
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

/** Reads a request without a body as an empty one. */
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
        schema: () => Type.Unknown(),
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

/** The class as a named schema; its name is the class's without `Dto`, and without the digits that a bundler may add. */
export const schemaOf = (type: Class): TSchema => {
  const shape = shapeOf(type);
  if (!shape) throw new Error(`${type.name} declares no fields.`);
  const properties = [...shape.fields].map(([name, { schema, nullable, optional }]) => {
    const value = nullable ? Type.Union([schema(), Type.Null()]) : schema();
    return [name, optional ? Type.Optional(value) : value] as const;
  });
  return Type.Object(Object.fromEntries(properties), {
    $id: type.name.replace(/Dto\d*$/, ''),
    ...(shape.strict && { additionalProperties: false }),
  });
};

/** One rule of a field, as class-validator checks it. */
export interface Constraint {
  readonly name: string;
  /** The message if it is broken; `{path}` is the field's. */
  readonly sentence: string;
  readonly of: (options: ValidationOptions) => PropertyDecorator;
}

export const constraint = (name: string, sentence: string, of: Constraint['of']): Constraint => ({
  name,
  sentence,
  of,
});

/** A rule for which class-validator has no constraint that means the same. */
export const ownConstraint = ({ name, sentence, holds }: Rule): Constraint =>
  constraint(name, sentence, (options) =>
    ValidateBy({ name, validator: { validate: (value) => holds(value) } }, options),
  );

// IsDefined would refuse null as well.
const required = ownConstraint({
  name: 'required',
  holds: (value) => value !== undefined,
  sentence: '{path} is required.',
});

/** Declares a field whose constraints are tried in this order, the field's presence first. */
export const field =
  (constraints: readonly Constraint[], declared: Partial<Field>): PropertyDecorator =>
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
