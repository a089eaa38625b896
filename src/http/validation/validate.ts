/*
 * Checks request bodies by the decorators of `rules`. `BodyPipe` calls `validated` for each body. One function,
 * compiled from a class's rules (`compiled`), copies the declared fields and tests them. Only if a rule is broken,
 * class-validator runs, to make the messages (`Faults`).
 */
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import {
  getMetadataStorage,
  validateSync,
  type ValidationError,
  ValidationTypes,
  type ValidatorOptions,
} from 'class-validator';
import { type ErrorDetail, validationFailed } from '../api-error.js';
import { type Class, declaredShape, type Field, type Shape } from './fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON: not `null`, not a list. */
export const isPlainObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How many wrong fields an answer names, so that a body full of faults does not make it long. */
const MAX_DETAILS = 50;

/** How much of an unknown field's name an answer repeats. */
const LONGEST_NAME = 100;

const join = (path: string, name: string): string => {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name.length <= LONGEST_NAME) return path ? `${path}.${name}` : name;
  return `${path}[${JSON.stringify(name.slice(0, LONGEST_NAME))}]`;
};

const OPTIONS: ValidatorOptions = {
  stopAtFirstError: true,
  forbidUnknownValues: true,
  validationError: { target: false, value: false },
};

/** Makes an instance of a body's class; `null`: the body, or an object in it, breaks a rule. */
type Copy = (body: Fields) => object | null;

const storage = getMetadataStorage();
const copies = new WeakMap<Class, Copy>();

const copyOf = (type: Class): Copy => {
  let copy = copies.get(type);
  if (!copy) copies.set(type, (copy = compiled(type)));
  return copy;
};

/** Whether a value fulfils a rule. */
type Test = (value: unknown, object: Fields) => boolean;

/**
 * The rules of a class in one function. They are class-validator's, collected once and run without its bookkeeping,
 * which takes most of its time.
 */
const compiled = (type: Class): Copy => {
  const shape = declaredShape(type);
  const { lax, exactlyOne, atLeastOne } = shape;
  const all = storage.getTargetValidationMetadatas(type, '', false, false);
  const fields = Object.entries(storage.groupByPropertyName(all)).map(([name, own]) => ({
    name,
    nested: shape.fields.get(name)?.nested ?? null,
    conditions: own
      .filter((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ constraints }) => constraints[0] as (object: Fields, value: unknown) => boolean),
    tests: own.flatMap(({ constraintCls, constraints, each }) =>
      storage.getTargetValidatorConstraints(constraintCls).map(({ instance }): Test => {
        const holds: Test = (value, object) =>
          instance.validate(value, { value, constraints, targetName: type.name, object, property: name }) ===
          true;
        return each
          ? (value, object) => Array.isArray(value) && value.every((item) => holds(item, object))
          : holds;
      }),
    ),
  }));
  return (body) => {
    if (!lax) for (const name in body) if (!shape.fields.has(name)) return null;
    const copy = instanceOf(type, shape, body);
    if ((exactlyOne ?? atLeastOne) && !hasChoice(shape, copy)) return null;
    // Loops instead of `every`, which would create a function for each field of each body.
    checking: for (const { name, nested, conditions, tests } of fields) {
      const value = copy[name];
      for (const isMet of conditions) if (!isMet(copy, value)) continue checking;
      for (const holds of tests) if (!holds(value, copy)) return null;
      if (nested && (copy[name] = copyWithin(copyOf(nested), value as object)) === null) return null;
    }
    return copy;
  };
};

/** Applies `copy` to an object, or to each object in a list. */
const copyWithin = (copy: Copy, value: object): object | null => {
  if (!Array.isArray(value)) return copy(value as Fields);
  const items: object[] = [];
  for (const item of value) {
    const one = isPlainObject(item) ? copy(item) : null;
    if (one === null) return null;
    items.push(one);
  }
  return items;
};

/**
 * An instance of the class with the declared fields of the body. Values without a class are not copied. Since only
 * declared names are copied, a body's `__proto__` or `constructor` has no effect.
 */
const instanceOf = (type: Class, { fields }: Shape, body: Fields): Record<string, unknown> => {
  const instance = Object.create(type.prototype as object) as Record<string, unknown>;
  for (const name of fields.keys())
    if (Object.hasOwn(body, name) && body[name] !== undefined) instance[name] = body[name];
  return instance;
};

/** The fields of which a body must have one; empty: there is no such rule. */
const choiceOf = ({ exactlyOne, atLeastOne }: Shape): readonly string[] =>
  Object.values(exactlyOne ?? atLeastOne ?? {});

const hasChoice = (shape: Shape, instance: Fields): boolean => {
  // A null counts as absent if the field may be null. Else it counts as given, and is refused.
  const isGiven = (name: string): boolean => {
    const value = instance[name];
    return value !== undefined && (value !== null || shape.fields.get(name)?.nullable !== true);
  };
  const given = choiceOf(shape).filter(isGiven).length;
  return given === 1 || (given > 1 && shape.atLeastOne !== undefined);
};

/**
 * Collects the faults of one body. class-validator checks one object at a time, and `find` descends to nested ones. It
 * does not use `@ValidateNested()`, which accepts lists of lists as lists and cannot stop: a body of 256 KiB can have
 * 85,000 faulty items, of which fifty are named.
 */
class Faults {
  readonly details: ErrorDetail[] = [];

  private get full(): boolean {
    return this.details.length >= MAX_DETAILS;
  }

  /** Adds the faults of an object and of its nested objects. @param path the object's; empty for the body */
  find(type: Class, body: Fields, path: string): void {
    const shape = declaredShape(type);
    const bound = instanceOf(type, shape, body);
    const errors = validateSync(bound, OPTIONS);
    for (const [name, field] of shape.fields) {
      if (this.full) return;
      const error = errors.find(({ property }) => property === name);
      const value = bound[name];
      if (error) this.broken(field, error, value, join(path, name));
      else if (field.nested && typeof value === 'object' && value !== null)
        this.nested(field.nested, value, join(path, name));
    }
    if (!shape.lax) this.unknown(shape, body, path);
    this.alternatives(shape, bound, path);
  }

  private broken({ sentences }: Field, error: ValidationError, value: unknown, path: string): void {
    const { constraints = { invalid: '{path} is not valid.' } } = error;
    for (const [constraint, message] of Object.entries(constraints)) {
      const sentence = sentences.get(message);
      // A constraint that is not from our decorators has its own message.
      if (sentence === undefined) this.refuse(path, constraint, message);
      else this.refuse(path, message, typeof sentence === 'string' ? sentence : sentence(value));
    }
  }

  private nested(type: Class, value: object, path: string): void {
    if (!Array.isArray(value)) this.item(type, value, path);
    else for (const [index, item] of value.entries()) this.item(type, item, `${path}[${index}]`);
  }

  private item(type: Class, value: unknown, path: string): void {
    if (this.full) return;
    if (!isPlainObject(value)) this.refuse(path, 'object', '{path} must be an object.');
    else if (!copyOf(type)(value)) this.find(type, value, path);
  }

  private unknown({ fields }: Shape, body: object, path: string): void {
    for (const name of Object.keys(body)) {
      if (this.full) return;
      if (!fields.has(name)) {
        this.refuse(join(path, name), 'unknown', 'Unknown field: {path}.');
      }
    }
  }

  private alternatives(shape: Shape, bound: Fields, path: string): void {
    const names = choiceOf(shape);
    if (names.length === 0 || hasChoice(shape, bound)) return;
    const [rule, words] = shape.exactlyOne ? ['exactlyOne', 'exactly one'] : ['atLeastOne', 'at least one'];
    for (const name of names) this.refuse(join(path, name), rule, `Give ${words} of: ${names.join(', ')}.`);
  }

  private refuse(path: string, rule: string, sentence: string): void {
    this.details.push({ path, rule, message: sentence.replace('{path}', () => path) });
  }
}

/**
 * Checks a body, and returns it as an instance of its class.
 * @throws {ApiError} `validation_failed`, with each wrong field
 */
export const validated = <T extends object>(type: Class<T>, given: unknown): T => {
  const body = given === undefined && declaredShape(type).mayBeAbsent ? {} : given;
  if (body === undefined) {
    throw validationFailed([{ path: '', rule: 'required', message: 'A JSON body is needed here.' }]);
  }
  if (!isPlainObject(body)) {
    throw validationFailed([{ path: '', rule: 'object', message: 'The body must be a JSON object.' }]);
  }
  const sound = copyOf(type)(body);
  if (sound) return sound as T;
  const faults = new Faults();
  faults.find(type, body, '');
  throw validationFailed(faults.details);
};

/**
 * The only global pipe: checks each `@Body()` by its class. It throws an internal error if the class has no `@Schema`,
 * since such a body would be used unchecked.
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body') return value;
    if (!metatype) throw new Error('A body is typed as nothing that has @Schema.');
    return validated(metatype as Class, value);
  }
}
