import type { EventOf } from '../event-store/event.js';

/**
 * Stored names and latest shapes of a webhook's stream (`webhook-<id>`) and of its deliveries' streams
 * (`delivery-<id>`): the storage contract. Nothing personal stands in them: a notice carries ids alone.
 */

export type NoticeType = 'evaluation.ready' | 'evaluation.failed' | 'outcome.recorded' | 'candidate.erased';

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
export type NoticeIds = Readonly<Record<string, string>>;

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

export type DeliveryAttempted = EventOf<
  'delivery.attempted',
  DeliveryIds & {
    readonly result: AttemptResult;
    /** HTTP status, `null` where there was no answer. */
    readonly status: number | null;
    /** Why there was none, in a word: nothing of what the receiver said. */
    readonly fault: string | null;
    readonly nextAttemptAt: string | null;
  }
>;
/** Somebody wants it sent again, whatever came of it before. */
export type RedeliveryRequested = EventOf<'delivery.redelivery_requested', DeliveryIds>;

export type DeliveryEvent = DeliveryRequested | DeliveryAttempted | RedeliveryRequested;
