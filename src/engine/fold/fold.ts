import { isPromise, type MaybePromise, whenThere } from '../../core/concurrency.js';
import type { Position } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import { freezeJson } from '../../core/json.js';
import { DocumentTooLarge } from '../../stores/errors.js';
import type { FoldFailure, GuardedWrite, Indexes, StoredDocument } from '../../stores/read-store.js';
import { reasonOf } from '../errors.js';
import type { Segment } from '../segments.js';
import type { DocumentSealer, AnyView, ViewDocument } from '../view.js';
import type { AssignedEvents } from './assign-events.js';
import type { FoldGuard } from './fold-guard.js';
import { failureOf, Folding, foldTogether, type Listing, type Refusal } from './folding.js';

/** The index of parked documents, declared on every collection: health checks list them by it. */
export const PARKED_INDEX = 'engineParked';
/** Its declaration. */
export const PARKED: Indexes = { [PARKED_INDEX]: [PARKED_INDEX] };

/** A document that a fold could not change, and why. Later events are not folded into it until it is repaired. */
export interface Parked {
  readonly documentId: string;
  readonly position: Position;
  readonly reason: string;
}

/** The result of a fold. */
export interface FoldedDocument {
  readonly write: GuardedWrite;
  /** Set if this fold has parked the document. */
  readonly parked: Parked | null;
}

/** The outcome of a document's fold. */
export interface Content {
  /** `null`: none yet. */
  readonly content: ViewDocument | null;
  readonly listing: Listing;
  /** Position of the event before which it is parked; `null`: it is not parked. */
  readonly parkedAt: Position | null;
}

/** A document that is folded on from its stored state; nothing is sealed or stored yet. */
export interface DocumentFold {
  /** As read; `null`: there was none. */
  readonly before: StoredDocument | null;
  readonly folding: Folding;
  /** Position of the last event that was folded. */
  readonly position: Position;
}

/**
 * The write of a replayed document over exactly the stored one: it raises `repairs` by one and leaves the position as it
 * is. If every event is skipped, it writes a tombstone without a body. Throws what sealing throws.
 */
export async function describeReplayed(
  sealer: DocumentSealer,
  { id, position, repairs = 0 }: StoredDocument,
  replayed: Content,
): Promise<GuardedWrite> {
  return await describe(
    sealer,
    { id, expected: position, expectedRepairs: repairs, position, repairs: repairs + 1 },
    replayed,
  );
}

/**
 * Prepares one document for folding from its position to the last of `events`, all of which are its own, in log order.
 * Skipped events only move its position; if there are no others, the outcome is a tombstone without a body.
 * @param before as read; `null`: there is none yet
 * @returns `null` if it is at that position already; without a promise if opening needs none
 * @throws what opening throws
 */
export function openFold(
  view: AnyView,
  sealer: DocumentSealer,
  id: string,
  before: StoredDocument | null,
  events: readonly Stored[],
  skipped: ReadonlySet<string>,
): MaybePromise<DocumentFold | null> {
  const unseen = before === null ? events : events.filter(({ position }) => position > before.position);
  const last = unseen.at(-1);
  if (last === undefined) return null;
  const own = skipped.size === 0 ? unseen : unseen.filter((event) => !skipped.has(event.id));
  const taken = before !== null && before.parkedAt !== null ? [] : own;
  const ready = (content: ViewDocument | null): DocumentFold => {
    const folding = new Folding(view, id, content === null ? null : freezeJson(content), taken);
    return { before, folding, position: last.position };
  };
  if (before === null || before.body === null) return ready(null);
  return whenThere(sealer.open(before.body), ready);
}

/**
 * The write of a folded document, parked if it has refused an event. Without a promise if sealing needs none.
 * Throws what sealing throws.
 */
export function describeFold(
  sealer: DocumentSealer,
  { before, folding, position }: DocumentFold,
): MaybePromise<FoldedDocument> {
  const { id, content, listing, refusal } = folding;
  const expected = before?.position ?? null;
  const repairs = before?.repairs ?? 0;
  const parked = refusal && { documentId: id, position: refusal.event.position, reason: refusal.reason };
  const parkedAt = before?.parkedAt ?? parked?.position ?? null;
  const write = describe(
    sealer,
    { id, expected, expectedRepairs: repairs, position, repairs },
    { content, listing, parkedAt },
  );
  return whenThere(write, (sealed) => ({ write: sealed, parked }));
}

/** The expected stored state of a document, and the position and repairs that are written. */
interface Place {
  readonly id: string;
  readonly expected: Position | null;
  readonly expectedRepairs: number;
  readonly position: Position;
  readonly repairs: number;
}

function describe(
  sealer: DocumentSealer,
  { id, expected, expectedRepairs, position, repairs }: Place,
  { content, listing, parkedAt }: Content,
): MaybePromise<GuardedWrite> {
  // A parked document is in the index of parked ones; reads of it throw.
  const deleted = (listing.removed || content === null) && parkedAt === null;
  const keys = deleted ? {} : listing.keys;
  const sealed = content === null ? null : sealer.seal(content);
  return whenThere(sealed, (body) => ({
    expected,
    ...(expectedRepairs > 0 && { expectedRepairs }),
    document: { id, position, parkedAt, deleted, body, ...(repairs > 0 && { repairs }) },
    keys: parkedAt === null ? keys : { ...keys, [PARKED_INDEX]: parkedAt },
  }));
}

/** The outcome of folding a page. */
export interface FoldedPage {
  readonly parked: readonly Parked[];
  /** A strict fold has written everything before this event, and nothing from there on. */
  readonly failure: FoldFailure | null;
}

/** What the pass has established about the segment before it folds a page. */
export interface Known {
  /** Whether the checkpoint is where it was. Called while the documents are read, before anything is written. */
  readonly isUnmoved: (() => Promise<boolean>) | null;
  /** This process has folded everything before the page itself. */
  readonly carried: boolean;
}

const NOTHING_KNOWN: Known = { isUnmoved: null, carried: false };

/** `behind`: a document was read too old, or was repaired meanwhile; `moved`: the checkpoint has moved. */
type Outcome = FoldedPage | 'behind' | 'moved';

type Page = Pick<AssignedEvents, 'documents' | 'skipped'>;

/** What folding a page needs beside the page. */
interface Folder {
  readonly sealer: DocumentSealer;
  readonly segment: Segment;
  readonly guard: FoldGuard;
}

/** Folds events into their documents, and writes each document only over exactly what was read. */
export async function foldAll(
  sealer: DocumentSealer,
  segment: Segment,
  page: Page,
  known: Known,
  guard: FoldGuard,
): Promise<Outcome> {
  const folder = { sealer, segment, guard };
  try {
    return await foldPage(folder, page, known);
  } catch (error) {
    if (!(error instanceof DocumentTooLarge)) throw error;
    return await foldOneByOne(folder, page);
  }
}

/**
 * Folds and writes event by event in log order. That finds the first event after which a document is too large, so that it
 * is parked, or the fold stops, at the same event whatever the pages.
 */
async function foldOneByOne(folder: Folder, { documents, skipped }: Page): Promise<Outcome> {
  const parked: Parked[] = [];
  for (const { id, event } of inLogOrder(documents)) {
    const page = { documents: new Map([[id, [event]]]), skipped };
    const outcome = await foldPage(folder, page).catch((error: unknown) => {
      if (!(error instanceof DocumentTooLarge)) throw error;
      return foldPage(folder, page, NOTHING_KNOWN, { event, reason: reasonOf(error) });
    });
    if (typeof outcome === 'string') return outcome;
    parked.push(...outcome.parked);
    if (outcome.failure !== null) return { parked, failure: outcome.failure };
  }
  return { parked, failure: null };
}

const NOTHING: FoldedPage = { parked: [], failure: null };

/** @param refusal the error of the page's only event, if the store has refused its document as too large */
async function foldPage(
  folder: Folder,
  page: Page,
  { isUnmoved, carried }: Known = NOTHING_KNOWN,
  refusal: Refusal | null = null,
): Promise<Outcome> {
  const { sealer, segment, guard } = folder;
  const { view, collection, rules } = segment;
  if (page.documents.size === 0) return NOTHING;
  // A document whose id is that of its first event does not exist before it: it need not be read.
  const ids = [...page.documents].flatMap(([id, [first]]) => (carried && first?.id === id ? [] : [id]));
  const [current, unmoved] = await Promise.all([readCurrent(collection, ids), isUnmoved?.() ?? true]);
  if (!unmoved) return 'moved';
  const folds: DocumentFold[] = [];
  for (const [id, events] of page.documents) {
    const opening = openFold(view, sealer, id, current.get(id) ?? null, events, page.skipped);
    const fold = isPromise(opening) ? await opening : opening;
    if (fold !== null) folds.push(fold);
  }
  for (const { folding } of folds) if (refusal !== null) folding.refuse(refusal.event, refusal.reason);
  await foldTogether(
    guard,
    folds.map(({ folding }) => folding),
  );
  const failure = rules.strict ? firstFailure(folds) : null;
  if (failure !== null) {
    const before = await foldAll(sealer, segment, endedBefore(page, failure.position), NOTHING_KNOWN, guard);
    return typeof before === 'string' ? before : { ...before, failure: before.failure ?? failure };
  }
  const described: FoldedDocument[] = [];
  for (const fold of folds) {
    const describing = describeFold(sealer, fold);
    described.push(isPromise(describing) ? await describing : describing);
  }
  const results = described.length === 0 ? [] : await collection.apply(described.map(({ write }) => write));
  if (results.includes('behind')) return 'behind';
  return { parked: described.flatMap(({ parked }) => parked ?? []), failure: null };
}

async function readCurrent(
  collection: Segment['collection'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const [only] = ids;
  if (only === undefined) return new Map();
  if (ids.length > 1) return await collection.getMany(ids);
  const document = await collection.get(only);
  return new Map(document === null ? [] : [[only, document]]);
}

function firstFailure(folds: readonly DocumentFold[]): FoldFailure | null {
  let first: FoldFailure | null = null;
  for (const { folding } of folds) {
    if (folding.refusal === null) continue;
    const failure = failureOf(folding.refusal, folding.id);
    if (first === null || failure.position < first.position) first = failure;
  }
  return first;
}

/** The same page without events from `position` on. */
function endedBefore({ documents, skipped }: Page, position: Position): Page {
  const kept = new Map<string, readonly Stored[]>();
  for (const [id, events] of documents) {
    const before = events.filter((event) => event.position < position);
    if (before.length > 0) kept.set(id, before);
  }
  return { documents: kept, skipped };
}

const inLogOrder = (
  documents: Page['documents'],
): readonly { readonly id: string; readonly event: Stored }[] =>
  [...documents]
    .flatMap(([id, events]) => events.map((event) => ({ id, event })))
    .sort((a, b) => (a.event.position < b.event.position ? -1 : 1));
