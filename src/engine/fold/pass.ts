/*
 * fold/: from a page of events to written documents. It promises that each event counts once, even if several processes
 * fold it at the same time or one ends at any point: a document is written only at the position that was read. It may
 * assume that the feed gives one order and that a checkpoint never names more than is in the documents. Order of a
 * pass: pull a page, decode it and assign events to documents (`assign-events`), read the documents, fold them (`fold`,
 * `folding`, under the time-out of `fold-guard`), write. The segment's loop calls `runPass` again and again and
 * `advanceCheckpoint` afterwards; it puts a `WriteThroughCache` over its collection, so that a pass need not read what
 * the segment wrote last.
 */
import { LRUCache } from 'lru-cache';
import { START, type Position } from '../../core/event-store.js';
import { maxJsonBytes } from '../../core/json.js';
import type {
  FoldFailure,
  GuardedWrite,
  ReadStore,
  StoredDocument,
  ViewCollection,
  WriteResult,
} from '../../stores/read-store.js';
import type { Feed } from '../live/feed.js';
import type { Segment } from '../segments.js';
import type { DocumentSealer } from '../view.js';
import { positionBefore, assignEvents } from './assign-events.js';
import { foldGuard, type FoldGuard } from './fold-guard.js';
import { foldAll, type Parked } from './fold.js';

export interface PassDependencies {
  readonly feed: Pick<Feed, 'pull'> & Partial<Pick<Feed, 'prefetch' | 'eventIdAt'>>;
  readonly checkpoints: ReadStore['checkpoints'];
  readonly sealer: DocumentSealer;
  /** Default: the process's own. */
  readonly guard?: FoldGuard;
}

/** Where a pass begins, and what ends it early. */
export interface PassGuards {
  /** True once the lease is lost or the process ends: the pass then writes nothing more. */
  readonly interrupted: () => boolean;
  /**
   * The segment had a checkpoint before. If it has none now, its generation was dropped: the pass must not begin at the
   * log's start.
   */
  readonly begun: boolean;
  /** Where the last pass ended and this one begins. Only if nothing has failed since and the lease was kept. */
  readonly carried?: SegmentPosition | null;
}

const UNGUARDED: PassGuards = { interrupted: () => false, begun: false };

/** How far a segment has come. */
export interface SegmentPosition {
  /** Everything up to here is in the documents. */
  readonly position: Position;
  /**
   * As stored; `null`: none is stored yet. Events after it may be folded again: documents skip those up to their own
   * positions.
   */
  readonly checkpoint: Position | null;
}

export type PassResult =
  /** The segment is at `position` now. */
  | ({
      readonly kind: 'advanced';
      /** Whether more events follow directly. */
      readonly more: boolean;
      readonly folded: number;
      /** How many documents were written. */
      readonly documents: number;
      readonly parked: readonly Parked[];
    } & SegmentPosition)
  /** The log has no event after `position`. */
  | ({ readonly kind: 'idle' } & SegmentPosition)
  /** Another process has written, or the documents were read too old: start over from the store. */
  | { readonly kind: 'again'; readonly reason: 'document behind' | 'checkpoint moved' | 'interrupted' }
  | { readonly kind: 'dropped' }
  /** A strict segment has stopped right before an event that cannot be folded. */
  | ({ readonly kind: 'failed'; readonly failure: FoldFailure } & SegmentPosition)
  /** This process cannot read or assign the next event, and skips none. */
  | {
      readonly kind: 'stopped';
      readonly position: Position;
      readonly reason: 'newer event' | 'unreadable event';
      readonly message: string;
    };

/**
 * One pass of a segment: the next page, the documents, fold, guarded writes. Everything comes from the store, so any
 * number may run at once, be repeated, or die at any point: a document is replaced only if its position is exactly the
 * one that was read, and the checkpoint moves only after the documents, by `advanceCheckpoint`.
 *
 * With `carried` it reads on from there: folded events stay in the documents, even if other processes feed the segment.
 * Before it writes, it still reads the checkpoint. Throws what the stores throw; repeat the call then without
 * `carried`.
 */
export async function runPass(
  { checkpoints, feed, sealer, guard = foldGuard }: PassDependencies,
  segment: Segment,
  { interrupted, begun, carried = null }: PassGuards = UNGUARDED,
): Promise<PassResult> {
  const checkpoint = carried === null ? await checkpoints.get(segment.name) : carried.checkpoint;
  if (checkpoint === null && begun) return { kind: 'dropped' };
  const from = carried?.position ?? checkpoint ?? START;
  const batch = await feed.pull(from);
  if (batch.position <= from) return { kind: 'idle', position: from, checkpoint };
  const assigned = await assignEvents(segment, batch, from, guard);
  if (interrupted()) return { kind: 'again', reason: 'interrupted' };
  if (assigned.position <= from && assigned.blocked?.kind === 'stopped')
    return { ...assigned.blocked, position: from };
  if (batch.more) feed.prefetch?.(batch.position, segment.handled);
  const isUnmoved =
    carried === null ? null : async () => (await checkpoints.get(segment.name)) === checkpoint;
  const written = await foldAll(sealer, segment, assigned, { isUnmoved, carried: carried !== null }, guard);
  if (written === 'behind') return { kind: 'again', reason: 'document behind' };
  if (written === 'moved') return { kind: 'again', reason: 'checkpoint moved' };
  const early = written.failure;
  const position = early === null ? assigned.position : positionBefore(batch, early.position, from);
  const failure = early ?? (assigned.blocked?.kind === 'failed' ? assigned.blocked.failure : null);
  if (failure !== null) return { kind: 'failed', position, checkpoint, failure };
  return {
    kind: 'advanced',
    position,
    checkpoint,
    more: batch.more,
    folded: assigned.events,
    documents: assigned.documents.size,
    parked: written.parked,
  };
}

/**
 * Moves the checkpoint to the position of the segment.
 * @returns `null` if another process has moved it: start over from the store
 */
export async function advanceCheckpoint(
  { checkpoints, feed }: Pick<PassDependencies, 'checkpoints' | 'feed'>,
  { name }: Pick<Segment, 'name'>,
  { position, checkpoint }: SegmentPosition,
): Promise<SegmentPosition | null> {
  const moved = await checkpoints.advance(name, checkpoint, position, feed.eventIdAt?.(position) ?? null);
  return moved ? { position, checkpoint: position } : null;
}

/** Whether the checkpoint has not reached the segment's position yet. */
export const isCheckpointBehind = ({ position, checkpoint }: SegmentPosition): boolean =>
  position > (checkpoint ?? START);

/** Enough for the documents that one segment changes often. */
const CACHED_DOCUMENTS = 256;
/** Size of all cached documents together. Each counts as the largest JSON that its body can be. */
const CACHED_BYTES = 4 * 1024 * 1024;

/**
 * Keeps the documents that a segment wrote last in memory. A cached document may be older than the stored one, if another
 * process has written since: the store then refuses the next write, which is guarded by the position that was read.
 */
export class WriteThroughCache implements Pick<ViewCollection, 'get' | 'getMany' | 'apply'> {
  readonly #written = new LRUCache<string, StoredDocument>({
    max: CACHED_DOCUMENTS,
    maxSize: CACHED_BYTES,
  });

  constructor(private readonly collection: Pick<ViewCollection, 'get' | 'getMany' | 'apply'>) {}

  /** To be called after a failure, a refused write or a lost lease. */
  clear(): void {
    this.#written.clear();
  }

  async get(id: string): Promise<StoredDocument | null> {
    return this.#written.get(id) ?? (await this.collection.get(id));
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    const known = ids.flatMap((id) => {
      const document = this.#written.get(id);
      return document === undefined ? [] : [[id, document] as const];
    });
    if (known.length === 0) return this.collection.getMany(ids);
    const found = new Map(known);
    const others = ids.filter((id) => !found.has(id));
    if (others.length > 0)
      for (const [id, document] of await this.collection.getMany(others)) found.set(id, document);
    return found;
  }

  async apply(batch: readonly GuardedWrite[]): Promise<readonly WriteResult[]> {
    const results = await this.collection.apply(batch);
    for (const [n, { document }] of batch.entries()) {
      if (results[n] === 'written')
        this.#written.set(document.id, document, { size: maxJsonBytes(document.body) });
      else this.#written.delete(document.id);
    }
    return results;
  }
}
