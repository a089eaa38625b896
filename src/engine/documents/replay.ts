import { START, type Position } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import { DocumentTooLarge } from '../../stores/errors.js';
import type { FoldFailure, StoredDocument, ViewCollection } from '../../stores/read-store.js';
import { documentText, MAX_DOCUMENT_BYTES } from '../../stores/rules.js';
import { foldGuard } from '../fold/fold-guard.js';
import { failureOf, Folding, foldTogether, type Listing } from '../fold/folding.js';
import type { DocumentSealer, AnyView, ViewDocument } from '../view.js';
import { ownEvents, type FoldStores, type ReadingOptions, chunksOf } from './reading.js';

/** A document as folded from the events of the log. */
export interface ReplayedDocument {
  readonly id: string;
  /** Position of its last event up to the target, even if that could not be folded. */
  readonly position: Position;
  /** Unsealed. `null`: its first event could not be folded. */
  readonly content: ViewDocument | null;
  readonly listing: Listing;
  /** The event that could not be folded; `null`: all were folded. */
  readonly parked: FoldFailure | null;
  /**
   * If it is parked because it is too large: its content after all events. Once a later event makes it small enough, it
   * is no longer parked.
   */
  readonly tooLarge?: ViewDocument;
}

/** Up to which position, inclusive, a document's events count, by its id. */
export type Targets = ReadonlyMap<string, Position>;

/** The handling of events that are left out: those of other documents, or after their document's target. */
export interface Others {
  /** Called for each, with its document. */
  onLeftOut(id: string, position: Position): void;
  /** The log is read up to here, if that is beyond every target. */
  readonly upTo: Position;
}

export interface ReplayOptions extends ReadingOptions {
  /** The result of a former call, from which this one continues: each document exactly as of its former target. */
  readonly carried?: { readonly documents: ReadonlyMap<string, ReplayedDocument>; readonly targets: Targets };
  /** Without it, events that are left out are not reported, and the log is read to the last target only. */
  readonly others?: Others;
}

/**
 * Folds documents from their first event, each up to its own position, in one read of the log. Documents without an
 * event up to their position are left out. Memory: one page of events, and the documents. Throws what `ownEvents`
 * throws, and what sealing throws for a document too large to be stored.
 */
export async function replayDocuments(
  stores: FoldStores,
  view: AnyView,
  targets: Targets,
  options: ReplayOptions,
): Promise<Map<string, ReplayedDocument>> {
  const { carried, others } = options;
  const known = (id: string): Position => carried?.targets.get(id) ?? START;
  const folds = new Replay(view, stores.sealer);
  for (const [id, document] of carried?.documents ?? [])
    if (targets.has(id)) folds.documents.set(id, document);
  const after = [...targets.keys()].map(known).reduce(earlier, others ? START : LAST);
  const upTo = [...targets.values()].reduce(later, others?.upTo ?? START);
  if (upTo <= after) return folds.documents;
  for await (const page of ownEvents(stores, view, { after, upTo }, options)) {
    for (const [id, events] of page) {
      const target = targets.get(id) ?? START;
      if (others) for (const { position } of events) if (position > target) others.onLeftOut(id, position);
      const from = known(id);
      folds.take(
        id,
        events.filter(({ position }) => position > from && position <= target),
      );
    }
    await folds.fold();
  }
  return folds.documents;
}

/** Greater than every position. */
const LAST = '\u{10ffff}' as Position;
const earlier = (a: Position, b: Position): Position => (a < b ? a : b);
const later = (a: Position, b: Position): Position => (a > b ? a : b);

/** Documents that are being replayed: `take` the events of a page, then `fold`; read `documents` after the last. */
export class Replay {
  readonly documents = new Map<string, ReplayedDocument>();
  #foldings: Folding[] = [];

  constructor(
    private readonly view: AnyView,
    private readonly sealer: DocumentSealer,
  ) {}

  /** Adds the events of a document that come next in the log: once for each document between two calls of `fold`. */
  take(id: string, events: readonly Stored[]): void {
    const last = events.at(-1);
    if (last === undefined) return;
    const before = this.documents.get(id);
    const content = before?.tooLarge ?? before?.content ?? null;
    // Any other parked document only moves its position.
    if (before?.parked && !before.tooLarge) this.documents.set(id, { ...before, position: last.position });
    else this.#foldings.push(new Folding(this.view, id, content, events));
  }

  /** Folds the events that `take` has added. Throws what sealing throws. */
  async fold(): Promise<void> {
    const foldings = this.#foldings;
    this.#foldings = [];
    await foldTogether(foldGuard, foldings);
    for (const folding of foldings) this.documents.set(folding.id, await this.#outcome(folding));
  }

  async #outcome(folding: Folding): Promise<ReplayedDocument> {
    const { id, content, listing, events, refusal } = folding;
    const position = events.at(-1)?.position ?? START;
    if (await fits(this.sealer, id, content))
      return { id, position, content, listing, parked: refusedBy(folding) };
    const before = this.documents.get(id);
    const parked = before?.tooLarge
      ? { id, position, content: before.content, listing: before.listing, parked: before.parked }
      : await this.#oneByOne(folding);
    // An event that was refused keeps it parked, however small later ones would make it.
    const isFolded = refusal === null && content !== null;
    return isFolded ? { ...parked, tooLarge: content } : parked;
  }

  /** The document is too large at the page's end: parks it at the first event that made it so, as live passes do. */
  async #oneByOne({ view, id, events }: Folding): Promise<ReplayedDocument> {
    const position = events.at(-1)?.position ?? START;
    let content = this.documents.get(id)?.content ?? null;
    let listing = this.documents.get(id)?.listing ?? UNLISTED;
    for (const event of events) {
      const step = new Folding(view, id, content, [event]);
      await foldTogether(foldGuard, [step]);
      if (!(await fits(this.sealer, id, step.content))) step.refuse(event, TOO_LARGE);
      if (step.refusal !== null) return { id, position, content, listing, parked: refusedBy(step) };
      ({ content, listing } = step);
    }
    return { id, position, content, listing, parked: null };
  }
}

const UNLISTED: Listing = { removed: false, keys: {} };
const TOO_LARGE = 'The document would be larger than 16 MiB.';

const refusedBy = ({ id, refusal }: Folding): FoldFailure | null => refusal && failureOf(refusal, id);

/** Most bytes of a UTF-16 code unit as UTF-8 and then, sealed, as base64. */
const SEALED_BYTES = 4;
/** Bytes of a document's other fields. */
const OVERHEAD_BYTES = 4096;

/** Whether a document can be stored. Only a large one is sealed for it. Throws what sealing throws. */
export async function fits(
  sealer: DocumentSealer,
  id: string,
  content: ViewDocument | null,
): Promise<boolean> {
  if (content === null) return true;
  if (JSON.stringify(content).length * SEALED_BYTES + OVERHEAD_BYTES <= MAX_DOCUMENT_BYTES) return true;
  try {
    const body = await sealer.seal(content);
    documentText({ id, position: START, parkedAt: null, deleted: false, body });
    return true;
  } catch (error) {
    if (error instanceof DocumentTooLarge) return false;
    throw error;
  }
}

/** A stored document, and its replay up to exactly its position. */
export interface Pair {
  readonly stored: StoredDocument;
  /** `null`: it has no event. */
  readonly replayed: ReplayedDocument | null;
}

export interface CatchUpOptions extends ReadingOptions {
  /** As in `ReplayOptions`, of the first reading of the log alone. */
  readonly others?: Others;
}

/** Documents read at once. */
const CHUNK = 100;

/**
 * Each round folds only the events that came during the round before, so that a few rounds are enough even for a busy
 * document.
 */
const MAX_ROUNDS = 20;

/**
 * Replays stored documents and passes each on together with its replay. A document that moves meanwhile is folded up to
 * its new position in the next round. Memory: the replays of all targets.
 * @param targets positions of the documents; those that no longer exist are left out
 * @param deal called with pairs of a stored document and its replay at the same position. It returns the ids of those
 * that moved before it was done with them: they come again in the next round
 * @returns ids of documents that moved in every round
 */
export async function foldUntilCaughtUp(
  stores: FoldStores,
  view: AnyView,
  collection: ViewCollection,
  targets: Targets,
  { others, ...options }: CatchUpOptions,
  deal: (pairs: readonly Pair[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let open = targets;
  let carried: NonNullable<ReplayOptions['carried']> | null = null;
  // Without any target, the log is read once for the `others`.
  for (let round = 0; round < MAX_ROUNDS && (open.size > 0 || (others && round === 0)); round++) {
    const documents: ReadonlyMap<string, ReplayedDocument> = await replayDocuments(stores, view, open, {
      ...options,
      ...(carried === null ? others && { others } : { carried }),
    });
    carried = { documents, targets: open };
    const moved = new Map<string, Position>();
    for (const ids of chunksOf(open.keys(), CHUNK)) {
      options.signal?.throwIfAborted();
      for (const [id, position] of await dealWith(ids, open, documents, collection, deal))
        moved.set(id, position);
    }
    open = moved;
  }
  return [...open.keys()];
}

/** @returns the documents that have moved, with their positions now */
async function dealWith(
  ids: readonly string[],
  targets: Targets,
  documents: ReadonlyMap<string, ReplayedDocument>,
  collection: ViewCollection,
  deal: (pairs: readonly Pair[]) => Promise<readonly string[]>,
): Promise<Targets> {
  const current = await collection.getMany(ids);
  const pairs = [...current.values()]
    .filter(({ id, position }) => targets.get(id) === position)
    .map((stored) => ({ stored, replayed: documents.get(stored.id) ?? null }));
  const again = await deal(pairs);
  const moved = new Map<string, Position>();
  for (const { id, position } of current.values()) if (targets.get(id) !== position) moved.set(id, position);
  for (const { id, position } of (await collection.getMany(again)).values()) moved.set(id, position);
  return moved;
}
