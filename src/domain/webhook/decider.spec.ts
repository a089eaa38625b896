import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { after, fold, NOW, specification, stored, uuid } from '../../../test/support/given-when-then.js';
import {
  createWebhook,
  deleteWebhook,
  MAX_FORMER_SECRETS,
  MAX_WEBHOOKS,
  rotateSecret,
  secretsAt,
  webhooksDecider,
  type WebhooksState,
} from './decider.js';
import { NOTICES, TEST_NOTICE, TEST_TYPE, webhookEvent, type WebhookEvent } from './events.js';

const organisationId = uuid('org');
const webhookId = uuid('hook');
const url = 'https://hooks.example.com/assay?key=1';
const { given } = specification(webhooksDecider);

const created = (id = webhookId): WebhookEvent =>
  webhookEvent('webhook.created', { organisationId, webhookId: id, url, events: ['evaluation.ready'] });
const deleted = (id = webhookId): WebhookEvent =>
  webhookEvent('webhook.deleted', { organisationId, webhookId: id });

const input = { organisationId, webhookId, url, events: ['evaluation.ready'], allowPrivate: false };

describe('A webhook', () => {
  it('is created as it was asked for', () => {
    given()
      .when((state) => createWebhook(state, input))
      .then(created());
  });

  it.each([
    ['no address', { url: 'nowhere' }, 'url'],
    ['a private one', { url: 'https://10.0.0.1/' }, 'url'],
    ['no kind of notice', { events: [] }, 'events'],
    ['an unknown kind', { events: ['evaluation.ready', 'trial.begun'] }, 'events[1]'],
    ['a kind twice', { events: ['evaluation.ready', 'evaluation.ready'] }, 'events[1]'],
    ['more than there are', { events: Array<string>(60_000).fill('') }, 'events'],
  ])('is refused with %s', (_, wrong, path) => {
    given()
      .when((state) => createWebhook(state, { ...input, ...wrong }))
      .thenRefused('validation_failed', path);
  });

  it('may be in a private network where that is allowed', () => {
    const events = given()
      .when((state) => createWebhook(state, { ...input, url: 'http://10.0.0.1/', allowPrivate: true }))
      .events();
    expect(events).toMatchObject([{ data: { url: 'http://10.0.0.1/' } }]);
  });

  it('is one of a few', () => {
    const many = Array.from({ length: MAX_WEBHOOKS }, (_, index) => created(uuid(`h${index}`)));
    given(...many)
      .when((state) => createWebhook(state, input))
      .thenRefused('conflict');
    given(...many, deleted(uuid('h3')))
      .when((state) => createWebhook(state, input))
      .then(created());
  });

  it('is deleted once', () => {
    const remove = { webhookId, expectedVersion: null };
    given(created(uuid('other')), created())
      .when((state) => deleteWebhook(state, remove))
      .then(deleted());
    given(created(), deleted())
      .when((state) => deleteWebhook(state, remove))
      .thenRefused('not_found');
  });

  it('is deleted at the version that was read', () => {
    given(created())
      .when((state) => deleteWebhook(state, { webhookId, expectedVersion: 2 }))
      .thenRefused('version_mismatch');
    given(created())
      .when((state) => deleteWebhook(state, { webhookId, expectedVersion: 1 }))
      .then(deleted());
  });

  const HOUR = 3_600_000;
  const rotated = (number: number, formerValidUntil: string): WebhookEvent =>
    webhookEvent('webhook.secret_rotated', { organisationId, webhookId, number, formerValidUntil });
  const rotate = (formerValidHours: number, now = NOW, expectedVersion: number | null = null) => ({
    webhookId,
    formerValidHours,
    now: new Date(now),
    expectedVersion,
  });
  /** A webhook whose secret was rotated at these hours, each former one valid for so many. */
  const rotatedAt = (...rotations: readonly (readonly [number, number])[]): WebhooksState => {
    let state: WebhooksState = fold(webhooksDecider, [created()]);
    for (const [at, hours] of rotations) {
      const now = after(at * HOUR);
      const decision = rotateSecret(state, rotate(hours, now));
      if (decision.kind === 'refused') throw new Error(decision.refusal.message);
      for (const event of decision.events)
        state = webhooksDecider.evolve(state, stored(event, { recordedAt: now }));
    }
    return state;
  };
  const signedAt = (state: WebhooksState, hour: number): readonly number[] =>
    state.flatMap((webhook) => secretsAt(webhook, after(hour * HOUR)));

  it('has its secret rotated, the former one valid for as long as it is said', () => {
    given(created())
      .when((state) => rotateSecret(state, rotate(24)))
      .then(rotated(2, after(24 * HOUR)));
    const state = rotatedAt([1, 24]);
    expect(state).toMatchObject([{ version: 2, secret: 2, formerSecretValidUntil: after(25 * HOUR) }]);
    expect(signedAt(rotatedAt(), 0)).toEqual([1]);
    expect(signedAt(state, 1)).toEqual([2, 1]);
    expect(signedAt(state, 24.99)).toEqual([2, 1]);
    expect(signedAt(state, 25)).toEqual([2]);
  });

  it('has several former secrets at once, each until its own time', () => {
    const state = rotatedAt([0, 24], [10, 24]);
    expect(signedAt(state, 23)).toEqual([3, 2, 1]);
    expect(signedAt(state, 24)).toEqual([3, 2]);
    expect(signedAt(state, 34)).toEqual([3]);
  });

  it('has no former secret for longer than the last rotation says: with 0 hours none at once', () => {
    expect(signedAt(rotatedAt([0, 24], [1, 2]), 2)).toEqual([3, 2, 1]);
    expect(signedAt(rotatedAt([0, 24], [1, 2]), 3)).toEqual([3]);
    expect(signedAt(rotatedAt([0, 24], [1, 0]), 1)).toEqual([3]);
  });

  it('has only some former secrets at once', () => {
    const many = Array.from({ length: MAX_FORMER_SECRETS }, () => [0, 24] as const);
    const state = rotatedAt(...many);
    expect(signedAt(state, 1)).toHaveLength(1 + MAX_FORMER_SECRETS);
    expect(rotateSecret(state, rotate(24, after(HOUR)))).toMatchObject({ refusal: { code: 'conflict' } });
    expect(rotateSecret(state, rotate(0, after(HOUR)))).toMatchObject({ kind: 'accepted' });
    expect(rotateSecret(state, rotate(24, after(24 * HOUR)))).toMatchObject({ kind: 'accepted' });
  });

  it('has its secret rotated at the version that was read, while there is one', () => {
    given(created())
      .when((state) => rotateSecret(state, rotate(24, NOW, 2)))
      .thenRefused('version_mismatch');
    given(created(uuid('other')))
      .when((state) => rotateSecret(state, rotate(24)))
      .thenRefused('not_found');
    given(created(), rotated(2, NOW))
      .when((state) => deleteWebhook(state, { webhookId, expectedVersion: 1 }))
      .thenRefused('version_mismatch');
  });
});

describe('the documentation', () => {
  it('lists every kind of notice with its sentence, and no other', () => {
    const page = readFileSync('docs/webhooks.md', 'utf8');
    const listed = [...page.matchAll(/^\*\*`([a-z_.]+)`\*\*: ([^.]+\.)/gm)].map(([, type, when]) => [
      type,
      when,
    ]);
    const kinds = Object.entries({ ...NOTICES, [TEST_TYPE]: TEST_NOTICE });
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(kinds.map(([type, { when }]) => [type, /^[^.]+\./.exec(when)?.[0]])),
    );
  });
});
