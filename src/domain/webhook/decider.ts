import type { Decider, Decision, Problem } from '../../core/decider.js';
import { accept, refuse, refuseInvalid, staleVersion } from '../../core/decider.js';
import { HOUR_MS } from '../../core/timestamp.js';
import { NOTICE_TYPES, type NoticeType, webhookEvent, type WebhookEvent } from './events.js';
import { targetProblem } from './target.js';

/** A URL that notices go to, and the kinds of notice that it is subscribed to. */
export interface Webhook {
  readonly organisationId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly events: readonly NoticeType[];
  readonly createdAt: string;
  /** Raised by each rotation of the secret. */
  readonly version: number;
  /** The number of the secret that notices are signed with. */
  readonly secret: number;
  /** Until when notices are signed with a former secret too; `null` until the secret is rotated. */
  readonly formerSecretValidUntil: string | null;
  /** Secrets that notices are signed with too for some time, oldest first. */
  readonly formerSecrets: readonly FormerSecret[];
}

export interface FormerSecret {
  readonly number: number;
  readonly validUntil: string;
}

/** An organisation's webhooks, oldest first. */
export type WebhooksState = readonly Webhook[];

/** Folds the stream `webhooks-<organisationId>`. */
export const webhooksDecider: Decider<WebhooksState, WebhookEvent> = {
  kind: 'webhooks',
  initial: [],
  evolve(state, event) {
    const { recordedAt } = event.metadata;
    switch (event.type) {
      case 'webhook.created':
        return [
          ...state,
          {
            ...event.data,
            createdAt: recordedAt,
            version: 1,
            secret: 1,
            formerSecretValidUntil: null,
            formerSecrets: [],
          },
        ];
      case 'webhook.secret_rotated': {
        const { number, formerValidUntil } = event.data;
        const rotated = (webhook: Webhook): Webhook => ({
          ...webhook,
          version: webhook.version + 1,
          secret: number,
          formerSecretValidUntil: formerValidUntil,
          formerSecrets: formerSecrets(webhook, formerValidUntil, recordedAt),
        });
        return state.map((one) => (one.webhookId === event.data.webhookId ? rotated(one) : one));
      }
      case 'webhook.deleted':
        return state.filter(({ webhookId }) => webhookId !== event.data.webhookId);
    }
  },
};

/** The former secrets that stay valid after a rotation. None is valid for longer than the one rotated last. */
const formerSecrets = (
  { secret, formerSecrets: former }: Webhook,
  validUntil: string,
  now: string,
): readonly FormerSecret[] =>
  [...former, { number: secret, validUntil }]
    .map((one) => ({ ...one, validUntil: one.validUntil < validUntil ? one.validUntil : validUntil }))
    .filter((one) => one.validUntil > now);

/** The numbers of the secrets that a notice is signed with at a time, newest first. */
export const secretsAt = ({ secret, formerSecrets: former }: Webhook, now: string): readonly number[] => {
  const valid = former.filter(({ validUntil }) => validUntil > now).map(({ number }) => number);
  return [secret, ...valid.reverse()];
};

/** The webhook by that id; `undefined`: there is none any more. */
export const webhookOf = (
  state: WebhooksState,
  { webhookId }: { readonly webhookId: string },
): Webhook | undefined => state.find((one) => one.webhookId === webhookId);

/**
 * Maximum number of webhooks of an organisation: each gets every notice that it subscribes to, and undelivered ones are
 * repeated for days.
 */
export const MAX_WEBHOOKS = 20;

export interface CreateWebhook {
  readonly organisationId: string;
  readonly webhookId: string;
  readonly url: string;
  /** Unchecked: each may be any text. */
  readonly events: readonly string[];
  /** Whether targets in private networks, and without TLS, are allowed. */
  readonly allowPrivate: boolean;
}

/** Later notices go to the webhook, earlier ones do not. */
export const createWebhook = (state: WebhooksState, input: CreateWebhook): Decision<WebhookEvent> => {
  const { organisationId, webhookId, url, allowPrivate } = input;
  const sentence = targetProblem(url, { allowPrivate });
  const urlProblems: Problem[] = sentence ? [{ path: 'url', rule: 'target', message: sentence }] : [];
  const problems = [...urlProblems, ...eventProblems(input.events)];
  if (problems.length > 0) return refuseInvalid(problems);
  if (state.length >= MAX_WEBHOOKS)
    return refuse('conflict', `An organisation has at most ${MAX_WEBHOOKS} webhooks: delete one first.`);
  const events = input.events.filter(isNoticeType);
  return accept(webhookEvent('webhook.created', { organisationId, webhookId, url, events }));
};

const isNoticeType = (text: string): text is NoticeType => (NOTICE_TYPES as readonly string[]).includes(text);

const eventProblems = (events: readonly string[]): readonly Problem[] => {
  if (events.length === 0)
    return [{ path: 'events', rule: 'min', message: 'events must name at least one kind of notice.' }];
  // One problem instead of one for each item of a large body.
  if (events.length > NOTICE_TYPES.length)
    return [
      {
        path: 'events',
        rule: 'max',
        message: `events must name each of the ${NOTICE_TYPES.length} kinds once at most.`,
      },
    ];
  return events.flatMap((event, index): Problem[] => {
    const path = `events[${index}]`;
    const known = `${path} must be one of: ${NOTICE_TYPES.join(', ')}.`;
    if (!isNoticeType(event)) return [{ path, rule: 'oneOf', message: known }];
    if (events.indexOf(event) === index) return [];
    return [{ path, rule: 'distinct', message: `${path} names ${event} a second time.` }];
  });
};

/** How long a former secret stays valid by default, in hours. */
export const FORMER_SECRET_HOURS = 24;
/** Longest time that a former secret stays valid, in hours. */
export const MAX_FORMER_SECRET_HOURS = 168;
/** Maximum number of former secrets: each adds a signature to every notice. */
export const MAX_FORMER_SECRETS = 4;

/** A command about one webhook. */
interface WebhookCommand {
  readonly webhookId: string;
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

/** Calls `decide` with the webhook, or refuses: there is none, or it is at another version than the expected one. */
const whenCurrent = (
  state: WebhooksState,
  { webhookId, expectedVersion }: WebhookCommand,
  decide: (webhook: Webhook) => Decision<WebhookEvent>,
): Decision<WebhookEvent> => {
  const webhook = webhookOf(state, { webhookId });
  return webhook ? (staleVersion(expectedVersion, webhook.version) ?? decide(webhook)) : NO_WEBHOOK;
};

export interface RotateSecret extends WebhookCommand {
  /** 0 to `MAX_FORMER_SECRET_HOURS`, checked before; 0 ends all former secrets at once. */
  readonly formerValidHours: number;
  readonly now: Date;
}

/** Signs notices with a new secret, and for some time with the former one too. */
export const rotateSecret = (state: WebhooksState, input: RotateSecret): Decision<WebhookEvent> =>
  whenCurrent(state, input, (webhook) => {
    const now = input.now.toISOString();
    const formerValidUntil = new Date(input.now.getTime() + input.formerValidHours * HOUR_MS).toISOString();
    if (formerSecrets(webhook, formerValidUntil, now).length > MAX_FORMER_SECRETS)
      return refuse(
        'conflict',
        `At most ${MAX_FORMER_SECRETS} former secrets are valid at once: wait until one expires, or rotate with formerSecretValidHours 0.`,
      );
    const { organisationId, webhookId } = webhook;
    const number = webhook.secret + 1;
    return accept(
      webhookEvent('webhook.secret_rotated', { organisationId, webhookId, number, formerValidUntil }),
    );
  });

/** Ends all notices to the webhook: its pending deliveries fail. */
export const deleteWebhook = (state: WebhooksState, input: WebhookCommand): Decision<WebhookEvent> =>
  whenCurrent(state, input, ({ organisationId, webhookId }) =>
    accept(webhookEvent('webhook.deleted', { organisationId, webhookId })),
  );

/** The refusal if there is no such webhook, or it was deleted. */
export const NO_WEBHOOK = refuse('not_found', 'There is no such webhook.');
