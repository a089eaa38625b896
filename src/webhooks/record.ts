import type { DeliveryDocument } from '../../projections/deliveries.js';
import type { WebhookDocument } from '../../projections/webhooks.js';
import {
  component,
  instant,
  integer,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  text,
  uuid,
} from '../app/http/openapi/schema.js';
import { type DeliveryStatus, NOTICE_TYPES, type NoticeType } from './events.js';

/** A webhook as every path returns it. */
export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly events: readonly NoticeType[];
  readonly createdAt: string;
  readonly version: number;
}

export const webhookRecord = (
  webhook: Pick<WebhookDocument, Exclude<keyof WebhookRecord, 'id'>>,
  id: string,
): WebhookRecord => ({
  id,
  url: webhook.url,
  events: webhook.events,
  createdAt: webhook.createdAt,
  version: webhook.version,
});

/** A delivery as every path returns it. */
export interface DeliveryRecord {
  readonly id: string;
  readonly type: NoticeType | null;
  readonly createdAt: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
}

export const deliveryRecord = (
  delivery: Pick<DeliveryDocument, Exclude<keyof DeliveryRecord, 'id'>>,
  id: string,
): DeliveryRecord => ({
  id,
  type: delivery.type,
  createdAt: delivery.createdAt,
  status: delivery.status,
  attempts: delivery.attempts,
  lastAttemptAt: delivery.lastAttemptAt,
});

const webhookFields = {
  id: uuid,
  url: text,
  events: listOf(oneOf(...NOTICE_TYPES)),
  createdAt: instant,
  version: integer,
};

export const webhookSchema = (): JsonSchema => component('Webhook', objectOf(webhookFields));

/** What creation answers: the secret is shown here alone. */
export const newWebhookSchema = (): JsonSchema =>
  component('NewWebhook', objectOf({ ...webhookFields, secret: text }));

export const deliverySchema = (): JsonSchema =>
  component(
    'WebhookDelivery',
    objectOf({
      id: uuid,
      type: oneOf(...NOTICE_TYPES),
      createdAt: instant,
      status: oneOf('pending', 'delivered', 'failed'),
      attempts: integer,
      lastAttemptAt: nullable(instant),
    }),
  );
