import type { Position } from '../../core/event-store.js';
import type {
  FoldFailure,
  Generation,
  GuardedWrite,
  Page,
  ReadStore,
  ViewCollection,
} from '../../stores/read-store.js';
import { describeReplayed, PARKED_INDEX } from '../fold/fold.js';
import { collectionOf } from '../generations/generations.js';
import type { AnyView } from '../view.js';
import { areAlike, comparableOfReplayed, comparableOfStored, Unreadable } from './comparison.js';
import { chunksOf, type FoldStores, type ReadingOptions } from './reading.js';
import { foldUntilCaughtUp, type Pair } from './replay.js';

/** The outcome of the repair of one document. */
export type Refolded = { readonly id: string } &
  /** Its content was replaced, and it is not parked. */
  (
    | { readonly outcome: 'repaired' }
    /** It was equal to its replay: nothing was written. */
    | { readonly outcome: 'unchanged' }
    /** Its event still cannot be folded into it, or a later one cannot. */
    | { readonly outcome: 'parked'; readonly failure: FoldFailure }
    /** It is not parked, and the request names parked ones only. */
    | { readonly outcome: 'not parked' }
    /** There is no such document. */
    | { readonly outcome: 'not there' }
    /** Events came for it faster than it could be written: repeat the request. */
    | { readonly outcome: 'moving' }
  );

/** Which documents of a view are replayed. */
export interface RefoldRequest {
  /** Ids, or all that are parked. */
  readonly documents: readonly string[] | 'parked';
  /** Documents that are not parked are left as they are. */
  readonly parkedOnly: boolean;
}

export type RefoldStores = FoldStores & { readonly readStore: ReadStore };

/** How many documents are folded in one read of the log, and so held in memory at once. */
const BATCH = 5_000;

/**
 * Repairs documents in place: folds each from its first event up to exactly its position, and writes the outcome over
 * that position with `repairs` raised by one. Live passes may write the same document meanwhile: the guard refuses the
 * second write, whose writer reads again.
 * @returns the outcome of each, in the order of the request
 * @throws what `replayDocuments` and the stores throw; the same call again repairs the rest
 */
export async function refold(
  stores: RefoldStores,
  view: AnyView,
  generation: Generation,
  { documents, parkedOnly }: RefoldRequest,
  options: ReadingOptions,
): Promise<readonly Refolded[]> {
  const collection = collectionOf(stores.readStore, view, generation);
  const ids = documents === 'parked' ? await parkedIn(collection) : [...new Set(documents)];
  const refolded: Refolded[] = [];
  for (const batch of chunksOf(ids, BATCH)) {
    const outcomes = await refoldBatch({ stores, view, collection, parkedOnly, options }, batch);
    refolded.push(...batch.map((id) => outcomes.get(id) ?? { id, outcome: 'not there' as const }));
  }
  return refolded;
}

interface Batch {
  readonly stores: FoldStores;
  readonly view: AnyView;
  readonly collection: ViewCollection;
  readonly parkedOnly: boolean;
  readonly options: ReadingOptions;
}

async function refoldBatch(
  { stores, view, collection, parkedOnly, options }: Batch,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Refolded>> {
  const outcomes = new Map<string, Refolded>();
  const targets = new Map<string, Position>();
  for (const chunk of chunksOf(ids, CHUNK)) {
    for (const { id, position, parkedAt } of (await collection.getMany(chunk)).values()) {
      if (parkedOnly && parkedAt === null) outcomes.set(id, { id, outcome: 'not parked' });
      else targets.set(id, position);
    }
  }
  const moving = await foldUntilCaughtUp(stores, view, collection, targets, options, async (pairs) => {
    const repairs: Repair[] = [];
    for (const pair of pairs) {
      const { id, parkedAt } = pair.stored;
      if (parkedOnly && parkedAt === null) {
        outcomes.set(id, { id, outcome: 'not parked' });
        continue;
      }
      const repair = await repairOf(stores, pair);
      if (repair.write === null) outcomes.set(id, repair.outcome);
      else repairs.push({ ...repair, write: repair.write });
    }
    const results = repairs.length > 0 ? await collection.apply(repairs.map(({ write }) => write)) : [];
    const refused = repairs.filter(({ outcome }, n) => {
      if (results[n] === 'written') outcomes.set(outcome.id, outcome);
      return results[n] !== 'written';
    });
    return refused.map(({ outcome: { id } }) => id);
  });
  for (const id of moving) outcomes.set(id, { id, outcome: 'moving' });
  return outcomes;
}

/** Documents read, and written, at once. */
const CHUNK = 100;

interface Repair {
  readonly outcome: Refolded;
  readonly write: GuardedWrite;
}

async function repairOf(
  { sealer }: Pick<FoldStores, 'sealer'>,
  { stored, replayed }: Pair,
): Promise<Omit<Repair, 'write'> & { readonly write: GuardedWrite | null }> {
  const { id } = stored;
  const parked = replayed?.parked ?? null;
  const done = (otherwise: 'repaired' | 'unchanged'): Refolded =>
    parked === null ? { id, outcome: otherwise } : { id, outcome: 'parked', failure: parked };
  const current = await comparableOfStored(sealer, stored);
  const due = await comparableOfReplayed(sealer, replayed);
  if (!(current instanceof Unreadable) && areAlike(current, due))
    return { outcome: done('unchanged'), write: null };
  const write = await describeReplayed(sealer, stored, {
    content: replayed?.content ?? null,
    listing: replayed?.listing ?? { removed: false, keys: {} },
    parkedAt: parked?.position ?? null,
  });
  return { outcome: done('repaired'), write };
}

/** Every id that is listed as parked. */
async function parkedIn(collection: ViewCollection): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await collection.page({
      index: PARKED_INDEX,
      prefix: [],
      limit: CHUNK,
      ...(cursor !== null && { cursor }),
    });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  return [...new Set(ids)];
}
