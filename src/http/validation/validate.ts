import {
  getMetadataStorage,
  validateSync,
  type ValidationError,
  ValidationTypes,
  type ValidatorOptions,
} from 'class-validator';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { type ErrorDetail, validationFailed } from '../api-error.js';
import { type Class, declaredShape, type Field, type Shape, shapeOf } from './fields.js';

/** What JSON calls an object: not `null`, not a list. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** So many offending fields are named; a body of nothing but faults needs no longer answer. */
const MAX_DETAILS = 50;

/** So much of a sender's own field name is repeated. */
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

type Bound = Readonly<Record<string, unknown>>;

const storage = getMetadataStorage();
const PLAIN: ReadonlySet<string> = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.CUSTOM_VALIDATION,
]);
const sound = new WeakMap<Class, (bound: Bound) => boolean>();

/**
 * Whether an object keeps all rules of its class. The rules are class-validator's, collected once and run without its
 * bookkeeping, which takes most of its time. If one is broken, class-validator runs itself, for the messages.
 */
const isSound = (type: Class, bound: Bound): boolean => {
  let test = sound.get(type);
  if (!test) sound.set(type, (test = soundness(type)));
  return test(bound);
};

const soundness = (type: Class): ((bound: Bound) => boolean) => {
  const all = storage.getTargetValidationMetadatas(type, '', false, false);
  // class-validator refuses every object of a class without rules, and only it can run rules of other kinds.
  const isPlain = all.length > 0 && all.every(({ type: kind }) => PLAIN.has(kind));
  if (!isPlain) return () => false;
  const grouped = storage.groupByPropertyName(all);
  const fields = Object.entries(grouped).map(([property, rules]) => ({
    property,
    isChecked: rules
      .filter((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ constraints }) => constraints[0] as (object: Bound, value: unknown) => boolean),
    rules: rules
      .filter((rule) => rule.type === ValidationTypes.CUSTOM_VALIDATION)
      .flatMap(({ constraintCls, constraints, each }) =>
        storage.getTargetValidatorConstraints(constraintCls).map(({ instance }) => {
          const holds = (value: unknown, object: Bound): boolean =>
            instance.validate(value, { value, constraints, targetName: type.name, object, property }) ===
            true;
          return each
            ? (value: unknown, object: Bound): boolean =>
                Array.isArray(value) && value.every((item) => holds(item, object))
            : holds;
        }),
      ),
  }));
  return (bound) => {
    for (const { property, isChecked, rules } of fields) {
      const value = bound[property];
      if (areMet(isChecked, bound, value) && !areMet(rules, value, bound)) return false;
    }
    return true;
  };
};

/** A loop, since `every` would make a function for each field of each body. */
const areMet = <A, B>(tests: readonly ((a: A, b: B) => boolean)[], a: A, b: B): boolean => {
  for (const test of tests) if (!test(a, b)) return false;
  return true;
};

const errorOf = (errors: readonly ValidationError[], name: string): ValidationError | undefined =>
  errors.length === 0 ? undefined : errors.find(({ property }) => property === name);

/**
 * One check of one body: class-validator looks at one object at a time, and the walk goes on to those within. It does
 * not follow `@ValidateNested()`, which takes lists of lists for lists and cannot stop: a body of 256 KiB holds 85,000
 * faulty items, of which fifty are named.
 */
class Check {
  readonly details: ErrorDetail[] = [];

  private get full(): boolean {
    return this.details.length >= MAX_DETAILS;
  }

  /**
   * An instance of the class, made of the fields it declares. Values without a class of their own are taken over as
   * they are. A copy by declared names keeps a body's `__proto__` or `constructor` from meaning anything.
   */
  bind(type: Class, body: Readonly<Record<string, unknown>>, path: string): object {
    const shape = declaredShape(type);
    const bound = Object.create(type.prototype as object) as Record<string, unknown>;
    for (const name of shape.fields.keys()) {
      if (Object.hasOwn(body, name) && body[name] !== undefined) bound[name] = body[name];
    }
    const errors = isSound(type, bound) ? [] : validateSync(bound, OPTIONS);
    for (const [name, field] of shape.fields) {
      if (this.full) return bound;
      const error = errorOf(errors, name);
      if (error) this.broken(field, error, bound[name], join(path, name));
      else if (field.nested && typeof bound[name] === 'object' && bound[name] !== null) {
        bound[name] = this.nested(field.nested(), bound[name], join(path, name));
      }
    }
    if (!shape.lax) this.unknown(shape, body, path);
    this.alternatives(shape, bound, path);
    return bound;
  }

  private broken({ sentences }: Field, error: ValidationError, value: unknown, path: string): void {
    const { constraints = { invalid: '{path} is not valid.' } } = error;
    for (const [constraint, message] of Object.entries(constraints)) {
      const sentence = sentences.get(message);
      // A constraint from no decorator of ours speaks for itself.
      if (sentence === undefined) this.refuse(path, constraint, message);
      else this.refuse(path, message, typeof sentence === 'string' ? sentence : sentence(value));
    }
  }

  private nested(type: Class, value: object, path: string): unknown {
    if (!Array.isArray(value)) return this.item(type, value, path);
    return value.map((item, index) => this.item(type, item, `${path}[${index}]`));
  }

  private item(type: Class, value: unknown, path: string): unknown {
    if (this.full) return undefined;
    if (isPlainObject(value)) return this.bind(type, value, path);
    this.refuse(path, 'object', '{path} must be an object.');
    return undefined;
  }

  private unknown({ fields }: Shape, body: object, path: string): void {
    for (const name of Object.keys(body)) {
      if (this.full) return;
      if (!fields.has(name)) {
        this.refuse(join(path, name), 'unknown', '{path} is not a field that is known here.');
      }
    }
  }

  private alternatives(
    { exactlyOne, atLeastOne }: Shape,
    bound: Readonly<Record<string, unknown>>,
    path: string,
  ): void {
    const names = Object.values(exactlyOne ?? atLeastOne ?? {});
    const given = names.filter((name) => bound[name] !== undefined).length;
    if (names.length === 0 || given === 1 || (atLeastOne && given > 1)) return;
    const [rule, words] = exactlyOne ? ['exactlyOne', 'exactly one'] : ['atLeastOne', 'at least one'];
    for (const name of names) this.refuse(join(path, name), rule, `Give ${words} of: ${names.join(', ')}.`);
  }

  private refuse(path: string, rule: string, sentence: string): void {
    this.details.push({ path, rule, message: sentence.replace('{path}', () => path) });
  }
}

/**
 * A body as an instance of its class.
 * @throws {ApiError} `validation_failed`, naming each offending field
 */
export const validated = <T extends object>(type: Class<T>, given: unknown): T => {
  const body = given === undefined && declaredShape(type).mayBeAbsent ? {} : given;
  if (body === undefined) {
    throw validationFailed([{ path: '', rule: 'required', message: 'A JSON body is needed here.' }]);
  }
  if (!isPlainObject(body)) {
    throw validationFailed([{ path: '', rule: 'object', message: 'The body must be a JSON object.' }]);
  }
  const check = new Check();
  const bound = check.bind(type, body, '');
  if (check.details.length > 0) throw validationFailed(check.details);
  return bound as T;
};

/**
 * The one global pipe: every `@Body()` is checked against its class. A body typed as anything without `@Schema` would
 * pass unchecked, so that is a fault of ours and never served.
 */
@Injectable()
export class BodyPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body') return value;
    if (!metatype || !shapeOf(metatype)) {
      throw new Error(`A body is typed as ${metatype?.name ?? 'nothing'}, which has no @Schema.`);
    }
    return validated(metatype as Class, value);
  }
}
