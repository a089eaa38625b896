import { BrokenSeal, MissingKey } from '../../core/vault/port.js';
import type { StoredDocument } from '../../stores/read-store.js';
import { reasonOf } from '../errors.js';
import type { DocumentSealer, ViewDocument } from '../view.js';
import type { ReplayedDocument } from './replay.js';

/** The compared parts of a document: everything but its position and its repairs. */
export interface Comparable {
  /** Position of the event before which the document is parked; `null`: it is not parked. */
  readonly parkedAt: string | null;
  readonly deleted: boolean;
  /** The unsealed document; `null`: no event was folded into it. */
  readonly body: ViewDocument | null;
}

/** A stored document that does not open. @param reason a sentence */
export class Unreadable {
  constructor(readonly reason: string) {}
}

/** Errors of a document that was changed in the store: the seal of another person, no seal, or an unknown person. */
const FAULTS = [BrokenSeal, MissingKey, TypeError, SyntaxError] as const;

/**
 * The compared parts of a stored document; `null`: there is none, or only an empty tombstone (a repair writes one if
 * all events of the document are skipped).
 * @throws {VaultUnavailable} and every other error that is not the document's own
 */
export async function comparableOfStored(
  sealer: DocumentSealer,
  stored: StoredDocument | null,
): Promise<Comparable | Unreadable | null> {
  if (stored === null || (stored.deleted && stored.body === null)) return null;
  const { parkedAt, deleted, body } = stored;
  try {
    return { parkedAt, deleted, body: body === null ? null : await sealer.open(body) };
  } catch (error) {
    if (FAULTS.some((fault) => error instanceof fault)) return new Unreadable(reasonOf(error));
    throw error;
  }
}

/**
 * The compared parts of a replayed document, as if it had been stored: the personal part of an erased person is `null`.
 */
export async function comparableOfReplayed(
  sealer: DocumentSealer,
  replayed: ReplayedDocument | null,
): Promise<Comparable | null> {
  if (replayed === null) return null;
  const { content, listing, parked } = replayed;
  return {
    parkedAt: parked?.position ?? null,
    deleted: listing.removed && parked === null,
    body: content?.personal ? await sealer.open(await sealer.seal(content)) : content,
  };
}

/** Shown in place of a personal part; no JSON text is equal to it. */
const CONCEALED = '(personal)';

/**
 * The places at which two documents differ, as pointers into the stored document (`/parkedAt`, `/body/…`). Of a
 * personal part, only the fact that it differs is returned.
 * @param max the most places to return
 */
export function differencesBetween(left: Comparable, right: Comparable, max: number): Differences {
  const plain = differencesOf(withoutPersonal(left), withoutPersonal(right), max);
  const mine = left.body?.personal;
  const theirs = right.body?.personal;
  if (isNone(differencesOf(mine, theirs, 0))) return plain;
  const personal: Difference = { path: '/body/personal', left: concealed(mine), right: concealed(theirs) };
  if (plain.more || plain.first.length >= max) return { ...plain, more: true };
  return { first: [...plain.first, personal], more: false };
}

/** Whether two documents have the same content, personal parts included; `null`: there is no document. */
export const areAlike = (left: Comparable | null, right: Comparable | null): boolean =>
  left === null || right === null ? left === right : isNone(differencesBetween(left, right, 0));

const withoutPersonal = (said: Comparable): object =>
  said.body === null ? said : { ...said, body: { ...said.body, personal: undefined } };

const concealed = (personal: unknown): string | null => {
  if (personal === undefined) return null;
  return personal === null ? 'null' : CONCEALED;
};

/** A place at which two JSON values differ. */
export interface Difference {
  /** A JSON pointer (RFC 6901); empty: the whole value. */
  readonly path: string;
  /** As JSON text, cut off if it is long; `null`: the left side has no value there. */
  readonly left: string | null;
  /** As `left`, of the right side; `null`: it has no value there. */
  readonly right: string | null;
}

/** The first differences of two values. */
export interface Differences {
  readonly first: readonly Difference[];
  /** There are others. */
  readonly more: boolean;
}

/** Whether no difference was found. */
export const isNone = ({ first, more }: Differences): boolean => first.length === 0 && !more;

/** Most characters of a value that is shown. */
const MAX_TEXT = 200;

/**
 * The first places at which two plain JSON values differ, each as deep as both go: members in the order of the left
 * one, then those that only the right one has. The order of members is no difference.
 * @param max the most places to return
 */
export function differencesOf(left: unknown, right: unknown, max: number): Differences {
  const first: Difference[] = [];
  for (const difference of walk(left, right, '')) {
    if (first.length >= max) return { first, more: true };
    first.push(difference);
  }
  return { first, more: false };
}

function* walk(left: unknown, right: unknown, path: string): Generator<Difference, void, undefined> {
  if (left === right) return;
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length);
    for (let index = 0; index < length; index++) yield* walk(left[index], right[index], `${path}/${index}`);
  } else if (isObject(left) && isObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      yield* walk(memberOf(left, key), memberOf(right, key), `${path}/${escaped(key)}`);
  } else {
    yield { path, left: shown(left), right: shown(right) };
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own members only: a document may have one named `constructor`. */
const memberOf = (value: JsonObject, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

/** A document that differs from what it was compared with. */
export interface Finding<Kind extends string> {
  readonly id: string;
  readonly kind: Kind;
  /** The first places at which it differs; empty if the kind says enough. */
  readonly fields: readonly Difference[];
  /** It differs in other places too. */
  readonly more: boolean;
  /** A sentence with further details; `null`: there are none. */
  readonly note: string | null;
}

/** The result of a comparison of documents: plain data, which the operator's commands print as text or JSON. */
export interface Report<Kind extends string> {
  /** Documents that were compared, the findings among them. */
  readonly compared: number;
  /** How many documents differ. */
  readonly different: number;
  readonly kinds: Readonly<Record<Kind, number>>;
  /** Documents that changed faster than they could be compared. */
  readonly moving: number;
  readonly first: readonly Finding<Kind>[];
}

/** How many findings are described. */
export interface Shown {
  /** The most documents that differ. */
  readonly documents: number;
  /** The most fields of a document that differ. */
  readonly fields: number;
}

/** How much a report describes by default. */
export const SHOWN: Shown = { documents: 10, fields: 5 };

/** Gathers a report. The caller counts `compared` and `moving` itself, and adds each document that differs once. */
export class Findings<Kind extends string> {
  compared = 0;
  moving = 0;
  readonly #kinds: Record<Kind, number>;
  readonly #first: Finding<Kind>[] = [];

  constructor(
    none: Readonly<Record<Kind, 0>>,
    readonly shown: Shown,
  ) {
    this.#kinds = { ...none };
  }

  /** Counts a document that differs. Only the first `shown.documents` are described. */
  add(kind: Kind, id: string, { first, more }: Differences = NOTHING, note: string | null = null): void {
    this.#kinds[kind]++;
    if (this.#first.length < this.shown.documents) this.#first.push({ id, kind, fields: first, more, note });
  }

  report(): Report<Kind> {
    const { compared, moving } = this;
    const kinds = { ...this.#kinds };
    const different = Object.values<number>(kinds).reduce((sum, count) => sum + count, 0);
    return { compared, different, kinds, moving, first: [...this.#first] };
  }
}

const NOTHING: Differences = { first: [], more: false };
