import { describe, expect, it } from '@jest/globals';
import { specification, uuid } from '../../test/support/given-when-then.js';
import { createWebhook, deleteWebhook, MOST_WEBHOOKS, webhooksDecider } from './decider.js';
import type { WebhookEvent } from './events.js';

const organisationId = uuid('org');
const webhookId = uuid('hook');
const url = 'https://hooks.example.com/assay?key=1';
const { given } = specification(webhooksDecider);

const plain = (event: Pick<WebhookEvent, 'type' | 'data'>): WebhookEvent =>
  ({ ...event, person: null, personal: null }) as WebhookEvent;
const created = (id = webhookId): WebhookEvent =>
  plain({
    type: 'webhook.created',
    data: { organisationId, webhookId: id, url, events: ['evaluation.ready'] },
  });
const deleted = (id = webhookId): WebhookEvent =>
  plain({ type: 'webhook.deleted', data: { organisationId, webhookId: id } });

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
    ['an unknown kind', { events: ['evaluation.ready', 'trial.started'] }, 'events[1]'],
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
    const many = Array.from({ length: MOST_WEBHOOKS }, (_, index) => created(uuid(`h${index}`)));
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
});
