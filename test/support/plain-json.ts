/**
 * Throws if JSON would change a value: `undefined`, -0, NaN, dates, anything with a prototype of its own. Stores differ
 * in how they store such values, so none may reach one.
 */
export function assertPlainJson(value: unknown, path = '$'): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || Object.is(value, -0))
      throw new TypeError(`${path} is ${value}, no JSON number.`);
    return;
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) assertPlainJson(value[i], `${path}[${i}]`);
    return;
  }
  if (typeof value === 'object') {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === null || Object.getPrototypeOf(prototype) === null) {
      for (const [key, inner] of Object.entries(value)) assertPlainJson(inner, `${path}.${key}`);
      return;
    }
  }
  throw new TypeError(`${path} is no plain JSON value.`);
}
