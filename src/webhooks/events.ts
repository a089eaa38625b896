import type { EventOf } from '../event-store/event.js';

/**
 * Stored names and latest shapes of an organisation's webhooks (`webhooks-<organisation>`) and of each delivery's
 * stream (`delivery-<id>`): the storage contract. Nothing personal stands in them: a notice carries ids alone.
 */

/** Every kind of notice that a webhook may want. */
export const NOTICE_TYPES = [
  'evaluation.ready',
  'evaluation.failed',
  'outcome.recorded',
  'candidate.erased',
] as const;

export type NoticeType = (typeof NOTICE_TYPES)[number];

export interface WebhookIds {
  readonly organisationId: string;
  readonly webhookId: string;
}

/** The secret is made anew from the server's own and the id: it is never stored. */
export type WebhookCreated = EventOf<
  'webhook.created',
  WebhookIds & { readonly url: string; readonly events: readonly NoticeType[] }
>;
export type WebhookDeleted = EventOf<'webhook.deleted', WebhookIds>;

export type WebhookEvent = WebhookCreated | WebhookDeleted;

export interface DeliveryIds extends WebhookIds {
  readonly deliveryId: string;
}

/** What a receiver is told, beside the type and time. */
export type NoticeIds = Readonly<Record<string, string | readonly string[]>>;

/** A notice is to be delivered to a webhook. */
export type DeliveryRequested = EventOf<
  'delivery.requested',
  DeliveryIds & {
    readonly type: NoticeType;
    /** The id of the event that it tells of. */
    readonly causedBy: string;
    /** When that happened. */
    readonly timestamp: string;
    readonly ids: NoticeIds;
  }
>;

/** `delivered`: taken by the receiver. `retrying`: not yet, again at `nextAttemptAt`. `failed`: given up. */
export type AttemptResult = 'delivered' | 'retrying' | 'failed';

/**
 * Why an attempt has no status: `timeout` no answer in time, `unresolved` the host has no address, `private_address`
 * it has none that notices may go to, `unreachable` no connection, `tls` no certificate that can be trusted, `bad_answer`
 * it was no HTTP, `webhook_deleted` nothing was sent, since there is no webhook any more.
 */
export type DeliveryFault =
  'timeout' | 'unresolved' | 'private_address' | 'unreachable' | 'tls' | 'bad_answer' | 'webhook_deleted';

export type DeliveryAttempted = EventOf<
  'delivery.attempted',
  DeliveryIds & {
    /** From 1, counted on through redeliveries: two processes that make the same attempt record it once. */
    readonly attempt: number;
    readonly result: AttemptResult;
    /** HTTP status, `null` where there was no answer. */
    readonly status: number | null;
    /** Why there was none: nothing of what the receiver said. */
    readonly fault: DeliveryFault | null;
    readonly nextAttemptAt: string | null;
  }
>;

/** What a delivery has come to. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** Somebody wants it sent again, whatever came of it before. */
export type RedeliveryRequested = EventOf<
  'delivery.redelivery_requested',
  DeliveryIds & {
    /** What had come of it, so that counts move without a side table. */
    readonly former: DeliveryStatus;
  }
>;

export type DeliveryEvent = DeliveryRequested | DeliveryAttempted | RedeliveryRequested;
