import { START, type Position } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import { freezeJson } from '../../core/json.js';
import { assertSortable } from '../../stores/index-key.js';
import type { FoldFailure, Keys } from '../../stores/read-store.js';
import { discreetReason, IndexFailed } from '../errors.js';
import type { AnyView, ViewDocument } from '../view.js';
import type { FoldGuard, FoldTimedOut } from './fold-guard.js';

/** The event that could not be folded into a document, and why. */
export interface Refusal {
  readonly event: Stored;
  readonly reason: string;
}

/**
 * A refusal as the failure that stops the build of a generation (`FoldRules.strict`).
 * @param documentId `null`: the event could not be assigned to a document
 */
export const failureOf = ({ event, reason }: Refusal, documentId: string | null): FoldFailure => ({
  eventId: event.id,
  eventType: event.type,
  position: event.position,
  documentId,
  message: reason,
});

/** Where a document is in the indexes. */
export interface Listing {
  /** Whether the document is removed, and so in no list. */
  readonly removed: boolean;
  readonly keys: Keys;
}

/** The state of a fold, replaced as a whole: the guard may interrupt it anywhere. */
interface State {
  readonly content: ViewDocument | null;
  /** `null`: not computed yet. */
  readonly listing: Listing | null;
  /** The last event taken. */
  readonly at: Position;
}

/**
 * One document being folded. A `FoldGuard` runs `take` for each event and then `list`, since they call the view's code,
 * which may loop. If one takes too long, the guard interrupts it and `refuse` or `unlist` is called.
 */
export class Folding {
  /** The first event that could not be folded. Neither it nor later ones change the content. */
  refusal: Refusal | null = null;
  #state: State;

  /** @param former its frozen content before the first of `events`; `null`: it has none yet */
  constructor(
    readonly view: AnyView,
    readonly id: string,
    former: ViewDocument | null,
    readonly events: readonly Stored[],
  ) {
    this.#state = { content: former, listing: null, at: START };
  }

  /** After the last event that was folded; `null`: there was none, and no former content. */
  get content(): ViewDocument | null {
    return this.#state.content;
  }

  /** That of the content; without keys until `isListed`. */
  get listing(): Listing {
    return this.#state.listing ?? UNLISTED;
  }

  /** Whether the listing is computed. It is not if no event was taken. */
  get isListed(): boolean {
    return this.#state.listing !== null;
  }

  /** Folds the next event, unless it was taken already. */
  take(event: Stored): void {
    const { content, at } = this.#state;
    if (this.refusal !== null || event.position <= at) return;
    try {
      const next = freezeJson(this.view.evolve(content ?? freezeJson(this.view.initial(this.id)), event));
      // The keys are computed after each event, not once a page: else the page's end would decide at which event a
      // document is parked.
      this.#state = { content: next, listing: listingOf(this.view, this.id, next), at: event.position };
    } catch (error) {
      this.refuse(event, discreetReason(error, [event.personal, content?.personal]));
    }
  }

  /** Records that an event could not be folded, unless one before it was refused. */
  refuse(event: Stored, reason: string): void {
    this.refusal ??= { event, reason };
  }

  /**
   * Computes the listing. Without content it is that of the initial document: a document that is parked before its first
   * event is listed by the keys that follow from its id alone.
   * @throws {IndexFailed} the index functions fail over the former content
   */
  list(): void {
    const { content } = this.#state;
    const listing =
      content === null ? initialListing(this.view, this.id) : listingOf(this.view, this.id, content);
    this.#state = { ...this.#state, listing };
  }

  /** Call it if `list` has timed out. @throws {FoldTimedOut} `list` has read stored content */
  unlist(timedOut: FoldTimedOut): void {
    if (this.#state.content !== null) throw timedOut;
    this.#state = { ...this.#state, listing: UNLISTED };
  }
}

/**
 * Folds all events of these documents, and computes their listings.
 * Rejects if the index functions of a view throw, or loop, over stored content.
 */
export async function foldTogether(guard: FoldGuard, foldings: readonly Folding[]): Promise<void> {
  const events: Stored[] = [];
  /** The folding of each event in `events`, by the same index. */
  const owners: Folding[] = [];
  for (const folding of foldings) {
    for (const event of folding.events) {
      events.push(event);
      owners.push(folding);
    }
  }
  await guard.each(
    events,
    (event, n) => owners[n]?.take(event),
    (event, timedOut, n) => owners[n]?.refuse(event, timedOut.message),
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

/** The listing of a document without content. The index functions may fail: they may be why the first event was refused. */
function initialListing(view: AnyView, id: string): Listing {
  try {
    return listingOf(view, id, view.initial(id));
  } catch {
    return UNLISTED;
  }
}

/** The index keys of a document. Throws what the view's own functions throw. */
export function keysOf(view: AnyView, document: ViewDocument, id: string): Keys {
  const keys: Record<string, string | number> = {};
  for (const name in view.keys) {
    const value = view.keys[name]?.(document, id) ?? null;
    if (value !== null) keys[name] = value;
  }
  return keys;
}

/** @throws {IndexFailed} the view's own functions fail, or return no valid key */
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
