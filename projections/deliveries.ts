import type { View, ViewDocument } from '../src/engine/view.js';
import {
  type DeliveredType,
  type DeliveryEvent,
  type DeliveryFault,
  type DeliveryStatus,
  TEST_TYPE,
} from '../src/domain/webhook/events.js';

/** One notice on its way to one webhook, by delivery id. */
export interface DeliveryDocument extends ViewDocument {
  readonly organisationId: string;
  readonly webhookId: string;
  readonly type: DeliveredType | null;
  readonly createdAt: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  /** Of the last attempt. */
  readonly lastResponseStatus: number | null;
  readonly lastFault: DeliveryFault | null;
  /** `null` unless it is pending. */
  readonly nextAttemptAt: string | null;
}

export const deliveries: View<DeliveryDocument, DeliveryEvent> = {
  name: 'deliveries',
  version: 3,
  handles: [
    'delivery.requested',
    'delivery.test_requested',
    'delivery.attempted',
    'delivery.redelivery_requested',
  ],
  uses: [TEST_TYPE],
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
  evolve(document, event) {
    const at = event.metadata.recordedAt;
    switch (event.type) {
      case 'delivery.requested': {
        const { organisationId, webhookId, type } = event.data;
        return { ...document, organisationId, webhookId, type, createdAt: at, nextAttemptAt: at };
      }
      case 'delivery.test_requested': {
        const { organisationId, webhookId } = event.data;
        return { ...document, organisationId, webhookId, type: TEST_TYPE, createdAt: at, nextAttemptAt: at };
      }
      case 'delivery.attempted': {
        const { attempt: attempts, result, status: lastResponseStatus, fault: lastFault } = event.data;
        const status = result === 'retrying' ? 'pending' : result;
        const { nextAttemptAt } = event.data;
        return {
          ...document,
          status,
          attempts,
          lastAttemptAt: at,
          lastResponseStatus,
          lastFault,
          nextAttemptAt,
        };
      }
      case 'delivery.redelivery_requested':
        return { ...document, status: 'pending', nextAttemptAt: at };
    }
  },
  indexes: {
    byWebhook: ({ webhookId, createdAt }) => [webhookId, createdAt],
    due: ({ webhookId, nextAttemptAt }) => (nextAttemptAt === null ? null : [webhookId, nextAttemptAt]),
  },
};
