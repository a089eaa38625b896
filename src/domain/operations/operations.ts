import type { Operation } from '../../engine/generations/operations.js';

export type OperationKind = Operation['kind'];

interface OperationRules {
  /** What it is called in a sentence. */
  readonly name: string;
  /** The stored type of the event that requests it. */
  readonly event: string;
  /** It is refused while one of these is open for the view. */
  readonly blockedBy: readonly OperationKind[];
  /** It makes another generation live, which has to be fed for that: a paused view refuses it. */
  readonly needsFeeding: boolean;
  /** `assay projections cancel` ends it. */
  readonly cancellable: boolean;
}

/** What an operator can ask of a view. `Operation` in the engine has the parameters of each. */
export const OPERATIONS = {
  rebuild: {
    name: 'rebuild',
    event: 'rebuild.requested',
    blockedBy: ['rebuild', 'promote', 'rollback', 'cancel'],
    needsFeeding: true,
    cancellable: true,
  },
  promote: {
    name: 'promotion',
    event: 'promotion.requested',
    blockedBy: ['rebuild', 'promote', 'rollback', 'cancel', 'refold'],
    needsFeeding: true,
    cancellable: true,
  },
  rollback: {
    name: 'rollback',
    event: 'rollback.requested',
    blockedBy: ['rebuild', 'promote', 'rollback', 'cancel', 'refold'],
    needsFeeding: true,
    cancellable: false,
  },
  cancel: {
    name: 'cancellation',
    event: 'cancellation.requested',
    blockedBy: ['rollback', 'cancel'],
    needsFeeding: false,
    cancellable: false,
  },
  // Beside a rebuild: a refold repairs the generation that serves.
  refold: {
    name: 'repair of documents',
    event: 'refold.requested',
    blockedBy: ['promote', 'rollback', 'cancel', 'refold'],
    needsFeeding: false,
    cancellable: false,
  },
} as const satisfies Readonly<Record<OperationKind, OperationRules>>;
