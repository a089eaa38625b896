import type { DeliveryDocument } from '../../../projections/deliveries.js';
import type { WebhookDocument } from '../../../projections/webhooks.js';
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
} from '../../core/json-schema.js';
import {
  DELIVERED_TYPES,
  type DeliveredType,
  DELIVERY_FAULTS,
  type DeliveryFault,
  type DeliveryStatus,
  NOTICE_TYPES,
  type NoticeType,
} from '../../domain/webhook/events.js';

/** A webhook as every path returns it. */
export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly events: readonly NoticeType[];
  readonly createdAt: string;
  /** Until when notices are signed with the former secret too; `null` until the secret is rotated. */
  readonly formerSecretValidUntil: string | null;
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
  formerSecretValidUntil: webhook.formerSecretValidUntil,
  version: webhook.version,
});

/** A delivery as every path returns it. */
export interface DeliveryRecord {
  readonly id: string;
  readonly type: DeliveredType | null;
  readonly createdAt: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  /** HTTP status of the last attempt; `null` where there was no answer, or no attempt yet. */
  readonly lastResponseStatus: number | null;
  /** Why the last attempt had no answer. */
  readonly lastFault: DeliveryFault | null;
  /** `null` unless it is pending. */
  readonly nextAttemptAt: string | null;
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
  lastResponseStatus: delivery.lastResponseStatus,
  lastFault: delivery.lastFault,
  nextAttemptAt: delivery.nextAttemptAt,
});

const webhookFields = {
  id: uuid,
  url: text,
  events: listOf(oneOf(...NOTICE_TYPES)),
  createdAt: instant,
  formerSecretValidUntil: nullable(instant),
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
      type: oneOf(...DELIVERED_TYPES),
      createdAt: instant,
      status: oneOf('pending', 'delivered', 'failed'),
      attempts: integer,
      lastAttemptAt: nullable(instant),
      lastResponseStatus: nullable(integer),
      lastFault: nullable(oneOf(...DELIVERY_FAULTS)),
      nextAttemptAt: nullable(instant),
    }),
  );
