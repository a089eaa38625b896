/*
 * The rules of every read store: limits of its input, when a guarded write or a pointer replaces the stored one, and
 * the forms of names.
 */
import type { Position } from '../core/event-store.js';
import { DocumentTooLarge } from './errors.js';
import { assertIndexKey, assertSortable, MAX_KEY_PARTS } from './index-key.js';
import type {
  GenerationName,
  GuardedWrite,
  Indexes,
  PageOptions,
  Pointer,
  StoredDocument,
  WriteResult,
} from './read-store.js';

/** A collection's indexes: each with the names of the values that it sorts by. */
export type DeclaredIndexes = ReadonlyMap<string, readonly string[]>;

/** Largest JSON text of one stored document, in UTF-8 bytes: 16 MiB less what a store adds to it. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 - 64 * 1024;

/**
 * A document's JSON text, which every limit counts. Documents must already be plain JSON: `undefined`, dates and -0 are
 * not, and each store would change them in its own way.
 * @throws {DocumentTooLarge} more than 16 MiB
 */
export function documentText({ id, position, parkedAt, deleted, repairs, body }: StoredDocument): string {
  const text = JSON.stringify({ id, position, parkedAt, deleted, ...(repairs && { repairs }), body });
  // A UTF-16 code unit is at most three bytes, so most texts need no counting.
  if (text.length * 3 > MAX_DOCUMENT_BYTES && Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
    throw new DocumentTooLarge(id);
  return text;
}

/**
 * Refuses a batch that is wrong in itself, before anything of it is written.
 * @throws {TypeError} an id twice, an id that is empty or not well-formed Unicode, repairs that do not follow the
 *   expected ones, a value that no index sorts by, or one that an index cannot sort by
 */
export function assertBatch(batch: readonly GuardedWrite[], indexes: DeclaredIndexes): void {
  const seen = new Set<string>();
  const declared = new Set([...indexes.values()].flat());
  for (const guarded of batch) {
    const { document, keys } = guarded;
    // Half a surrogate pair has no UTF-8: two such ids could become one.
    if (document.id === '' || !document.id.isWellFormed()) {
      throw new TypeError(`A document's id is a text that is not empty, not ${JSON.stringify(document.id)}.`);
    }
    if (seen.has(document.id)) throw new TypeError(`The batch holds the document ${document.id} twice.`);
    seen.add(document.id);
    assertRepairs(guarded);
    assertSortable(Object.values(keys));
    for (const name in keys) {
      if (!declared.has(name)) throw new TypeError(`The collection declares no index by ${name}.`);
    }
  }
}

/**
 * @throws {TypeError} a page's limits are no positive integers, it has both a bound and a text to start with, or
 * its index is undeclared or sorts by fewer values
 */
export function assertPage(options: PageOptions, indexes: DeclaredIndexes): void {
  const { index, prefix, limit, maxBytes = 1, from, upTo, startsWith } = options;
  for (const count of [limit, maxBytes]) {
    if (!Number.isSafeInteger(count) || count < 1)
      throw new TypeError(`A page's limit is a positive integer, not ${count}.`);
  }
  if ((from ?? upTo) !== undefined && startsWith !== undefined)
    throw new TypeError('A page has bounds or a text to start with, not both.');
  const names = indexes.get(index);
  if (names === undefined) throw new TypeError(`The collection declares no index named ${index}.`);
  const bound = upTo ?? from ?? startsWith;
  const key = bound === undefined ? prefix : [...prefix, bound];
  assertIndexKey(key);
  if (from !== undefined) assertSortable([from]);
  if (key.length > names.length)
    throw new TypeError(`The index ${index} sorts by ${names.length} values, not by ${key.length}.`);
}

const BELONGS_TO = /^([a-z][A-Za-z0-9-]{0,79}\.v\d{1,9}\.g\d{1,15})(?:\.|$)/;
const INDEX = /^[A-Za-z][A-Za-z0-9]{0,59}$/;

/** Whether a text has the form of a generation’s name. */
export const isGenerationName = (name: string): name is GenerationName => generationOf(name) === name;

/** @throws {TypeError} the name is not `<view>.v<version>.g<generation>` */
export function assertGenerationName(name: string): asserts name is GenerationName {
  if (!isGenerationName(name)) {
    throw new TypeError(
      `A generation is named <view>.v<version>.g<generation>, not ${JSON.stringify(name)}.`,
    );
  }
}

/**
 * A collection's indexes by their names.
 * @throws {TypeError} an index or a value it sorts by is not named by a word of at most 60 letters and digits, or an index
 * sorts by none, too many, or one twice
 */
export function declaredIndexes(indexes: Indexes): DeclaredIndexes {
  for (const [index, names] of Object.entries(indexes)) {
    for (const name of [index, ...names]) {
      if (!INDEX.test(name))
        throw new TypeError(
          `An index, or a value it sorts by, is named by at most 60 letters and digits, not ${JSON.stringify(name)}.`,
        );
    }
    if (names.length === 0 || names.length > MAX_KEY_PARTS || new Set(names).size < names.length)
      throw new TypeError(`The index ${index} sorts by 1 to ${MAX_KEY_PARTS} different values.`);
  }
  return new Map(Object.entries(indexes));
}

/** The generation that a checkpoint or lease belongs to by its name (`signal.v2.g7.3of8`); `null`: to none. */
export const generationOf = (name: string): GenerationName | null =>
  (BELONGS_TO.exec(name)?.[1] ?? null) as GenerationName | null;

/** The view that a generation belongs to. */
export const viewOf = (name: GenerationName): string => name.slice(0, name.indexOf('.'));

/** The stored document, as far as a guarded write compares it. */
export interface Current {
  readonly position: string;
  readonly repairs: number;
}

/** A write's guard, and what is stored once it is written. */
export interface Guard {
  /** `null`: there must be no document. */
  readonly expected: Position | null;
  readonly expectedRepairs: number;
  readonly position: Position;
  readonly repairs: number;
}

/** A write's guard, with the defaults filled in. */
export const guardOf = ({ expected, expectedRepairs = 0, document }: GuardedWrite): Guard => ({
  expected,
  expectedRepairs,
  position: document.position,
  repairs: document.repairs ?? 0,
});

/** Whether the write may replace the stored document. @param current `null`: there is no document */
export const holds = ({ expected, expectedRepairs }: Guard, current: Current | null): boolean =>
  expected === null
    ? current === null
    : current?.position === expected && current.repairs === expectedRepairs;

/** The result of a write whose guard does not hold. */
export const refusal = (
  { expectedRepairs, position, repairs }: Guard,
  current: Current | null,
): WriteResult => {
  const foldsOn = repairs === expectedRepairs && current?.repairs === expectedRepairs;
  return foldsOn && current.position >= position ? 'ahead' : 'behind';
};

/**
 * No two contents of a document ever have the same position and as many repairs: a guard that holds means that nothing
 * was written since.
 * @throws {TypeError} the position decreases, or `repairs` is neither the expected number nor, for a repair, one more
 */
export function assertRepairs({ expected, expectedRepairs = 0, document }: GuardedWrite): void {
  const { id, position, repairs = 0 } = document;
  if (!isCount(expectedRepairs) || (expected === null && expectedRepairs !== 0)) {
    throw new TypeError(`No document ${id} can be expected with ${expectedRepairs} repairs.`);
  }
  if (expected !== null && position < expected)
    throw new TypeError(`The document ${id} cannot go back from ${expected} to ${position}.`);
  const due = position === expected ? expectedRepairs + 1 : expectedRepairs;
  if (repairs === due) return;
  throw new TypeError(
    `The document ${id} has to be written with ${due} repairs, not ${repairs}: a fold onward keeps their number, a ` +
      'repair at the same position adds one.',
  );
}

/** @throws {TypeError} the pointer is not the one that follows */
export function assertFollows(view: string, expected: number | null, next: Pointer): void {
  const isRevision = expected === null || (isCount(expected) && expected > 0);
  if (isRevision && next.revision === (expected ?? 0) + 1) return;
  throw new TypeError(
    `A pointer of ${view} with revision ${next.revision} does not follow ${expected === null ? 'none' : `revision ${expected}`}.`,
  );
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
