import { validateSync, type ValidationError } from 'class-validator';
import { type ErrorDetail, validationFailed } from '../api-error.js';
import { isPlainObject } from './plain-object.js';
import { type Class, type Shape, shapeOf } from './shape.js';

/** So many offending fields are named; a body of nothing but faults needs no longer answer. */
const MOST_DETAILS = 50;

/** So much of a sender's own field name is repeated. */
const LONGEST_NAME = 100;

const join = (path: string, name: string): string => {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name.length <= LONGEST_NAME) return path ? `${path}.${name}` : name;
  return `${path}[${JSON.stringify(name.slice(0, LONGEST_NAME))}]`;
};

/**
 * Makes an instance of the class from the fields it declares; others are named where the class is strict. Values
 * without a class of their own are taken over as they are. A copy by declared names is what keeps keys such as
 * `__proto__` or `constructor` of a body from meaning anything.
 */
const bind = (type: Class, shape: Shape, body: object, path: string, details: ErrorDetail[]): object => {
  const bound = Object.create(type.prototype as object) as Record<string, unknown>;
  const given = body as Readonly<Record<string, unknown>>;
  for (const [name, field] of shape.fields) {
    if (!Object.hasOwn(given, name)) continue;
    const value = given[name];
    if (!field.nested) {
      bound[name] = value;
      continue;
    }
    const nested = field.nested();
    const inner = shapeOf(nested);
    if (!inner) throw new Error(`${nested.name} declares no fields.`);
    if (!field.list) {
      bound[name] = isPlainObject(value) ? bind(nested, inner, value, join(path, name), details) : value;
    } else if (Array.isArray(value)) {
      bound[name] = value.map((item: unknown, index) => {
        const place = `${join(path, name)}[${index}]`;
        if (isPlainObject(item)) return bind(nested, inner, item, place, details);
        details.push({ path: place, rule: 'object', message: `${place} must be an object.` });
        return null;
      });
    } else bound[name] = value;
  }
  if (shape.strict) {
    for (const name of Object.keys(given)) {
      if (shape.fields.has(name)) continue;
      const place = join(path, name);
      details.push({ path: place, rule: 'unknown', message: `${place} is not a field that is known here.` });
    }
  }
  return bound;
};

const collect = (
  errors: readonly ValidationError[],
  shape: Shape | null,
  path: string,
  details: ErrorDetail[],
): void => {
  for (const { property, constraints, children } of errors) {
    const place = join(path, property);
    const broken = Object.entries(constraints ?? {}).filter(([rule]) => rule !== 'nestedValidation');
    for (const [rule, sentence] of broken) {
      details.push({ path: place, rule, message: sentence.replaceAll('{path}', place) });
    }
    if (broken.length > 0 || !children) continue;
    const field = shape?.fields.get(property);
    const inner = field?.nested ? shapeOf(field.nested()) : null;
    if (!field?.list) collect(children, inner, place, details);
    else
      for (const item of children) collect(item.children ?? [], inner, `${place}[${item.property}]`, details);
  }
};

/**
 * A body as an instance of its class.
 * @throws {ApiError} `validation_failed`, naming each offending field
 */
export const validated = <T extends object>(type: Class<T>, body: unknown): T => {
  const shape = shapeOf(type);
  if (!shape) throw new Error(`${type.name} declares no fields.`);
  if (body === undefined) {
    throw validationFailed([{ path: '', rule: 'required', message: 'A JSON body is needed here.' }]);
  }
  if (!isPlainObject(body)) {
    throw validationFailed([{ path: '', rule: 'object', message: 'The body must be a JSON object.' }]);
  }
  const details: ErrorDetail[] = [];
  const bound = bind(type, shape, body, '', details);
  const errors = validateSync(bound, {
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
  });
  collect(errors, shape, '', details);
  if (details.length > 0) throw validationFailed(details.slice(0, MOST_DETAILS));
  return bound as T;
};
