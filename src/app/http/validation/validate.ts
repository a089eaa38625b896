import { type ErrorDetail, validationFailed } from '../api-error.js';
import { isPlainObject } from './plain-object.js';
import { type Class, type Field, type Shape, shapeOf } from './shape.js';

/** So many offending fields are named; a body of nothing but faults needs no longer answer. */
const MOST_DETAILS = 50;

/** So much of a sender's own field name is repeated. */
const LONGEST_NAME = 100;

const join = (path: string, name: string): string => {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name.length <= LONGEST_NAME) return path ? `${path}.${name}` : name;
  return `${path}[${JSON.stringify(name.slice(0, LONGEST_NAME))}]`;
};

const shapeOfDto = (type: Class): Shape => {
  const shape = shapeOf(type);
  if (!shape) throw new Error(`${type.name} declares no fields.`);
  return shape;
};

/** One check of one body: walks the declared classes, and keeps what is wrong. */
class Check {
  readonly details: ErrorDetail[] = [];

  /**
   * An instance of the class, made of the fields it declares. Values without a class of their own are taken over as
   * they are. A copy by declared names keeps a body's `__proto__` or `constructor` from meaning anything.
   */
  bind(type: Class, body: Readonly<Record<string, unknown>>, path: string): object {
    const shape = shapeOfDto(type);
    const bound = Object.create(type.prototype as object) as Record<string, unknown>;
    for (const [name, field] of shape.fields) {
      const value = Object.hasOwn(body, name) ? body[name] : undefined;
      if (value === undefined) {
        if (!field.optional) this.refuse(join(path, name), 'required', '{path} is required.');
      } else bound[name] = this.value(field, value, path, name);
    }
    if (shape.strict) {
      for (const name of Object.keys(body)) {
        if (!shape.fields.has(name)) {
          this.refuse(join(path, name), 'unknown', '{path} is not a field that is known here.');
        }
      }
    }
    return bound;
  }

  private value(field: Field, value: unknown, path: string, name: string): unknown {
    if (value === null && field.nullable) return null;
    for (const rule of field.rules) {
      if (!rule.holds(value)) {
        this.refuse(join(path, name), rule.name, rule.sentence);
        return undefined;
      }
    }
    if (!field.nested) return value;
    const type = field.nested();
    const place = join(path, name);
    if (!field.list) return this.item(type, value, place);
    return (value as unknown[]).map((item, index) => this.item(type, item, `${place}[${index}]`));
  }

  private item(type: Class, value: unknown, path: string): unknown {
    if (isPlainObject(value)) return this.bind(type, value, path);
    this.refuse(path, 'object', '{path} must be an object.');
    return undefined;
  }

  private refuse(path: string, rule: string, sentence: string): void {
    if (this.details.length < MOST_DETAILS) {
      this.details.push({ path, rule, message: sentence.replace('{path}', () => path) });
    }
  }
}

/**
 * A body as an instance of its class.
 * @throws {ApiError} `validation_failed`, naming each offending field
 */
export const validated = <T extends object>(type: Class<T>, body: unknown): T => {
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
