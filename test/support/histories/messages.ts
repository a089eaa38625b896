import { mails } from '../../../projections/mails.js';
import { notices } from '../../../projections/notices.js';
import { type ApplicationRef, applicationRefOf } from '../../../src/domain/candidate/events.js';
import {
  closeMail,
  limitMail,
  mailsDecider,
  mayBeTried,
  progressOf,
  recordMailAttempt,
  resendMail,
} from '../../../src/domain/mail/decider.js';
import { GIVEN_UP_AFTER_MS, reminderOnDemand, type ServerFault } from '../../../src/domain/mail/events.js';
import {
  createWebhook,
  deleteWebhook,
  rotateSecret,
  type Webhook,
  webhooksDecider,
} from '../../../src/domain/webhook/decider.js';
import {
  deliveryDecider,
  recordAttempt,
  requestDelivery,
  requestRedelivery,
  requestTest,
} from '../../../src/domain/webhook/delivery-decider.js';
import { type DeliveryIds, NOTICE_TYPES } from '../../../src/domain/webhook/events.js';
import { after } from '../given-when-then.js';
import { STAFF, SYSTEM, type World } from './world.js';

const REQUESTED = new Set(['delivery.requested', 'delivery.test_requested']);
const ANSWERS = [
  { status: 503, fault: null, retryAfterMs: null },
  { status: 204, fault: null, retryAfterMs: null },
  { status: null, fault: 'timeout', retryAfterMs: null },
  { status: 410, fault: null, retryAfterMs: null },
] as const;

/**
 * `value` chooses: an organisation's webhook is made or deleted, its pending notices are requested and tried, or a notice
 * is sent again.
 */
export const webhookStep = (world: World, organisationId: string, value: number): void => {
  const webhooks = world.read(webhooksDecider, organisationId);
  const webhook = webhooks[value % (webhooks.length || 1)];
  if (!webhook || value < 4) create(world, organisationId, value);
  else if (value === 4)
    world.submit(webhooksDecider, organisationId, STAFF, (state) =>
      deleteWebhook(state, { webhookId: webhook.webhookId, expectedVersion: null }),
    );
  else if (value === 5)
    world.submit(webhooksDecider, organisationId, STAFF, (state) =>
      rotateSecret(state, {
        webhookId: webhook.webhookId,
        formerValidHours: value,
        now: new Date(world.now),
        expectedVersion: null,
      }),
    );
  else if (value < 14) deliver(world, organisationId, value);
  else if (value === 14) test(world, webhook);
  else again(world, webhook, value);
};

const create = (world: World, organisationId: string, value: number): void => {
  const events = NOTICE_TYPES.filter((_, index) => value % 4 === 0 || index % 4 === value % 4);
  const webhookId = world.newId();
  const input = { organisationId, webhookId, url: `https://hooks.example.com/${value}`, events };
  world.submit(webhooksDecider, organisationId, STAFF, (state) =>
    createWebhook(state, { ...input, allowPrivate: false }),
  );
};

/** Requests deliveries as the reactor does, and makes their first attempt as the worker does. */
const deliver = (world: World, organisationId: string, value: number): void => {
  const pending = world.document(notices, organisationId)?.pending ?? [];
  for (const { webhookIds, type, causedBy, timestamp, ids } of pending.slice(0, value)) {
    for (const webhookId of webhookIds) {
      const delivery = { organisationId, webhookId, deliveryId: world.newId() };
      world.submit(deliveryDecider, delivery.deliveryId, SYSTEM, (state) =>
        requestDelivery(state, { ...delivery, type, causedBy, timestamp, ids }),
      );
      attempt(world, delivery, value + causedBy.charCodeAt(35));
    }
  }
};

/** Staff request a test notice; a later action makes it. */
const test = (world: World, { organisationId, webhookId }: Webhook): void => {
  const ids = { organisationId, webhookId, deliveryId: world.newId() };
  world.submit(deliveryDecider, ids.deliveryId, STAFF, (state) => requestTest(state, ids));
};

const attempt = (world: World, { deliveryId }: Pick<DeliveryIds, 'deliveryId'>, value: number): void => {
  const answered = ANSWERS[value % ANSWERS.length] ?? ANSWERS[0];
  world.submit(deliveryDecider, deliveryId, SYSTEM, (state) =>
    recordAttempt(state, { attempt: (state?.attempts ?? 0) + 1, answered, now: world.now, random: 0 }),
  );
};

/** A delivery of the webhook is tried again; at every second value, staff request that first. */
const again = (world: World, webhook: Webhook, value: number): void => {
  const { organisationId, webhookId } = webhook;
  const requested = world.log.filter(
    ({ type, data }) => REQUESTED.has(type) && 'webhookId' in data && data.webhookId === webhookId,
  );
  const data = requested[value % (requested.length || 1)]?.data;
  if (!data || !('deliveryId' in data)) return;
  const deliveryId = String(data.deliveryId);
  if (value % 2 === 0)
    world.submit(deliveryDecider, deliveryId, STAFF, (state) =>
      requestRedelivery(state, { organisationId, webhookId }),
    );
  attempt(world, { deliveryId }, value);
};

const FAULTS: readonly (ServerFault | null)[] = [null, 'deferred', 'refused', null, 'timed_out'];

/** The reactor, an operator or staff act on one of the mails about an application. */
export const mailStep = (world: World, application: ApplicationRef, value: number): void => {
  const { applicationId } = application;
  const planned = world.document(mails, applicationId)?.mails ?? [];
  const mail = planned[value % (planned.length || 1)];
  if (!mail) return;
  const on = { application: applicationRefOf(application), mail };
  const deadline = after(GIVEN_UP_AFTER_MS, mail.dueAt);
  world.submit(mailsDecider, applicationId, SYSTEM, (state) => {
    if (value % 11 === 9)
      return resendMail(state, {
        ...{ application: on.application, mail: reminderOnDemand(applicationId) },
        ...{ applies: true, now: world.now },
      });
    if (mail.state === 'failed' || (mail.state === 'sent' && value % 5 === 4))
      return resendMail(state, { ...on, applies: true, now: world.now });
    if (value % 7 === 3)
      return limitMail(state, { ...on, until: after(GIVEN_UP_AFTER_MS / 3, world.now), deadline });
    if (value % 7 === 5) return closeMail(state, { ...on, result: value % 2 ? 'sent' : 'failed' });
    return recordMailAttempt(state, {
      ...on,
      attempt: mayBeTried(state, mail, world.now) ? progressOf(state, mail).attempts + 1 : 0,
      fault: FAULTS[value % FAULTS.length] ?? null,
      now: world.now,
      deadline,
      random: 0,
    });
  });
};
