import type { CandidateEvent } from './candidate/events.js';
import { type EvaluationEvent, type AttemptEvent, headIn } from './evaluation/events.js';
import { defineEvents, type EventDefinitions, type Registry } from '../core/registry.js';
import type { OperatorEvent } from './operations/events.js';
import type { OrganisationEvent } from './organisation/events.js';
import type { ApplicationEvent } from './application/events.js';
import type { RoleEvent } from './role/events.js';
import type { ShareLinkEvent } from './share-link/events.js';
import type { TrialEvent } from './session/events.js';
import type { DeliveryEvent, WebhookEvent } from './webhook/events.js';

/** Every event that this service writes. */
export type DomainEvent =
  | AttemptEvent
  | CandidateEvent
  | DeliveryEvent
  | EvaluationEvent
  | OperatorEvent
  | OrganisationEvent
  | ApplicationEvent
  | RoleEvent
  | ShareLinkEvent
  | TrialEvent
  | WebhookEvent;

const FIRST = { version: 1 } as const;
const SIGNED = { ...FIRST, signedHead: headIn } as const;

/**
 * Every stored event type and its latest schema version. A type whose shape changes gets the next version, an upcaster
 * (`core/upcaster.ts`) and a golden file (`test/golden/`); the former golden files stay.
 */
const definitions: EventDefinitions<DomainEvent> = {
  'application.erased': FIRST,
  'attempt.begun': FIRST,
  'attempt.left': FIRST,
  'cancellation.requested': FIRST,
  'candidate.invited': FIRST,
  'candidate.bound': FIRST,
  'candidate.erased': FIRST,
  'delivery.requested': FIRST,
  'delivery.attempted': FIRST,
  'delivery.redelivery_requested': FIRST,
  'delivery.test_requested': FIRST,
  'evaluation.generated': SIGNED,
  'evaluation.failed': SIGNED,
  'evaluation.regeneration_requested': FIRST,
  'evaluation.model_answered': FIRST,
  'evaluation.erased': FIRST,
  'event.skipped': FIRST,
  'generation.promoted': FIRST,
  'interview.connected': FIRST,
  'interview.disconnected': FIRST,
  'interview.question_asked': FIRST,
  'interview.answer_recorded': FIRST,
  'interview.interrupted': FIRST,
  'interview.ended': FIRST,
  'member.added': FIRST,
  'member.bound': FIRST,
  'member.role_changed': FIRST,
  'member.removed': FIRST,
  'operation.ended': FIRST,
  'operator.acted': FIRST,
  'organisation.created': FIRST,
  'organisation.updated': FIRST,
  'outcome.recorded': FIRST,
  'outcome.retracted': FIRST,
  'projection.paused': FIRST,
  'projection.resumed': FIRST,
  'promotion.requested': FIRST,
  'reactor.installed': FIRST,
  'rebuild.requested': FIRST,
  'refold.requested': FIRST,
  'role.created': FIRST,
  'role.updated': FIRST,
  'rollback.requested': FIRST,
  'share_link.created': FIRST,
  'share_link.revoked': FIRST,
  'share_link.viewed': FIRST,
  'trial.started': FIRST,
  'trial.extended': FIRST,
  'trial.activity_recorded': FIRST,
  'trial.completed': FIRST,
  'trial.withdrawn': FIRST,
  'trial.expired': FIRST,
  'trial.interrupted': FIRST,
  'trial.resumed': FIRST,
  'trial.identity_checked': FIRST,
  'trial.erased': FIRST,
  'webhook.created': FIRST,
  'webhook.deleted': FIRST,
  'webhook.secret_rotated': FIRST,
};

export const eventRegistry: Registry = defineEvents(definitions);
