import type { EventOf } from '../../core/event.js';

/**
 * Stored names and latest shapes of the operator's stream (`operator-log`): the storage contract. It has no person's
 * key, so nothing personal may stand in it: no name, no document's content, no error's text that quotes one.
 */

/** A reactor's first start: it acts only on what stands after this event. */
export type ReactorInstalled = EventOf<'reactor.installed', { readonly reactor: string }>;

interface Asked {
  /** A UUID made by whoever asks. */
  readonly operation: string;
  readonly view: string;
}

/** `segments` is `null` where the process that builds is to choose. */
export type RebuildRequested = EventOf<
  'rebuild.requested',
  Asked & { readonly segments: number | null; readonly hold: boolean }
>;
export type PromotionRequested = EventOf<
  'promotion.requested',
  Asked & { readonly acceptDifferences: boolean }
>;
export type RollbackRequested = EventOf<'rollback.requested', Asked>;
export type CancellationRequested = EventOf<'cancellation.requested', Asked>;
/** `documents` is `null` for all that are parked. */
export type RefoldRequested = EventOf<
  'refold.requested',
  Asked & { readonly documents: readonly string[] | null; readonly parkedOnly: boolean }
>;

export type OperationResult = 'done' | 'failed' | 'cancelled';
/** Figures and names for machines. */
export type Details = Readonly<Record<string, string | number | boolean | null>>;

/** What came of it; `message` is a sentence for the operator. */
export type OperationEnded = EventOf<
  'operation.ended',
  Asked & { readonly result: OperationResult; readonly message: string; readonly details: Details }
>;

/** Another generation serves; `operation` is `null` where changed code was rebuilt by itself. */
export type GenerationPromoted = EventOf<
  'generation.promoted',
  {
    readonly view: string;
    readonly from: string;
    readonly to: string;
    readonly operation: string | null;
  }
>;

export type ProjectionPaused = EventOf<'projection.paused', { readonly view: string }>;
export type ProjectionResumed = EventOf<'projection.resumed', { readonly view: string }>;

/**
 * Every later fold of the view leaves this event out. `documentId` is `null` where it could not be assigned to any;
 * `reason` is kept for good and names nobody.
 */
export type EventSkipped = EventOf<
  'event.skipped',
  {
    readonly view: string;
    readonly eventId: string;
    readonly documentId: string | null;
    readonly reason: string;
  }
>;

/** What an operator did that changes nothing in any view, such as a backup: for the record alone. */
export type OperatorActed = EventOf<'operator.acted', { readonly action: string; readonly details: Details }>;

export type RequestEvent =
  RebuildRequested | PromotionRequested | RollbackRequested | CancellationRequested | RefoldRequested;

export type OperatorEvent =
  | ReactorInstalled
  | RequestEvent
  | OperationEnded
  | GenerationPromoted
  | ProjectionPaused
  | ProjectionResumed
  | EventSkipped
  | OperatorActed;
