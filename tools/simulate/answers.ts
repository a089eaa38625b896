import { Unexpected } from './person.js';

/** Readers of answers: what the interface promises is checked where it is first relied on. */

type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Unexpected(`${what} is no object.`);
  return value as JsonObject;
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unexpected(`${what} is no array.`);
  return value;
}

export function stringOf(object: JsonObject, key: string): string {
  const value = object[key];
  if (typeof value !== 'string') throw new Unexpected(`An answer lacks the string "${key}".`);
  return value;
}

export function numberOf(object: JsonObject, key: string): number {
  const value = object[key];
  if (typeof value !== 'number') throw new Unexpected(`An answer lacks the number "${key}".`);
  return value;
}

export function stringOrNull(object: JsonObject, key: string): string | null {
  return object[key] === null || object[key] === undefined ? null : stringOf(object, key);
}
