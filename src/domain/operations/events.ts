import type { EventOf } from '../../core/event.js';
import type { Ending, Operation, Promotion } from '../../engine/operations.js';
import type { OperationKind, OPERATIONS } from './operations.js';

/**
 * Stored names and latest shapes of the operator's stream (`operator-log`): the storage contract. It has no person's
 * key, so nothing personal may be in it: no name, no document's content, no error's text that quotes one.
 */

/** A reactor's first start: it acts only on events after this one. */
export type ReactorInstalled = EventOf<'reactor.installed', { readonly reactor: string }>;

interface Asked {
  /** A UUID made by the process that asks. */
  readonly operation: string;
  readonly view: string;
}

/** `documents` is `null` for all that are parked. */
type Parameters<O extends Operation> = {
  readonly [P in Exclude<keyof O, 'id' | 'view' | 'kind'>]: P extends 'documents'
    ? readonly string[] | null
    : O[P];
};

/** An operation is asked for: one type for each kind, with its parameters. */
export type RequestEvent = {
  [K in OperationKind]: EventOf<
    (typeof OPERATIONS)[K]['event'],
    Asked & Parameters<Extract<Operation, { readonly kind: K }>>
  >;
}[OperationKind];

export type OperationResult = Ending['result'];
/** Figures and names for machines. */
export type Details = Ending['details'];

export type OperationEnded = EventOf<'operation.ended', Asked & Ending>;

export type GenerationPromoted = EventOf<'generation.promoted', Promotion>;

export type ProjectionPaused = EventOf<'projection.paused', { readonly view: string }>;
export type ProjectionResumed = EventOf<'projection.resumed', { readonly view: string }>;

/**
 * Every later fold of the view leaves this event out. `documentId` is `null` if it belongs to no document; `reason` is
 * kept for good and names no person.
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

/** An operator's action that changes no view, such as a backup: a record and nothing more. */
export type OperatorActed = EventOf<'operator.acted', { readonly action: string; readonly details: Details }>;

export type OperatorEvent =
  | ReactorInstalled
  | RequestEvent
  | OperationEnded
  | GenerationPromoted
  | ProjectionPaused
  | ProjectionResumed
  | EventSkipped
  | OperatorActed;
