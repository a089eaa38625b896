import type { EventOf } from '../../core/event.js';

/**
 * Stored names and latest shapes of an organisation's webhooks (`webhooks-<organisation>`) and of each delivery's
 * stream (`delivery-<id>`): the storage contract. Nothing personal stands in them: a notice carries ids alone.
 */

/** Ids that events carry and notices pass on. */
export type NoticeIdName =
  | 'organisationId'
  | 'webhookId'
  | 'candidateId'
  | 'applicationId'
  | 'trialSessionId'
  | 'roleId'
  | 'evaluationId';

export interface Notice {
  /** What it tells of, as a sentence. */
  readonly when: string;
  /** The types of the events that it tells of; one with `withdrawn: false` is passed over. */
  readonly of: readonly string[];
  /** Taken from the event that it tells of. */
  readonly ids: readonly NoticeIdName[];
  /** Lists of ids that are looked up when it is sent. */
  readonly lists?: readonly string[];
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
  'outcome.recorded': {
    when: 'An outcome was recorded or corrected.',
    of: ['outcome.recorded'],
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

/** The type of an event that a notice tells of. */
export type ToldType = (typeof NOTICES)[NoticeType]['of'][number];

/** The notice that tells of an event, by the event's type. */
export const NOTICE_OF = Object.fromEntries(
  NOTICE_TYPES.flatMap((type) => NOTICES[type].of.map((told) => [told, type])),
) as Readonly<Record<ToldType, NoticeType>>;

export interface WebhookIds {
  readonly organisationId: string;
  readonly webhookId: string;
}

/** A webhook's first secret has the number 1. Secrets are derived from the server's own: none is ever stored. */
export type WebhookCreated = EventOf<
  'webhook.created',
  WebhookIds & { readonly url: string; readonly events: readonly NoticeType[] }
>;
/** Notices are signed with a new secret, and until `formerValidUntil` with the former ones too. */
export type WebhookSecretRotated = EventOf<
  'webhook.secret_rotated',
  WebhookIds & {
    /** The new secret's. */
    readonly number: number;
    readonly formerValidUntil: string;
  }
>;
export type WebhookDeleted = EventOf<'webhook.deleted', WebhookIds>;

export type WebhookEvent = WebhookCreated | WebhookSecretRotated | WebhookDeleted;

export interface DeliveryIds extends WebhookIds {
  readonly deliveryId: string;
}

/** Sent when staff ask for it, to any webhook: nobody subscribes to it. */
export const TEST_TYPE = 'webhook.test';

export const TEST_NOTICE: Notice = {
  when: 'Staff asked for a test. It is tried once.',
  of: [],
  ids: ['organisationId', 'webhookId'],
};

/** What a delivery may carry. */
export const DELIVERED_TYPES = [...NOTICE_TYPES, TEST_TYPE] as const;

export type DeliveredType = (typeof DELIVERED_TYPES)[number];

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

/** Staff want to see whether notices reach the webhook. */
export type TestRequested = EventOf<'delivery.test_requested', DeliveryIds>;

/** `delivered`: taken by the receiver. `retrying`: not yet, again at `nextAttemptAt`. `failed`: given up. */
export type AttemptResult = 'delivered' | 'retrying' | 'failed';

/**
 * Why an attempt has no status: `timeout` no answer in time, `unresolved` the host has no address, `private_address`
 * it has none that notices may go to, `unreachable` no connection, `tls` no certificate that can be trusted, `bad_answer`
 * it was no HTTP, `webhook_deleted` nothing was sent, since there is no webhook any more.
 */
export const DELIVERY_FAULTS = [
  'timeout',
  'unresolved',
  'private_address',
  'unreachable',
  'tls',
  'bad_answer',
  'webhook_deleted',
] as const;

export type DeliveryFault = (typeof DELIVERY_FAULTS)[number];

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

export type DeliveryEvent = DeliveryRequested | TestRequested | DeliveryAttempted | RedeliveryRequested;
