import type { CandidateErased } from '../src/candidates/events.js';
import type { EvaluationFailed, EvaluationGenerated } from '../src/evaluations/events.js';
import type { OutcomeRecorded } from '../src/outcomes/events.js';
import type { View, ViewDocument } from '../src/projection-engine/view.js';
import type {
  DeliveryRequested,
  NoticeIds,
  NoticeType,
  WebhookCreated,
  WebhookDeleted,
} from '../src/webhooks/events.js';

/** An organisation's webhooks, and what they are to be told and no delivery is requested for yet, by its id. */
export interface NoticesDocument extends ViewDocument {
  readonly organisationId: string;
  /** Those that there are by now. */
  readonly webhooks: readonly { readonly webhookId: string; readonly events: readonly NoticeType[] }[];
  /** Oldest first. */
  readonly pending: readonly PendingNotice[];
}

/** Something that happened, and which webhooks are still to be told of it. */
export interface PendingNotice {
  readonly type: NoticeType;
  /** The id of the event that it tells of. */
  readonly causedBy: string;
  readonly timestamp: string;
  readonly correlationId: string;
  readonly ids: NoticeIds;
  /** Of the webhooks that wanted it when it happened: one made later hears nothing of it. */
  readonly webhookIds: readonly string[];
}

type Told = EvaluationGenerated | EvaluationFailed | OutcomeRecorded | CandidateErased;
type NoticesEvent = Told | WebhookCreated | WebhookDeleted | DeliveryRequested;

export const notices: View<NoticesDocument, NoticesEvent> = {
  name: 'notices',
  version: 1,
  handles: [
    'webhook.created',
    'webhook.deleted',
    'evaluation.generated',
    'evaluation.failed',
    'outcome.recorded',
    'candidate.erased',
    'delivery.requested',
  ],
  documentId: (event) => event.data.organisationId,
  initial: (organisationId) => ({ organisationId, webhooks: [], pending: [] }),
  evolve(document, event) {
    switch (event.type) {
      case 'webhook.created': {
        const { webhookId, events } = event.data;
        return { ...document, webhooks: [...document.webhooks, { webhookId, events }] };
      }
      case 'webhook.deleted': {
        const { webhookId } = event.data;
        return {
          ...document,
          webhooks: document.webhooks.filter((one) => one.webhookId !== webhookId),
          pending: document.pending.flatMap((notice) => without(notice, webhookId)),
        };
      }
      case 'delivery.requested': {
        const { webhookId, causedBy } = event.data;
        const pending = document.pending.flatMap((notice) =>
          notice.causedBy === causedBy ? without(notice, webhookId) : [notice],
        );
        return { ...document, pending };
      }
      default: {
        const { type, ids } = noticeOf(event);
        const wanting = document.webhooks.filter(({ events }) => events.includes(type));
        if (wanting.length === 0) return document;
        const { recordedAt: timestamp, correlationId } = event.metadata;
        const webhookIds = wanting.map(({ webhookId }) => webhookId);
        const notice = { type, causedBy: event.id, timestamp, correlationId, ids, webhookIds };
        return { ...document, pending: [...document.pending, notice] };
      }
    }
  },
  indexes: { byOldest: ({ pending }) => (pending[0] ? [pending[0].timestamp] : null) },
};

/** The notice with one webhook less; nothing where that was the last. */
const without = (notice: PendingNotice, webhookId: string): readonly PendingNotice[] => {
  const webhookIds = notice.webhookIds.filter((one) => one !== webhookId);
  return webhookIds.length === 0 ? [] : [{ ...notice, webhookIds }];
};

const noticeOf = (event: Told): { readonly type: NoticeType; readonly ids: NoticeIds } => {
  switch (event.type) {
    case 'candidate.erased': {
      const { organisationId, candidateId } = event.data;
      return { type: 'candidate.erased', ids: { organisationId, candidateId } };
    }
    case 'outcome.recorded': {
      const { organisationId, candidateId, applicationId, trialSessionId, roleId } = event.data;
      const ids = { organisationId, candidateId, applicationId, trialSessionId, roleId };
      return { type: 'outcome.recorded', ids };
    }
    case 'evaluation.generated':
    case 'evaluation.failed': {
      const { organisationId, candidateId, applicationId, trialSessionId, roleId, evaluationId } = event.data;
      return {
        type: event.type === 'evaluation.generated' ? 'evaluation.ready' : 'evaluation.failed',
        ids: { organisationId, candidateId, applicationId, trialSessionId, roleId, evaluationId },
      };
    }
  }
};
