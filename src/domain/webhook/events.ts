import { type EventIn, eventType, eventsOf } from '../../core/registry.js';

/**
 * Stored names and latest shapes of an organisation's webhooks (`webhooks-<organisation>`) and of each delivery's
 * stream (`delivery-<id>`): the storage contract. They hold nothing personal: a notice has ids alone.
 */

/** Ids that notices take from events. */
export type NoticeIdName =
  | 'organisationId'
  | 'webhookId'
  | 'candidateId'
  | 'applicationId'
  | 'trialSessionId'
  | 'roleId'
  | 'evaluationId';

export interface Notice {
  /** What happened, as a sentence. */
  readonly when: string;
  /** The types of the events that cause it; one with `withdrawn: false` causes none. */
  readonly of: readonly string[];
  /** Taken from the event that caused it. */
  readonly ids: readonly NoticeIdName[];
  /** Lists of ids that are looked up when it is sent. By default none. */
  readonly lists?: readonly 'applicationIds'[];
}

const TRIAL: readonly NoticeIdName[] = [
  'organisationId',
  'candidateId',
  'applicationId',
  'trialSessionId',
  'roleId',
];
const EVALUATION: readonly NoticeIdName[] = [...TRIAL, 'evaluationId'];

/** Every kind of notice that a webhook can subscribe to. */
export const NOTICES = {
  'candidate.invited': {
    when: 'A candidate was invited to a role.',
    of: ['candidate.invited'],
    ids: TRIAL,
  },
  'trial.started': { when: 'A candidate started the trial session.', of: ['trial.started'], ids: TRIAL },
  'trial.completed': {
    when: 'A trial session was completed; its evaluation is being generated.',
    of: ['trial.completed'],
    ids: EVALUATION,
  },
  'trial.expired': {
    when: 'A trial session expired before it was completed.',
    of: ['trial.expired'],
    ids: TRIAL,
  },
  'trial.withdrawn': {
    when: 'A trial session was withdrawn, by the candidate, by staff or by an erasure.',
    of: ['trial.withdrawn', 'trial.erased'],
    ids: TRIAL,
  },
  'evaluation.ready': {
    when: 'An evaluation, or a further generation of it, is ready.',
    of: ['evaluation.generated'],
    ids: EVALUATION,
  },
  'evaluation.failed': {
    when: 'An evaluation could not be generated.',
    of: ['evaluation.failed'],
    ids: EVALUATION,
  },
  'evaluation.contested': {
    when: 'A candidate contested something of the evaluation: answer it.',
    of: ['evaluation.contested'],
    ids: EVALUATION,
  },
  'outcome.recorded': {
    when: 'An outcome was recorded or corrected.',
    of: ['outcome.recorded'],
    ids: TRIAL,
  },
  'erasure.requested': {
    when: 'A candidate asked to be erased: erase the candidate, or answer why not.',
    of: ['erasure.requested'],
    ids: TRIAL,
  },
  'candidate.erased': {
    when: 'A candidate was erased: delete what you keep about them.',
    of: ['candidate.erased'],
    ids: ['organisationId', 'candidateId'],
    lists: ['applicationIds'],
  },
} as const satisfies Readonly<Record<string, Notice>>;

export type NoticeType = keyof typeof NOTICES;

export const NOTICE_TYPES = Object.keys(NOTICES) as readonly NoticeType[];

/** The type of an event that causes a notice. */
export type CausingType = (typeof NOTICES)[NoticeType]['of'][number];

/** The notice that an event causes, by the event's type. */
export const NOTICE_OF = Object.fromEntries(
  NOTICE_TYPES.flatMap((type) => NOTICES[type].of.map((told) => [told, type])),
) as Readonly<Record<CausingType, NoticeType>>;

export interface WebhookIds {
  readonly organisationId: string;
  readonly webhookId: string;
}

/** Secrets are derived from the server's own and are never stored; a webhook's first one has the number 1. */
export const webhookEvents = {
  'webhook.created': eventType<
    WebhookIds & { readonly url: string; readonly events: readonly NoticeType[] }
  >(),
  /** Notices are signed with a new secret, and until `formerValidUntil` with the former ones too. */
  'webhook.secret_rotated': eventType<
    WebhookIds & {
      /** The new secret's. */
      readonly number: number;
      readonly formerValidUntil: string;
    }
  >(),
  'webhook.deleted': eventType<WebhookIds>(),
};

export type WebhookEvent = EventIn<typeof webhookEvents>;
export const webhookEvent = eventsOf<typeof webhookEvents>();

export interface DeliveryIds extends WebhookIds {
  readonly deliveryId: string;
}

/** Sent to a webhook at the request of staff; webhooks do not subscribe to it. */
export const TEST_TYPE = 'webhook.test';

export const TEST_NOTICE: Notice = {
  when: 'Staff asked for a test. It is tried once.',
  of: [],
  ids: ['organisationId', 'webhookId'],
};

/** The types that a delivery may have. */
export const DELIVERED_TYPES = [...NOTICE_TYPES, TEST_TYPE] as const;

export type DeliveredType = (typeof DELIVERED_TYPES)[number];

/** What a notice has beside its type and time. */
export type NoticeIds = Readonly<Record<string, string | readonly string[]>>;

/** `delivered`: the receiver accepted it. `retrying`: next attempt at `nextAttemptAt`. `failed`: not attempted again. */
export type AttemptResult = 'delivered' | 'retrying' | 'failed';

/**
 * Why an attempt has no status: `timeout` no answer in time, `unresolved` the host has no address, `private_address`
 * all its addresses are private, `unreachable` no connection, `tls` no trusted certificate, `bad_answer` no HTTP,
 * `webhook_deleted` nothing was sent because the webhook was deleted, `held` nothing was sent because an operator ended
 * it after a restore.
 */
export const DELIVERY_FAULTS = [
  'timeout',
  'unresolved',
  'private_address',
  'unreachable',
  'tls',
  'bad_answer',
  'webhook_deleted',
  'held',
] as const;

export type DeliveryFault = (typeof DELIVERY_FAULTS)[number];

/** `pending` until it is delivered or has failed. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const deliveryEvents = {
  /** A notice is to be delivered to a webhook. */
  'delivery.requested': eventType<
    DeliveryIds & {
      readonly type: NoticeType;
      /** The id of the event that caused the notice. */
      readonly causedBy: string;
      /** The time of that event. */
      readonly timestamp: string;
      readonly ids: NoticeIds;
    }
  >(),
  /** Staff test whether notices reach the webhook. */
  'delivery.test_requested': eventType<DeliveryIds>(),
  'delivery.attempted': eventType<
    DeliveryIds & {
      /** From 1, counted on through redeliveries: two processes that make the same attempt record it once. */
      readonly attempt: number;
      readonly result: AttemptResult;
      /** HTTP status, `null` without an answer. */
      readonly status: number | null;
      /**
       * Why there was no answer; `null`: there was one, or an operator counted it as delivered. Nothing of an answer's
       * content is kept.
       */
      readonly fault: DeliveryFault | null;
      /** `null` unless it is `retrying`. */
      readonly nextAttemptAt: string | null;
    }
  >(),
  /** Staff request it again, whatever its status. */
  'delivery.redelivery_requested': eventType<
    DeliveryIds & {
      /** The status before, so that counts need no look-up. */
      readonly former: DeliveryStatus;
    }
  >(),
};

export type DeliveryEvent = EventIn<typeof deliveryEvents>;
export const deliveryEvent = eventsOf<typeof deliveryEvents>();
export type DeliveryRequested = EventIn<typeof deliveryEvents, 'delivery.requested'>;
export type TestRequested = EventIn<typeof deliveryEvents, 'delivery.test_requested'>;
