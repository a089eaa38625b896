/** A fold returned a value that JSON cannot represent: a document would differ after it is stored and read again. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/** Deeper than any real document: only a cycle gets there. */
const MAX_DEPTH = 500;

/**
 * Checks that a value is plain JSON and freezes it deeply. A frozen object is skipped, since it was checked before:
 * only the objects that a fold has made are checked. (Code that freezes objects itself guarantees their content. A set
 * of checked objects would not depend on that, but took half of a rebuild's time.)
 * @throws {NotJson} undefined, NaN, infinities, dates, functions, holes, class instances, cycles
 */
export function freezeJson<T>(value: T): T {
  visit(value, 0);
  return value;
}

function visit(value: unknown, depth: number): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJson(`The number ${value} is not JSON.`);
      if (Object.is(value, -0)) throw new NotJson('Negative zero is not JSON: it would come back as zero.');
      return;
    case 'object':
      if (value === null) return;
      if (depth > MAX_DEPTH) throw new NotJson('The value is nested too deeply, or contains itself.');
      if (Array.isArray(value)) visitArray(value, depth);
      else visitObject(value, depth);
      return;
    default:
      throw new NotJson(`A value of type ${typeof value} is not JSON.`);
  }
}

function visitArray(value: readonly unknown[], depth: number): void {
  if (Object.isFrozen(value)) return;
  // By index, since a hole must be seen: `forEach` would skip it.
  for (let index = 0; index < value.length; index++) visit(value[index], depth + 1);
  Object.freeze(value);
}

function visitObject(value: object, depth: number): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm (a test runner's) have another Object.prototype; its own prototype is null.
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null) {
    throw new NotJson(`A ${value.constructor.name} is not plain JSON.`);
  }
  if (Object.isFrozen(value)) return;
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    // The usual leaf, without a call.
    if (typeof member !== 'string') visit(member, depth + 1);
  }
  Object.freeze(value);
}

/** Freezes a value of plain objects and arrays down to its leaves, unchecked. It must not contain itself. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}

/** Bytes that a value takes as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * An upper bound of the bytes that a value takes as JSON: 6 for a UTF-16 unit, as an escape. Ten times as fast as
 * writing it.
 * @param value as JSON is parsed
 */
export const maxJsonBytes = (value: unknown): number => {
  if (typeof value === 'string') return 3 + 6 * value.length;
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 3;
  for (const key in value)
    bytes += 4 + 6 * key.length + maxJsonBytes((value as Record<string, unknown>)[key]);
  return bytes;
};

/**
 * Whether values take more than `bytes` as JSON, all together. They are written as JSON only if the bound exceeds it.
 */
export const areLarger = (values: readonly unknown[], bytes: number): boolean =>
  sumOf(values, maxJsonBytes) > bytes && sumOf(values, jsonBytes) > bytes;

const sumOf = (values: readonly unknown[], sizeOf: (value: unknown) => number): number => {
  let bytes = 0;
  for (const value of values) bytes += sizeOf(value);
  return bytes;
};

/** Bytes of an object besides its members; of a member of an object or list; of an entry of a Map or Set. */
const OBJECT_BYTES = 64;
const MEMBER_BYTES = 16;
const ENTRY_BYTES = 48;
/** Bytes of a text besides its characters, each of which may take two bytes. */
const TEXT_BYTES = 24;

const weighed = new WeakMap<ReadonlySet<unknown>, number>();

/**
 * Estimated bytes of a value in memory, rather more than less: plain objects, lists, Maps and Sets. An object that it
 * contains several times counts once.
 * @param value is not changed afterwards, so that large Sets are weighed once
 */
export const memoryOf = (value: unknown): number => {
  const seen = new Set<object>();
  const open: unknown[] = [];
  let bytes = 0;
  const add = (member: unknown): void => {
    if (typeof member === 'string') bytes += TEXT_BYTES + 2 * member.length;
    else if (typeof member === 'object' && member !== null) open.push(member);
  };
  add(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const object = next as object;
    if (seen.has(object)) continue;
    seen.add(object);
    bytes += OBJECT_BYTES;
    if (object instanceof Set) {
      bytes += weightOfSet(object);
    } else if (object instanceof Map) {
      bytes += ENTRY_BYTES * object.size;
      for (const [key, member] of object) {
        add(key);
        add(member);
      }
    } else {
      for (const key in object) {
        bytes += MEMBER_BYTES;
        add((object as Record<string, unknown>)[key]);
      }
    }
  }
  return bytes;
};

const weightOfSet = (set: ReadonlySet<unknown>): number => {
  const known = weighed.get(set);
  if (known !== undefined) return known;
  let bytes = 0;
  for (const member of set) bytes += ENTRY_BYTES + memoryOf(member);
  weighed.set(set, bytes);
  return bytes;
};
