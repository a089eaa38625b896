import type { Stored } from '../../core/event.js';
import { START, type Position } from '../../core/event-store.js';
import { assertSortable } from '../../stores/index-key.js';
import type { FoldFailure, Keys } from '../../stores/read-store.js';
import { discreetReason, IndexFailed } from '../errors.js';
import type { FoldGuard, FoldTimedOut } from './fold-guard.js';
import { freezeJson } from '../../core/json.js';
import type { AnyView, ViewDocument } from '../view.js';

/** The event that a document could not take, and why. */
export interface Refusal {
  readonly event: Stored;
  readonly reason: string;
}

/** How a strict fold names what it stops at. @param documentId `null`: the event could not be assigned to any */
export const failureOf = ({ event, reason }: Refusal, documentId: string | null): FoldFailure => ({
  eventId: event.id,
  eventType: event.type,
  position: event.position,
  documentId,
  message: reason,
});

/** What indexes make of a document. */
export interface Listing {
  readonly removed: boolean;
  readonly keys: Keys;
}

/** A document's content in the middle of a fold: all of it changes at once, wherever the fold is broken off. */
interface State {
  readonly content: ViewDocument | null;
  /** `null`: not asked for yet. */
  readonly listing: Listing | null;
  readonly at: Position;
}

/** One document being folded. What calls the view's code is only for a `FoldGuard` to run. */
export class Folding {
  /** The first event that it could not take: its content stays as it was before, whatever follows. */
  refusal: Refusal | null = null;
  #state: State;

  /** @param former its content before the first of `events`, settled; `null`: it has none yet */
  constructor(
    readonly view: AnyView,
    readonly id: string,
    former: ViewDocument | null,
    readonly events: readonly Stored[],
  ) {
    this.#state = { content: former, listing: null, at: START };
  }

  get content(): ViewDocument | null {
    return this.#state.content;
  }

  get listing(): Listing {
    return this.#state.listing ?? UNLISTED;
  }

  /** False where no event was taken, so that nothing has asked yet. */
  get isListed(): boolean {
    return this.#state.listing !== null;
  }

  /** The next event; one that was taken already is passed over. */
  take(event: Stored): void {
    const { content, at } = this.#state;
    if (this.refusal !== null || event.position <= at) return;
    try {
      const next = freezeJson(this.view.evolve(content ?? freezeJson(this.view.initial(this.id)), event));
      // After each event, not at the page's end: where a document parks must not depend on the pages.
      this.#state = { content: next, listing: listingOf(this.view, this.id, next), at: event.position };
    } catch (error) {
      this.refuse(event, discreetReason(error, [event.personal, content?.personal]));
    }
  }

  refuse(event: Stored, reason: string): void {
    this.refusal ??= { event, reason };
  }

  /**
   * Without content it is listed as what it begins with, so that one that is parked before its first event shows where
   * its id alone tells the place.
   * @throws {IndexFailed} the indexes cannot cope with what it was before
   */
  list(): void {
    const { content } = this.#state;
    const listing = content === null ? unbegun(this.view, this.id) : listingOf(this.view, this.id, content);
    this.#state = { ...this.#state, listing };
  }

  /** Its code did not come to an end. @throws {FoldTimedOut} over what it was before */
  unlist(timedOut: FoldTimedOut): void {
    if (this.#state.content !== null) throw timedOut;
    this.#state = { ...this.#state, listing: UNLISTED };
  }
}

/**
 * Folds documents, all of their events and what indexes make of them.
 * Rejects where what a document was before makes its indexes throw, or loop.
 */
export async function foldTogether(guard: FoldGuard, foldings: readonly Folding[]): Promise<void> {
  const events: Stored[] = [];
  const folder: Folding[] = [];
  for (const folding of foldings) {
    for (const event of folding.events) {
      events.push(event);
      folder.push(folding);
    }
  }
  await guard.each(
    events,
    (event, n) => folder[n]?.take(event),
    (event, timedOut, n) => folder[n]?.refuse(event, timedOut.message),
  );
  const unlisted = foldings.filter(({ isListed }) => !isListed);
  if (unlisted.length === 0) return;
  await guard.each(
    unlisted,
    (folding) => folding.list(),
    (folding, timedOut) => folding.unlist(timedOut),
  );
}

const UNLISTED: Listing = { removed: false, keys: {} };

/** Its first event may be refused for the very fault that it begins with. */
function unbegun(view: AnyView, id: string): Listing {
  try {
    return listingOf(view, id, view.initial(id));
  } catch {
    return UNLISTED;
  }
}

/** What a document is listed by. Throws what the view's own functions throw. */
export function keysOf(view: AnyView, document: ViewDocument, id: string): Keys {
  const keys: Record<string, string | number> = {};
  for (const name in view.keys) {
    const value = view.keys[name]?.(document, id) ?? null;
    if (value !== null) keys[name] = value;
  }
  return keys;
}

/** @throws {IndexFailed} the view's own functions fail, or give what is no key */
function listingOf(view: AnyView, id: string, content: ViewDocument): Listing {
  try {
    if (view.removed?.(content)) return { removed: true, keys: {} };
    const keys = keysOf(view, content, id);
    assertSortable(Object.values(keys));
    return { removed: false, keys };
  } catch (error) {
    const reason = discreetReason(error, [content.personal]);
    throw new IndexFailed(`The index keys of document ${id} cannot be made: ${reason}`);
  }
}
