import {
  type DeliveredType,
  type DeliveryFault,
  type DeliveryStatus,
  TEST_TYPE,
} from '../src/domain/webhook/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** A notice for one webhook, by delivery id. */
export interface DeliveryDocument extends ViewDocument {
  readonly organisationId: string;
  readonly webhookId: string;
  /** `null` only in the document before its first event, which is never read. */
  readonly type: DeliveredType | null;
  readonly createdAt: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** `null` before the first attempt. */
  readonly lastAttemptAt: string | null;
  /** The status of the answer to the last attempt; `null` without an answer, and before the first attempt. */
  readonly lastResponseStatus: number | null;
  /**
   * Why the last attempt had no answer; `null`: it had one, an operator counted it as delivered, or there was none yet.
   */
  readonly lastFault: DeliveryFault | null;
  /** `null` unless it is pending. */
  readonly nextAttemptAt: string | null;
}

export const deliveries = defineView<DeliveryDocument>()({
  name: 'deliveries',
  version: 3,
  documentId: (event) => event.data.deliveryId,
  initial: () => ({
    organisationId: '',
    webhookId: '',
    type: null,
    createdAt: '',
    status: 'pending',
    attempts: 0,
    lastAttemptAt: null,
    lastResponseStatus: null,
    lastFault: null,
    nextAttemptAt: null,
  }),
  on: {
    'delivery.requested'(document, { data: { organisationId, webhookId, type }, metadata }) {
      const at = metadata.recordedAt;
      return { ...document, organisationId, webhookId, type, createdAt: at, nextAttemptAt: at };
    },
    'delivery.test_requested'(document, { data: { organisationId, webhookId }, metadata }) {
      const at = metadata.recordedAt;
      return { ...document, organisationId, webhookId, type: TEST_TYPE, createdAt: at, nextAttemptAt: at };
    },
    'delivery.attempted': (document, { data, metadata }) => ({
      ...document,
      status: data.result === 'retrying' ? 'pending' : data.result,
      attempts: data.attempt,
      lastAttemptAt: metadata.recordedAt,
      lastResponseStatus: data.status,
      lastFault: data.fault,
      nextAttemptAt: data.nextAttemptAt,
    }),
    'delivery.redelivery_requested': (document, { metadata }) => ({
      ...document,
      status: 'pending',
      nextAttemptAt: metadata.recordedAt,
    }),
  },
  indexes: { byWebhook: ['webhookId', 'createdAt'], due: ['webhookId', 'nextAttemptAt'] },
});
