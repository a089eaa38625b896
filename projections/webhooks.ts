import type { NoticeType } from '../src/domain/webhook/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** A webhook by its id, with the number of its pending deliveries. A deleted one stays until these have failed. */
export interface WebhookDocument extends ViewDocument {
  readonly organisationId: string;
  readonly url: string;
  readonly events: readonly NoticeType[];
  readonly createdAt: string;
  readonly version: number;
  /** `null` until the secret is rotated. */
  readonly formerSecretValidUntil: string | null;
  readonly deleted: boolean;
  /** Number of deliveries that are neither accepted nor failed. */
  readonly pending: number;
}

export const webhooks = defineView<WebhookDocument>()({
  name: 'webhooks',
  version: 2,
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
  on: {
    'webhook.created'(document, { data: { organisationId, url, events }, metadata }) {
      const createdAt = metadata.recordedAt;
      return { ...document, organisationId, url, events, createdAt, version: 1, deleted: false };
    },
    'webhook.secret_rotated': (document, { data }) => ({
      ...document,
      version: document.version + 1,
      formerSecretValidUntil: data.formerValidUntil,
    }),
    'webhook.deleted': (document) => ({ ...document, deleted: true }),
    'delivery.requested': (document) => pendingBy(document, 1),
    'delivery.test_requested': (document) => pendingBy(document, 1),
    'delivery.attempted': (document, { data }) => pendingBy(document, data.result === 'retrying' ? 0 : -1),
    'delivery.redelivery_requested': (document, { data }) =>
      pendingBy(document, data.former === 'pending' ? 0 : 1),
  },
  keys: {
    createdAt: ({ deleted, createdAt }) => (deleted ? null : createdAt),
    waiting: ({ pending }, id) => (pending > 0 ? id : null),
  },
  indexes: { byOrganisation: ['organisationId', 'createdAt'], waiting: ['waiting'] },
});

const pendingBy = (document: WebhookDocument, change: number): WebhookDocument => ({
  ...document,
  pending: document.pending + change,
});
