import type { Stored } from '../core/event.js';
import type { Position } from '../core/event-store.js';
import { DocumentTooLarge } from '../stores/errors.js';
import type { FoldFailure, StoredDocument, ViewCollection, WriteResult } from '../stores/read-store.js';
import { reasonOf } from './errors.js';
import {
  describeFold,
  failureOf,
  openFold,
  type DocumentFold,
  type FoldedDocument,
  type Parked,
} from './fold.js';
import { foldGuard, type FoldGuard } from './fold-guard.js';
import { foldTogether } from './folding.js';
import type { DocumentSealer } from './sealer.js';
import type { Segment } from './segments.js';
import type { Work } from './sort-out.js';

/** What came of folding a page. */
export interface FoldedPage {
  readonly parked: readonly Parked[];
  /** A strict fold wrote everything before this event, and nothing from there on. */
  readonly failure: FoldFailure | null;
}

/** `behind`: a document was read too old, or was repaired meanwhile; `moved`: `stillThere` said no. */
type Outcome = FoldedPage | 'behind' | 'moved';

type Page = Pick<Work, 'documents' | 'skipped'>;

/**
 * Folds events into their documents, and writes each one where it stands as it was read.
 * @param stillThere asked, beside reading the documents, before anything is written
 */
export async function foldAll(
  sealer: DocumentSealer,
  segment: Segment,
  page: Page,
  stillThere: (() => Promise<boolean>) | null,
  guard: FoldGuard = foldGuard,
): Promise<Outcome> {
  if (page.documents.size === 0) return NOTHING;
  try {
    return await foldPage(sealer, segment, page, stillThere, guard);
  } catch (error) {
    if (!(error instanceof DocumentTooLarge)) throw error;
    return await foldOneByOne(sealer, segment, page, guard);
  }
}

const NOTHING: FoldedPage = { parked: [], failure: null };

async function foldPage(
  sealer: DocumentSealer,
  segment: Segment,
  page: Page,
  stillThere: (() => Promise<boolean>) | null,
  guard: FoldGuard,
): Promise<Outcome> {
  const { view, collection, rules } = segment;
  const ids = [...page.documents.keys()];
  const [standing, unmoved] = await Promise.all([readStanding(collection, ids), stillThere?.() ?? true]);
  if (!unmoved) return 'moved';
  const folds: DocumentFold[] = [];
  for (const [id, events] of page.documents) {
    const opening = openFold(view, sealer, id, standing.get(id) ?? null, events, page.skipped);
    const fold = opening instanceof Promise ? await opening : opening;
    if (fold !== null) folds.push(fold);
  }
  const foldings = folds.map(({ folding }) => folding);
  await foldTogether(guard, foldings);
  const failure = rules.strict ? firstFailure(folds) : null;
  if (failure !== null) {
    const before = await foldAll(sealer, segment, endedBefore(page, failure.position), null, guard);
    return typeof before === 'string' ? before : { ...before, failure: before.failure ?? failure };
  }
  const described: FoldedDocument[] = [];
  for (const fold of folds) {
    const describing = describeFold(sealer, fold);
    described.push(describing instanceof Promise ? await describing : describing);
  }
  const results = described.length === 0 ? [] : await collection.apply(described.map(({ write }) => write));
  if (results.some(isBehind)) return 'behind';
  return { parked: described.flatMap(({ parked }) => parked ?? []), failure: null };
}

/**
 * The same, an event at a time in log order: the only way to know after which one a document could no longer be
 * stored, and thus to park it, or to stop, at the same event whatever the pages.
 */
async function foldOneByOne(
  sealer: DocumentSealer,
  segment: Segment,
  { documents, skipped }: Page,
  guard: FoldGuard,
): Promise<Outcome> {
  const { view, collection, rules } = segment;
  const parked: Parked[] = [];
  const written = new Map<string, StoredDocument>();
  for (const { id, event } of inLogOrder(documents)) {
    const before = written.get(id) ?? (await collection.get(id));
    const fold = await openFold(view, sealer, id, before, [event], skipped);
    if (fold === null) continue;
    await foldTogether(guard, [fold.folding]);
    const failed = rules.strict ? firstFailure([fold]) : null;
    if (failed !== null) return { parked, failure: failed };
    let stored = await store(sealer, collection, fold);
    if (stored instanceof DocumentTooLarge) {
      const refusal = { event, reason: reasonOf(stored) };
      if (rules.strict) return { parked, failure: failureOf(refusal, id) };
      const folding = fold.folding.parkedFor(refusal);
      await foldTogether(guard, [folding]);
      stored = await store(sealer, collection, { ...fold, folding });
      if (stored instanceof DocumentTooLarge) throw stored;
    }
    // Somebody else is at it: whether they dealt with the later events too is not known here.
    if (stored.result !== 'written') return 'behind';
    written.set(id, stored.write.document);
    if (stored.parked !== null) parked.push(stored.parked);
  }
  return { parked, failure: null };
}

async function store(
  sealer: DocumentSealer,
  collection: ViewCollection,
  fold: DocumentFold,
): Promise<(FoldedDocument & { readonly result: WriteResult | undefined }) | DocumentTooLarge> {
  try {
    const described = await describeFold(sealer, fold);
    const [result] = await collection.apply([described.write]);
    return { ...described, result };
  } catch (error) {
    if (error instanceof DocumentTooLarge) return error;
    throw error;
  }
}

async function readStanding(
  collection: ViewCollection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const [only] = ids;
  if (ids.length !== 1 || only === undefined) return await collection.getMany(ids);
  const document = await collection.get(only);
  return new Map(document === null ? [] : [[only, document]]);
}

const isBehind = (result: WriteResult): boolean => result === 'behind';

function firstFailure(folds: readonly DocumentFold[]): FoldFailure | null {
  let first: FoldFailure | null = null;
  for (const { folding } of folds) {
    if (folding.refusal === null) continue;
    const failure = failureOf(folding.refusal, folding.id);
    if (first === null || failure.position < first.position) first = failure;
  }
  return first;
}

/** The same page without what stands from `position` on. */
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
