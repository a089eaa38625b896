import type { Position } from '../../core/event-store.js';
import type { StoredDocument, ViewCollection } from '../../stores/read-store.js';
import type { AnyView } from '../view.js';
import { foldAfresh, type AfreshOptions, type FreshDocument, type Others, type Targets } from './afresh.js';
import { chunksOf } from './chunks.js';
import type { FoldStores, ReadingOptions } from './own-events.js';

/** A stored document, and what its events make of it up to exactly where it stands. */
export interface Pair {
  readonly stored: StoredDocument;
  /** `null`: it has no event that counts. */
  readonly fresh: FreshDocument | null;
}

export interface MeetOptions extends ReadingOptions {
  /** As in `AfreshOptions`, of the first reading of the log. */
  readonly others?: Others;
}

/** Documents read at once. */
const CHUNK = 100;

/** A document is folded on by no more than what came meanwhile, so that even a busy one is met soon. */
const ROUNDS = 20;

/**
 * Folds stored documents afresh and hands each over beside its fold. What moved on meanwhile is folded on to where it
 * stands by then, and so on. Memory: the folds of all targets.
 * @param targets where the documents stand; those that are no longer there are left out
 * @param deal is given pairs as they are met; @returns ids that moved on before it was done with them
 * @returns ids of documents that moved on each time
 */
export async function meet(
  stores: FoldStores,
  view: AnyView,
  collection: ViewCollection,
  targets: Targets,
  { others, ...options }: MeetOptions,
  deal: (pairs: readonly Pair[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let open = targets;
  let carried: NonNullable<AfreshOptions['carried']> | null = null;
  for (let round = 0; round < ROUNDS && open.size > 0; round++) {
    const documents: ReadonlyMap<string, FreshDocument> = await foldAfresh(stores, view, open, {
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

/** @returns what has moved, and where it stands now */
async function dealWith(
  ids: readonly string[],
  targets: Targets,
  documents: ReadonlyMap<string, FreshDocument>,
  collection: ViewCollection,
  deal: (pairs: readonly Pair[]) => Promise<readonly string[]>,
): Promise<Targets> {
  const standing = await collection.getMany(ids);
  const pairs = [...standing.values()]
    .filter(({ id, position }) => targets.get(id) === position)
    .map((stored) => ({ stored, fresh: documents.get(stored.id) ?? null }));
  const again = await deal(pairs);
  const moved = new Map<string, Position>();
  for (const { id, position } of standing.values()) if (targets.get(id) !== position) moved.set(id, position);
  for (const { id, position } of (await collection.getMany(again)).values()) moved.set(id, position);
  return moved;
}
