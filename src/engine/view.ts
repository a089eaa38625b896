import type { AnyEvent, Stored } from '../core/event.js';
import type { IndexKey } from '../stores/read-store.js';
import type { PersonId } from '../core/vault/port.js';

/**
 * A document of a view: plain JSON. `personal` is sealed under the key of `person` before it reaches the store,
 * and reads as `null` after that key's erasure.
 */
export interface ViewDocument {
  readonly person?: PersonId | null;
  readonly personal?: object | null;
}

/**
 * One read model: a pure fold, one file in `projections/`. A document at position p is a function of the log up to
 * p and of nothing else: no clock, no locale, nothing a store made up (its positions and times).
 */
export interface View<D extends ViewDocument, E extends AnyEvent = AnyEvent> {
  readonly name: string;
  /** Raised with every change of the fold. */
  readonly version: number;
  /** Modules, tables and functions that the fold imports from the domain. They count as its code: see `fingerprintOf`. */
  readonly uses?: readonly unknown[];
  readonly handles: readonly E['type'][];
  /** The document that an event belongs to; `null`: none. Never depends on state. */
  documentId(event: Stored<E>): string | null;
  initial(id: string): D;
  /** The document comes frozen; throwing parks it. */
  evolve(document: D, event: Stored<E>): D;
  /** Removed documents stay as tombstones outside every index and list. */
  removed?(document: D): boolean;
  /** Index name to the document's key in it; `null` leaves it out. Only plain fields: a key is never sealed. */
  readonly indexes?: Readonly<Record<string, (document: D, id: string) => IndexKey | null>>;
}

/** Any view, as code that knows no domain sees it; methods, so that every `View` fits. */
export interface AnyView {
  readonly name: string;
  readonly version: number;
  readonly uses?: readonly unknown[];
  readonly handles: readonly string[];
  documentId(event: Stored): string | null;
  initial(id: string): ViewDocument;
  evolve(document: ViewDocument, event: Stored): ViewDocument;
  removed?(document: ViewDocument): boolean;
  readonly indexes?: Readonly<Record<string, IndexFunction>>;
}

type IndexFunction = { of(document: ViewDocument, id: string): IndexKey | null }['of'];

/** The documents of a view. */
export type DocumentOf<V extends AnyView> = ReturnType<V['initial']>;
