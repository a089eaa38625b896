import type { Actor, EventOf, Stored } from '../src/core/event.js';
import { DAY_MS } from '../src/core/timestamp.js';
import type { OperatorActed } from '../src/domain/operations/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/**
 * An action on one record of an organisation, by the id of its event. An action that a candidate or a visitor of a share
 * link repeats on the same day is one entry, at the latest time: callers from outside cannot fill a page with it. Nothing
 * in it is personal.
 */
export interface AuditDocument extends ViewDocument {
  readonly organisationId: string;
  readonly at: string;
  readonly actor: Actor;
  /** The event's stored name; of what an operator did, `operator.` and the action. */
  readonly action: string;
  readonly subject: AuditSubject;
  /** The candidate whom it concerns; `null`: none. A candidate's timeline is listed by it. */
  readonly candidateId: string | null;
  /** The application that it concerns; `null`: no single one. */
  readonly applicationId: string | null;
}

/** The kinds of record that an action can be done to. */
export const AUDIT_SUBJECTS = [
  'organisation',
  'member',
  'role',
  'candidate',
  'application',
  'trial_session',
  'evaluation',
  'share_link',
  'api_key',
  'webhook',
  'delivery',
] as const;

/** The record that it was done to. */
export interface AuditSubject {
  readonly type: (typeof AUDIT_SUBJECTS)[number];
  readonly id: string;
}

/** The fold of events whose subject has its id in the field `id`. */
const about =
  <Id extends string>(type: AuditSubject['type'], id: Id) =>
  (
    document: AuditDocument,
    { data }: Stored<EventOf<string, Readonly<Record<Id, string>>, object | null>>,
  ): AuditDocument => ({ ...document, subject: { type, id: data[id] } });

/**
 * The actions of people, and of the service in their place. A candidate's actions within a session are its evidence,
 * and the attempts to send a notice are in its delivery: the audit trail has neither.
 */
export const audit = defineView<AuditDocument>()({
  name: 'audit',
  version: 14,
  documentId: (event) => (organisationOf(event) === null ? null : entryOf(event)),
  initial: () => ({
    organisationId: '',
    at: '',
    actor: { type: 'system', id: '' },
    action: '',
    subject: { type: 'organisation', id: '' },
    candidateId: null,
    applicationId: null,
  }),
  every(document, event) {
    const { recordedAt: at, actor } = event.metadata;
    const { candidateId = null, applicationId = null } = event.data as Concerned;
    return {
      ...document,
      organisationId: organisationOf(event) ?? '',
      at,
      actor: { type: actor.type, id: actor.id },
      action: event.type,
      candidateId,
      applicationId,
    };
  },
  on: {
    // Tickets and exports are about the organisation: clients accept only the kinds of subject that are older than these.
    ...onEach(
      [
        ...(['organisation.created', 'organisation.updated', 'organisation.logo_changed'] as const),
        ...(['ticket.created', 'ticket.updated'] as const),
        ...(['applications.exported', 'evaluations.exported', 'signal.exported'] as const),
      ],
      about('organisation', 'organisationId'),
    ),
    ...onEach(
      ['member.added', 'member.bound', 'member.role_changed', 'member.removed'],
      about('member', 'memberId'),
    ),
    ...onEach(['role.created', 'role.updated', 'role.archived', 'role.unarchived'], about('role', 'roleId')),
    ...onEach(
      [
        ...(['candidate.invited', 'outcome.recorded', 'outcome.retracted'] as const),
        ...(['accommodations.requested', 'accommodations.set'] as const),
        'mail.resend_requested' as const,
        ...(['application.sign_in_lock_lifted', 'erasure.requested', 'application.erased'] as const),
      ],
      about('application', 'applicationId'),
    ),
    ...onEach(['candidate.bound', 'candidate.erased'], about('candidate', 'candidateId')),
    ...onEach(
      [
        'trial.started',
        'trial.extended',
        'trial.completed',
        'trial.withdrawn',
        'trial.expired',
        'trial.erased',
      ],
      about('trial_session', 'trialSessionId'),
    ),
    ...onEach(
      [
        'evaluation.generated',
        'evaluation.failed',
        'evaluation.regeneration_requested',
        'evaluation.contested',
        'evaluation.contest_answered',
        'evaluation.erased',
      ],
      about('evaluation', 'evaluationId'),
    ),
    ...onEach(
      ['share_link.created', 'share_link.revoked', 'share_link.viewed'],
      about('share_link', 'linkId'),
    ),
    ...onEach(['api_key.created', 'api_key.revoked'], about('api_key', 'apiKeyId')),
    ...onEach(
      ['webhook.created', 'webhook.secret_rotated', 'webhook.deleted'],
      about('webhook', 'webhookId'),
    ),
    ...onEach(['delivery.redelivery_requested', 'delivery.test_requested'], about('delivery', 'deliveryId')),
    'operator.acted': (document, { data: { action, details } }) => ({
      ...document,
      action: `operator.${action}`,
      subject: operatedOn(details),
    }),
  },
  indexes: {
    byOrganisation: ['organisationId', 'at'],
    byOrganisationCandidate: ['organisationId', 'candidateId', 'at'],
  },
});

/** `null`: an operator's action on the whole service. */
const organisationOf = ({
  data,
}: Stored<EventOf<string, { readonly organisationId: string } | OperatorActed['data'], object | null>>):
  string | null => {
  if ('organisationId' in data) return data.organisationId;
  const { organisationId } = data.details;
  return typeof organisationId === 'string' ? organisationId : null;
};

/** The ids in an event's data that say whom it concerns. */
interface Concerned {
  readonly candidateId?: string | null;
  readonly applicationId?: string | null;
}

const FROM_OUTSIDE: readonly Actor['type'][] = ['candidate', 'share_link'];

/** The entry's id: the event's, or one (UUID v8) for the day, the action and its record. */
const entryOf = ({ id, type, data, metadata: { actor, recordedAt } }: Stored): string => {
  const record = FROM_OUTSIDE.includes(actor.type)
    ? recordIn(data as Readonly<Record<string, unknown>>)
    : null;
  if (record === null) return id;
  const day = hex(Math.floor(Date.parse(recordedAt) / DAY_MS), 5);
  const what = hex(checksum(type), 7);
  // The random part of the record's own id.
  return `${day}${what.slice(0, 3)}-${what.slice(3)}-8${record.slice(15)}`;
};

/** The id of the narrowest record that an event's data name. */
const recordIn = (data: Readonly<Record<string, unknown>>): string | null => {
  const ids = ['linkId', 'evaluationId', 'trialSessionId', 'applicationId', 'candidateId'].map(
    (name) => data[name],
  );
  const found = ids.find((one) => typeof one === 'string' && one.length === 36);
  return typeof found === 'string' ? found : null;
};

const hex = (value: number, digits: number): string =>
  value.toString(16).padStart(digits, '0').slice(-digits);

/** A checksum of 28 bits (FNV-1a). */
const checksum = (text: string): number => {
  let sum = 0x811c9dc5;
  for (const sign of text) sum = Math.imul(sum ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum >>> 4;
};

/** The narrowest record that an operator's details name. */
const operatedOn = (details: OperatorActed['data']['details']): AuditSubject => {
  const { organisationId, trialSessionId, evaluationId } = details;
  if (typeof evaluationId === 'string') return { type: 'evaluation', id: evaluationId };
  if (typeof trialSessionId === 'string') return { type: 'trial_session', id: trialSessionId };
  return { type: 'organisation', id: typeof organisationId === 'string' ? organisationId : '' };
};
