/*
 * fold/: from a page of events to written documents. It promises that each event counts once, whatever runs at the same
 * time and wherever it dies: a document is written only at the position that was read. It may assume that the feed gives
 * one order and that a checkpoint never names more than is in the documents. Order of a pass: pull a page, decode it and
 * assign events to documents (`sort-out`), read the documents (`remembered`), fold them (`fold`, `folding`, under the
 * time-out of `fold-guard`), write. The worker moves the checkpoint afterwards.
 */
import { START, type Position } from '../../core/event-store.js';
import type { FoldFailure, ReadStore } from '../../stores/read-store.js';
import type { Feed } from '../live/feed.js';
import { foldAll, type Parked } from './fold.js';
import { foldGuard, type FoldGuard } from './fold-guard.js';
import type { DocumentSealer } from '../view.js';
import type { Segment } from '../segments.js';
import { positionBefore, sortOut } from './sort-out.js';

export interface PassDependencies {
  readonly feed: Pick<Feed, 'pull'> & Partial<Pick<Feed, 'ahead' | 'eventIdAt'>>;
  readonly checkpoints: ReadStore['checkpoints'];
  readonly sealer: DocumentSealer;
  /** The process's own where none is given. */
  readonly guard?: FoldGuard;
}

export interface PassGuards {
  /** True once the worker should not go on: its lease is lost, or the process ends. */
  readonly interrupted: () => boolean;
  /** The segment had a checkpoint before. Without one now, its generation was dropped: never begin it anew. */
  readonly begun: boolean;
  /** What the last pass came to, to go on from. Only while nothing has failed since and the lease was kept. */
  readonly carried?: SegmentPosition | null;
}

const UNGUARDED: PassGuards = { interrupted: () => false, begun: false };

/** How far a segment has come. */
export interface SegmentPosition {
  /** Everything up to here is in the documents. */
  readonly position: Position;
  /** As stored. What is folded again from there is refused by the documents' own positions. */
  readonly checkpoint: Position | null;
}

export type PassResult =
  /** It went on to `position`. */
  | ({
      readonly kind: 'advanced';
      /** More events follow directly. */
      readonly more: boolean;
      readonly folded: number;
      /** Documents written. */
      readonly documents: number;
      readonly parked: readonly Parked[];
    } & SegmentPosition)
  /** No event lies beyond `position`. */
  | ({ readonly kind: 'idle' } & SegmentPosition)
  /** Another process has written, or the documents were read too old: start over from the store. */
  | { readonly kind: 'again'; readonly reason: 'document behind' | 'checkpoint moved' | 'interrupted' }
  | { readonly kind: 'dropped' }
  /** A strict segment has stopped right before an event that cannot be folded. */
  | ({ readonly kind: 'failed'; readonly failure: FoldFailure } & SegmentPosition)
  /** The next event cannot be dealt with by this process: nothing is skipped. */
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
 * With what the last pass came to, it reads on from there: that everything up to a position is in the documents stays
 * true, whichever other processes were at work. Before it writes it reads the checkpoint all the same.
 * Throws what the stores throw; the same call again, with nothing carried, is then right.
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
  const work = await sortOut(segment, batch, from, guard);
  if (interrupted()) return { kind: 'again', reason: 'interrupted' };
  if (work.position <= from && work.blocked?.kind === 'stopped') return { ...work.blocked, position: from };
  if (batch.more) feed.ahead?.(batch.position, segment.handled);
  const stillThere = carried === null ? null : () => isAt(checkpoints, segment, checkpoint);
  const written = await foldAll(sealer, segment, work, { stillThere, carried: carried !== null }, guard);
  if (written === 'behind') return { kind: 'again', reason: 'document behind' };
  if (written === 'moved') return { kind: 'again', reason: 'checkpoint moved' };
  const early = written.failure;
  const position = early === null ? work.position : positionBefore(batch, early.position, from);
  const failure = early ?? (work.blocked?.kind === 'failed' ? work.blocked.failure : null);
  if (failure !== null) return { kind: 'failed', position, checkpoint, failure };
  return {
    kind: 'advanced',
    position,
    checkpoint,
    more: batch.more,
    folded: work.events,
    documents: work.documents.size,
    parked: written.parked,
  };
}

/**
 * Moves the checkpoint to the position of the segment.
 * @returns `null` where it was moved meanwhile: start over from the store
 */
export async function advanceCheckpoint(
  { checkpoints, feed }: Pick<PassDependencies, 'checkpoints' | 'feed'>,
  { name }: Pick<Segment, 'name'>,
  { position, checkpoint }: SegmentPosition,
): Promise<SegmentPosition | null> {
  const moved = await checkpoints.advance(name, checkpoint, position, feed.eventIdAt?.(position) ?? null);
  return moved ? { position, checkpoint: position } : null;
}

/** Whether something that the pass knows of is not in the checkpoint yet. */
export const isCheckpointBehind = ({ position, checkpoint }: SegmentPosition): boolean =>
  position > (checkpoint ?? START);

const isAt = async (
  checkpoints: ReadStore['checkpoints'],
  { name }: Segment,
  known: Position | null,
): Promise<boolean> => (await checkpoints.get(name)) === known;
