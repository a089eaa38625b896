import type { MaybePromise } from '../core/concurrency.js';
import type { AnyEvent, Stored } from '../core/event.js';
import type { PersonId } from '../core/vault/port.js';
import type { Indexes, Json } from '../stores/read-store.js';

/**
 * A document of a view: plain JSON. `personal` is sealed under the key of `person` before it reaches the store,
 * and reads as `null` after that key's erasure. A view without personal parts leaves both out. Without a `person` there
 * is no `personal`.
 */
export interface ViewDocument {
  readonly person?: PersonId | null;
  readonly personal?: object | null;
}

/**
 * One read model: a pure fold, one file in `projections/`. A document at position p is a function of the log up to p
 * and of nothing else: no clock, no locale, no value that a store assigns (positions, times).
 */
export interface View<D extends ViewDocument, E extends AnyEvent = AnyEvent> {
  readonly name: string;
  /** Raised with every change of the fold. */
  readonly version: number;
  /** Differs if the code does: a generation is folded only by the code that began it; other code builds a new one. */
  readonly fingerprint: string;
  readonly handles: readonly E['type'][];
  /** The document that an event belongs to; `null`: none. Never depends on state. */
  documentId(event: Stored<E>): string | null;
  /** A document before its first event. */
  initial(id: string): D;
  /** Gets a frozen document. If it throws, the document is parked. */
  evolve(document: D, event: Stored<E>): D;
  /** Removed documents stay as tombstones outside every index and list. Left out: none is ever removed. */
  removed?(document: D): boolean;
  /**
   * The values that documents are listed by, by name; `null`: the document has no such value. They are stored unsealed:
   * never return a personal field. Left out: its documents are read by id alone.
   */
  readonly keys?: Readonly<Record<string, (document: D, id: string) => Key>>;
  /**
   * By index name: the names of the keys that it sorts by. It lists the documents that have all of them. Left out if
   * `keys` is.
   */
  readonly indexes?: Indexes;
}

/** A value that a document is listed by; `null`: it has no such value. */
export type Key = string | number | null;

/**
 * Any view, without the types of its events and documents; methods, so that every `View` fits. `documentId`, `keys` and
 * `indexes` return or lack what they do in a `View`.
 */
export interface AnyView {
  readonly name: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly handles: readonly string[];
  documentId(event: Stored): string | null;
  initial(id: string): ViewDocument;
  evolve(document: ViewDocument, event: Stored): ViewDocument;
  removed?(document: ViewDocument): boolean;
  readonly keys?: Readonly<Record<string, KeyFunction>>;
  readonly indexes?: Indexes;
}

type KeyFunction = { of(document: ViewDocument, id: string): Key }['of'];

/** The documents of a view. */
export type DocumentOf<V extends AnyView> = ReturnType<V['initial']>;

/**
 * Converts between a document, as folds get it, and its stored body, in which the personal part is sealed. Returns no
 * promise if the key is cached.
 */
export interface DocumentSealer {
  /** Leaves everything but `personal` as it is. May throw (no key): the segment then stops. */
  seal(document: ViewDocument): MaybePromise<Json>;
  /** The inverse; `personal` is `null` once its person is erased. */
  open(body: Json): MaybePromise<ViewDocument>;
  /**
   * The document with `personal` as `null`, for which no key is needed. Without this method, the document is opened
   * instead.
   */
  outline?(body: Json): ViewDocument;
}
