import { type EventIn, type EventShape, eventType, eventsOf } from '../../core/registry.js';
import type { Ending, Operation, Promotion } from '../../engine/generations/operations.js';
import { type OperationKind, OPERATIONS } from './operations.js';

/**
 * Stored names and latest shapes of the operator's stream (`operator-log`): the storage contract. The stream has no
 * person's key, so nothing personal may be in it: no name, no document's content, no error's text that quotes one.
 */

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

/** An operation is requested: one type for each kind, with its parameters. */
type RequestEvents = {
  readonly [K in OperationKind as (typeof OPERATIONS)[K]['event']]: EventShape<
    Asked & Parameters<Extract<Operation, { readonly kind: K }>>,
    null
  >;
};

/** Figures and names for machines. */
export type Details = Ending['details'];
export type OperationResult = Ending['result'];

export const operatorEvents = {
  ...(Object.fromEntries(
    Object.values(OPERATIONS).map(({ event }) => [event, eventType()]),
  ) as unknown as RequestEvents),
  'operation.ended': eventType<Asked & Ending>(),
  'generation.promoted': eventType<Promotion>(),
  'projection.paused': eventType<{ readonly view: string }>(),
  'projection.resumed': eventType<{ readonly view: string }>(),
  /** Every later fold of the view leaves this event out. */
  'event.skipped': eventType<{
    readonly view: string;
    readonly eventId: string;
    /** `null` if it belongs to no document. */
    readonly documentId: string | null;
    /** Kept for good; names no person. */
    readonly reason: string;
  }>(),
  /** A record of an operator's action that changes no view, such as a backup. */
  'operator.acted': eventType<{ readonly action: string; readonly details: Details }>(),
  /** A reactor's first start: it acts only on events after this one. */
  'reactor.installed': eventType<{ readonly reactor: string }>(),
};

export type OperatorEvent = EventIn<typeof operatorEvents>;
export const operatorEvent = eventsOf<typeof operatorEvents>();
export type RequestEvent = EventIn<typeof operatorEvents, keyof RequestEvents>;
export type OperationEnded = EventIn<typeof operatorEvents, 'operation.ended'>;
export type GenerationPromoted = EventIn<typeof operatorEvents, 'generation.promoted'>;
export type EventSkipped = EventIn<typeof operatorEvents, 'event.skipped'>;
export type OperatorActed = EventIn<typeof operatorEvents, 'operator.acted'>;
