import type { CandidateEvent } from '../src/domain/candidate/events.js';
import type { EvaluationEvent, ModelAnswered } from '../src/domain/evaluation/events.js';
import type { Actor, Stored } from '../src/core/event.js';
import type { OperatorActed } from '../src/domain/operations/events.js';
import type { OrganisationEvent } from '../src/domain/organisation/events.js';
import type { ApplicationEvent } from '../src/domain/application/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import type { RoleEvent } from '../src/domain/role/events.js';
import type { ShareLinkEvent } from '../src/domain/share-link/events.js';
import type { LifecycleEvent } from '../src/domain/session/events.js';
import type { RedeliveryRequested, TestRequested, WebhookEvent } from '../src/domain/webhook/events.js';

/** What was done to or about one thing of an organisation, by the id of the event that says so. Never anything personal. */
export interface AuditDocument extends ViewDocument {
  readonly organisationId: string;
  readonly at: string;
  readonly actor: Actor;
  /** The event's stored name; of what an operator did, `operator.` and the action. */
  readonly action: string;
  readonly subject: AuditSubject;
}

/** What it was done to. */
export interface AuditSubject {
  readonly type:
    | 'organisation'
    | 'member'
    | 'role'
    | 'candidate'
    | 'application'
    | 'trial_session'
    | 'evaluation'
    | 'share_link'
    | 'webhook'
    | 'delivery';
  readonly id: string;
}

/**
 * What somebody does, or the service in their place. What a candidate does within a session is its evidence, and how a
 * notice is sent is the delivery's own story: neither stands here.
 */
export type AuditedEvent =
  | OrganisationEvent
  | RoleEvent
  | CandidateEvent
  | LifecycleEvent
  | ApplicationEvent
  | Exclude<EvaluationEvent, ModelAnswered>
  | ShareLinkEvent
  | WebhookEvent
  | RedeliveryRequested
  | TestRequested
  | OperatorActed;

export const audit: View<AuditDocument, AuditedEvent> = {
  name: 'audit',
  version: 2,
  handles: [
    'organisation.created',
    'organisation.updated',
    'member.added',
    'member.bound',
    'member.role_changed',
    'member.removed',
    'role.created',
    'role.updated',
    'candidate.invited',
    'candidate.bound',
    'candidate.erased',
    'trial.started',
    'trial.extended',
    'trial.completed',
    'trial.withdrawn',
    'trial.expired',
    'trial.erased',
    'outcome.recorded',
    'outcome.retracted',
    'application.erased',
    'evaluation.generated',
    'evaluation.failed',
    'evaluation.regeneration_requested',
    'evaluation.erased',
    'share_link.created',
    'share_link.revoked',
    'share_link.viewed',
    'webhook.created',
    'webhook.secret_rotated',
    'webhook.deleted',
    'delivery.redelivery_requested',
    'delivery.test_requested',
    'operator.acted',
  ],
  documentId: (event) => (organisationOf(event) === null ? null : event.id),
  initial: () => ({
    organisationId: '',
    at: '',
    actor: { type: 'system', id: '' },
    action: '',
    subject: { type: 'organisation', id: '' },
  }),
  evolve(document, event) {
    const { recordedAt, actor } = event.metadata;
    return {
      ...document,
      organisationId: organisationOf(event) ?? '',
      at: recordedAt,
      actor: { type: actor.type, id: actor.id },
      action: event.type === 'operator.acted' ? `operator.${event.data.action}` : event.type,
      subject: subjectOf(event),
    };
  },
  indexes: { byOrganisation: ({ organisationId, at }) => [organisationId, at] },
};

/** `null`: what an operator did for the whole service. */
const organisationOf = (event: Stored<AuditedEvent>): string | null => {
  if (event.type !== 'operator.acted') return event.data.organisationId;
  const { organisationId } = event.data.details;
  return typeof organisationId === 'string' ? organisationId : null;
};

const subjectOf = (event: Stored<AuditedEvent>): AuditSubject => {
  switch (event.type) {
    case 'organisation.created':
    case 'organisation.updated':
      return { type: 'organisation', id: event.data.organisationId };
    case 'operator.acted':
      return operatedOn(event);
    case 'member.added':
    case 'member.bound':
    case 'member.role_changed':
    case 'member.removed':
      return { type: 'member', id: event.data.memberId };
    case 'role.created':
    case 'role.updated':
      return { type: 'role', id: event.data.roleId };
    case 'candidate.invited':
    case 'outcome.recorded':
    case 'outcome.retracted':
    case 'application.erased':
      return { type: 'application', id: event.data.applicationId };
    case 'candidate.bound':
    case 'candidate.erased':
      return { type: 'candidate', id: event.data.candidateId };
    case 'evaluation.generated':
    case 'evaluation.failed':
    case 'evaluation.regeneration_requested':
    case 'evaluation.erased':
      return { type: 'evaluation', id: event.data.evaluationId };
    case 'share_link.created':
    case 'share_link.revoked':
    case 'share_link.viewed':
      return { type: 'share_link', id: event.data.linkId };
    case 'webhook.created':
    case 'webhook.secret_rotated':
    case 'webhook.deleted':
      return { type: 'webhook', id: event.data.webhookId };
    case 'delivery.redelivery_requested':
    case 'delivery.test_requested':
      return { type: 'delivery', id: event.data.deliveryId };
    default:
      return { type: 'trial_session', id: event.data.trialSessionId };
  }
};

/** The nearest thing that an operator's details name. */
const operatedOn = ({ data: { details } }: Stored<OperatorActed>): AuditSubject => {
  const { organisationId, trialSessionId, evaluationId } = details;
  if (typeof evaluationId === 'string') return { type: 'evaluation', id: evaluationId };
  if (typeof trialSessionId === 'string') return { type: 'trial_session', id: trialSessionId };
  return { type: 'organisation', id: typeof organisationId === 'string' ? organisationId : '' };
};
