import type { View, ViewDocument } from '../src/engine/view.js';
import type {
  DeliveryAttempted,
  DeliveryRequested,
  NoticeType,
  RedeliveryRequested,
  TestRequested,
  WebhookCreated,
  WebhookDeleted,
  WebhookSecretRotated,
} from '../src/domain/webhook/events.js';

/** A webhook by its id, and how much is on its way there. Kept once it is deleted: what is pending has to be given up. */
export interface WebhookDocument extends ViewDocument {
  readonly organisationId: string;
  readonly url: string;
  readonly events: readonly NoticeType[];
  readonly createdAt: string;
  readonly version: number;
  /** `null` until the secret is rotated. */
  readonly formerSecretValidUntil: string | null;
  readonly deleted: boolean;
  /** Deliveries that are neither taken nor given up. */
  readonly pending: number;
}

type WebhookViewEvent =
  | WebhookCreated
  | WebhookSecretRotated
  | WebhookDeleted
  | DeliveryRequested
  | TestRequested
  | DeliveryAttempted
  | RedeliveryRequested;

export const webhooks: View<WebhookDocument, WebhookViewEvent> = {
  name: 'webhooks',
  version: 2,
  handles: [
    'webhook.created',
    'webhook.secret_rotated',
    'webhook.deleted',
    'delivery.requested',
    'delivery.test_requested',
    'delivery.attempted',
    'delivery.redelivery_requested',
  ],
  documentId: (event) => event.data.webhookId,
  initial: () => ({
    organisationId: '',
    url: '',
    events: [],
    createdAt: '',
    version: 0,
    formerSecretValidUntil: null,
    deleted: true,
    pending: 0,
  }),
  evolve(document, event) {
    switch (event.type) {
      case 'webhook.created': {
        const { organisationId, url, events } = event.data;
        const createdAt = event.metadata.recordedAt;
        return { ...document, organisationId, url, events, createdAt, version: 1, deleted: false };
      }
      case 'webhook.secret_rotated': {
        const { formerValidUntil: formerSecretValidUntil } = event.data;
        return { ...document, version: document.version + 1, formerSecretValidUntil };
      }
      case 'webhook.deleted':
        return { ...document, deleted: true };
      case 'delivery.requested':
      case 'delivery.test_requested':
        return { ...document, pending: document.pending + 1 };
      case 'delivery.attempted':
        return event.data.result === 'retrying' ? document : { ...document, pending: document.pending - 1 };
      case 'delivery.redelivery_requested':
        return event.data.former === 'pending' ? document : { ...document, pending: document.pending + 1 };
    }
  },
  indexes: {
    byOrganisation: ({ deleted, organisationId, createdAt }) =>
      deleted ? null : [organisationId, createdAt],
    waiting: ({ pending }, id) => (pending > 0 ? [id] : null),
  },
};
