import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsString,
  ValidateBy,
  type ValidationOptions,
} from 'class-validator';
import { declareField, type Field, type Rule } from './shape.js';

/** One rule of a field, as class-validator checks it. */
export interface Constraint {
  readonly name: string;
  /** What to say where it is broken; `{path}` is the field's. */
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
