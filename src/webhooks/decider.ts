import type { Decider, Decision, Problem } from '../event-store/decider.js';
import { accept, refuse, refuseInvalid, staleVersion } from '../event-store/decider.js';
import { NOTICE_TYPES, type NoticeType, type WebhookEvent } from './events.js';
import { targetProblem } from './target.js';

/** Where an organisation wants to be told of something, and of what. */
export interface Webhook {
  readonly organisationId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly events: readonly NoticeType[];
  readonly createdAt: string;
  /** Always 1: a webhook is made and deleted, never changed. */
  readonly version: number;
}

/** An organisation's webhooks, oldest first. */
export type WebhooksState = readonly Webhook[];

export const webhooksDecider: Decider<WebhooksState, WebhookEvent> = {
  kind: 'webhooks',
  initial: [],
  evolve(state, event) {
    if (event.type === 'webhook.deleted') return state.filter((one) => one !== webhookOf(state, event.data));
    return [...state, { ...event.data, createdAt: event.metadata.recordedAt, version: 1 }];
  },
};

/** The webhook by that id; `undefined`: there is none any more. */
export const webhookOf = (
  state: WebhooksState,
  { webhookId }: { readonly webhookId: string },
): Webhook | undefined => state.find((one) => one.webhookId === webhookId);

/** Each is told of everything it wants, and what nobody takes is sent for days. */
export const MOST_WEBHOOKS = 20;

export interface CreateWebhook {
  readonly organisationId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly events: readonly string[];
  /** Whether targets in private networks, and without TLS, are allowed. */
  readonly allowPrivate: boolean;
}

/** From here on the organisation's notices go there, none from before. */
export const createWebhook = (state: WebhooksState, input: CreateWebhook): Decision<WebhookEvent> => {
  const { organisationId, webhookId, url, allowPrivate } = input;
  const sentence = targetProblem(url, { allowPrivate });
  const problems: Problem[] = sentence ? [{ path: 'url', rule: 'target', message: sentence }] : [];
  const events = input.events.filter(isNoticeType);
  problems.push(...eventProblems(input.events));
  if (problems.length > 0) return refuseInvalid(problems);
  if (state.length >= MOST_WEBHOOKS)
    return refuse('conflict', `An organisation has at most ${MOST_WEBHOOKS} webhooks: delete one first.`);
  return accept<WebhookEvent>({
    type: 'webhook.created',
    data: { organisationId, webhookId, url, events },
    person: null,
    personal: null,
  });
};

const isNoticeType = (text: string): text is NoticeType => (NOTICE_TYPES as readonly string[]).includes(text);

const eventProblems = (events: readonly string[]): readonly Problem[] => {
  if (events.length === 0)
    return [{ path: 'events', rule: 'min', message: 'events must name at least one kind of notice.' }];
  // Not a sentence for each of as many as a body can hold.
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

export interface DeleteWebhook {
  readonly webhookId: string;
  readonly expectedVersion: number | null;
}

/** Nothing more goes there; what is still to be delivered is given up. */
export const deleteWebhook = (
  state: WebhooksState,
  { webhookId, expectedVersion }: DeleteWebhook,
): Decision<WebhookEvent> => {
  const webhook = webhookOf(state, { webhookId });
  if (!webhook) return NO_WEBHOOK;
  const stale = staleVersion(expectedVersion, webhook.version);
  if (stale) return stale;
  const { organisationId } = webhook;
  return accept<WebhookEvent>({
    type: 'webhook.deleted',
    data: { organisationId, webhookId },
    person: null,
    personal: null,
  });
};

/** The refusal where there is no such webhook, or not any more. */
export const NO_WEBHOOK = refuse('not_found', 'There is no such webhook.');
