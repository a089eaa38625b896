import type { Decider, Decision } from '../../core/decider.js';
import { accept, refuse } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/timestamp.js';
import {
  type DeliveredType,
  deliveryEvent,
  type DeliveryEvent,
  type DeliveryFault,
  type DeliveryIds,
  type DeliveryRequested,
  type DeliveryStatus,
  type NoticeIds,
  type NoticeType,
  TEST_TYPE,
  type TestRequested,
} from './events.js';

/** The delivery of a notice to a webhook. */
export interface Delivery extends DeliveryIds {
  readonly type: DeliveredType;
  /** The time of the event that caused the notice. */
  readonly timestamp: string;
  readonly ids: NoticeIds;
  /** The correlation id of the request that caused it. */
  readonly correlationId: string;
  /** When it was first requested. */
  readonly createdAt: string;
  /** When it was last requested: it is attempted until 3 days later. */
  readonly requestedAt: string;
  readonly status: DeliveryStatus;
  /** All attempts since `createdAt`. */
  readonly attempts: number;
  /** Attempts since `requestedAt`: the wait grows with these. */
  readonly tries: number;
  /** `null` before the first attempt. */
  readonly lastAttemptAt: string | null;
  /** HTTP status of the last attempt; `null` if there was no answer, or no attempt yet. */
  readonly lastResponseStatus: number | null;
  /**
   * Why the last attempt had no answer; `null`: it had one, an operator counted it as delivered, or there was none yet.
   */
  readonly lastFault: DeliveryFault | null;
  /** `null` unless it is pending. */
  readonly nextAttemptAt: string | null;
}

type ContentName = keyof DeliveryIds | 'type' | 'timestamp' | 'ids';

/** `null` until it is requested. */
export type DeliveryState = Delivery | null;

/** Folds the stream `delivery-<deliveryId>`. */
export const deliveryDecider: Decider<DeliveryState, DeliveryEvent> = {
  kind: 'delivery',
  initial: null,
  evolve(state, event) {
    const { recordedAt, correlationId } = event.metadata;
    if (event.type === 'delivery.requested' || event.type === 'delivery.test_requested')
      return {
        ...contentOf(event),
        correlationId,
        createdAt: recordedAt,
        requestedAt: recordedAt,
        status: 'pending',
        attempts: 0,
        tries: 0,
        lastAttemptAt: null,
        lastResponseStatus: null,
        lastFault: null,
        nextAttemptAt: recordedAt,
      };
    if (state === null) throw new Error(`${event.type} on a stream that has not begun.`);
    if (event.type === 'delivery.redelivery_requested')
      return {
        ...state,
        status: 'pending',
        tries: 0,
        requestedAt: recordedAt,
        nextAttemptAt: recordedAt,
      };
    // delivery.attempted
    const { result, attempt, status, fault, nextAttemptAt } = event.data;
    return {
      ...state,
      status: result === 'retrying' ? 'pending' : result,
      attempts: attempt,
      tries: state.tries + 1,
      lastAttemptAt: recordedAt,
      lastResponseStatus: status,
      lastFault: fault,
      nextAttemptAt,
    };
  },
};

const contentOf = (event: Stored<DeliveryRequested | TestRequested>): Pick<Delivery, ContentName> => {
  if (event.type === 'delivery.requested') return event.data;
  const { organisationId, webhookId } = event.data;
  return {
    ...event.data,
    type: TEST_TYPE,
    timestamp: event.metadata.recordedAt,
    ids: { organisationId, webhookId },
  };
};

export interface RequestDelivery extends DeliveryIds {
  readonly type: NoticeType;
  /** The id of the event that caused the notice. */
  readonly causedBy: string;
  /** The time of that event. */
  readonly timestamp: string;
  readonly ids: NoticeIds;
}

/** Requests a delivery, once. */
export const requestDelivery = (state: DeliveryState, input: RequestDelivery): Decision<DeliveryEvent> =>
  state === null ? accept(deliveryEvent('delivery.requested', input)) : accept();

/** Requests a test notice. */
export const requestTest = (state: DeliveryState, data: DeliveryIds): Decision<DeliveryEvent> =>
  state === null
    ? accept(deliveryEvent('delivery.test_requested', data))
    : refuse('conflict', 'There is a delivery by that id already.');

/** The result of an attempt. */
export interface Answered {
  /** HTTP status, `null` if there was no answer. */
  readonly status: number | null;
  /** Why there was no answer; `null`: there was one. */
  readonly fault: DeliveryFault | null;
  /** The receiver's `Retry-After`, in milliseconds; `null` without one. */
  readonly retryAfterMs: number | null;
}

export interface RecordAttempt {
  /** The attempt's number; if that attempt is recorded already, nothing is recorded. */
  readonly attempt: number;
  readonly answered: Answered;
  readonly now: string;
  /** From 0 to below 1: another random number for each attempt. */
  readonly random: number;
}

/** Records the result of an attempt, and when the next one is due. */
export const recordAttempt = (
  state: DeliveryState,
  { attempt, answered, now, random }: RecordAttempt,
): Decision<DeliveryEvent> => {
  if (state?.status !== 'pending' || attempt !== state.attempts + 1) return accept();
  const { organisationId, webhookId, deliveryId } = state;
  const { status, fault } = answered;
  const nextAttemptAt = nextAttempt(state, answered, Date.parse(now), random);
  const delivered = isSuccess(status);
  return accept(
    deliveryEvent('delivery.attempted', {
      organisationId,
      webhookId,
      deliveryId,
      attempt,
      result: delivered ? 'delivered' : nextAttemptAt === null ? 'failed' : 'retrying',
      status,
      fault,
      nextAttemptAt,
    }),
  );
};

/** Whether the receiver has accepted it. */
const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** The HTTP status by which a receiver refuses further attempts. */
const GONE = 410;

/** Whether the answer alone ends the delivery, whatever the time is. */
export const isFinal = ({ type }: Delivery, { status, fault }: Answered): boolean =>
  isSuccess(status) ||
  status === GONE ||
  fault === 'webhook_deleted' ||
  // A test is not repeated: it is useful at once or not at all.
  type === TEST_TYPE;

const nextAttempt = (state: Delivery, answered: Answered, now: number, random: number): string | null => {
  if (isFinal(state, answered)) return null;
  const deadline = Date.parse(state.requestedAt) + DEAD_AFTER_MS;
  if (now >= deadline) return null;
  const wait = Math.max(retryDelay(state.tries + 1, random), answered.retryAfterMs ?? 0);
  return new Date(Math.min(now + wait, deadline)).toISOString();
};

/**
 * Ends a pending delivery without an attempt. After a restore of the log, deliveries that may have been made are held
 * back: the operator decides whether this one counts as `delivered` or as `failed`.
 */
export const closeDelivery = (
  state: DeliveryState,
  result: 'delivered' | 'failed',
): Decision<DeliveryEvent> => {
  if (state?.status !== 'pending') return accept();
  const { organisationId, webhookId, deliveryId, attempts } = state;
  return accept(
    deliveryEvent('delivery.attempted', {
      organisationId,
      webhookId,
      deliveryId,
      attempt: attempts + 1,
      result,
      status: null,
      fault: result === 'failed' ? 'held' : null,
      nextAttemptAt: null,
    }),
  );
};

/**
 * Since when a pending delivery has been due. A first attempt is due since the event that caused the notice, not since
 * its request: after a restore of the log it is requested again.
 */
export const dueSince = ({ attempts, type, timestamp, createdAt, requestedAt, nextAttemptAt }: Delivery) =>
  attempts === 0 && requestedAt === createdAt && type !== TEST_TYPE ? timestamp : nextAttemptAt;

/** Requests a delivery again, whatever its status: it is attempted for 3 days from now. */
export const requestRedelivery = (
  state: DeliveryState,
  { organisationId, webhookId }: { readonly organisationId: string; readonly webhookId: string },
): Decision<DeliveryEvent> => {
  if (state?.organisationId !== organisationId || state.webhookId !== webhookId) return NO_DELIVERY;
  const { deliveryId, status } = state;
  return accept(
    deliveryEvent('delivery.redelivery_requested', { organisationId, webhookId, deliveryId, former: status }),
  );
};

/** The refusal if the webhook has no such delivery. */
export const NO_DELIVERY = refuse('not_found', 'There is no such delivery.');

/** How long after its last request a delivery is attempted, in milliseconds. */
export const DEAD_AFTER_MS = 72 * HOUR_MS;

/** The waits after the first attempts, as the Standard Webhooks specification suggests. */
const DELAYS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
];
const LAST_DELAY = 24 * HOUR_MS;
/** The largest part of a wait that is added to it, so that deliveries that failed together are not repeated together. */
const JITTER = 0.2;
/** The longest time ahead for which an attempt is planned, in milliseconds. */
export const MAX_AHEAD_MS = LAST_DELAY * (1 + JITTER);

/**
 * How long to wait after an attempt that failed, in milliseconds.
 * @param tries attempts so far, at least 1
 * @param random from 0 to below 1: adds up to a fifth
 */
const retryDelay = (tries: number, random: number): number =>
  Math.round((DELAYS[tries - 1] ?? LAST_DELAY) * (1 + JITTER * random));
