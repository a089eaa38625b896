import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { foldView, type Given, givenView } from '../test/support/given-view.js';
import { histories } from '../test/support/histories.js';
import { deliveries } from './deliveries.js';
import { webhooks } from './webhooks.js';

const at = '2026-03-01T09:00:00.000Z';
const ids = { organisationId: 'o', webhookId: 'w', deliveryId: 'd' };
const url = 'https://hooks.example.com/';
const created: Given = { type: 'webhook.created', data: { ...ids, url, events: ['evaluation.ready'] }, at };
const requested: Given = { type: 'delivery.requested', data: ids, at };
const tested: Given = { type: 'delivery.test_requested', data: ids, at };
const attempted = (result: string): Given => ({ type: 'delivery.attempted', data: { ...ids, result }, at });
const again = (former: string): Given => ({
  type: 'delivery.redelivery_requested',
  data: { ...ids, former },
  at,
});

describe('a webhook', () => {
  const whole = {
    organisationId: 'o',
    url,
    events: ['evaluation.ready' as const],
    createdAt: at,
    version: 1,
    formerSecretValidUntil: null,
    deleted: false,
    pending: 0,
  };

  it('is listed in its organisation until it is deleted', () => {
    givenView(webhooks, [created]).then('w', whole).thenKey('w', 'byOrganisation', ['o', at]);
    givenView(webhooks, [created, { type: 'webhook.deleted', data: ids }])
      .then('w', { ...whole, deleted: true })
      .thenKey('w', 'byOrganisation', undefined);
  });

  it.each([
    [1, [requested]],
    [1, [tested]],
    [0, [tested, attempted('failed')]],
    [1, [requested, attempted('retrying')]],
    [0, [requested, attempted('retrying'), attempted('delivered')]],
    [0, [requested, attempted('failed')]],
    [1, [requested, attempted('failed'), again('failed')]],
    [1, [requested, again('pending')]],
    [0, [requested, attempted('delivered'), again('delivered'), attempted('delivered')]],
  ])('waits while something is pending: %d after %j', (pending, events) => {
    givenView(webhooks, [created, ...events])
      .thenMatches('w', { pending })
      .thenKey('w', 'waiting', pending > 0 ? ['w'] : undefined);
  });

  it('is another version with each rotation of its secret', () => {
    const until = '2026-03-02T09:00:00.000Z';
    const data = { ...ids, number: 2, formerValidUntil: until };
    givenView(webhooks, [created, { type: 'webhook.secret_rotated', data, at }]).then('w', {
      ...whole,
      version: 2,
      formerSecretValidUntil: until,
    });
  });

  it('waits also once it is deleted: what is pending has to be given up', () => {
    givenView(webhooks, [created, requested, { type: 'webhook.deleted', data: ids }]).thenKey(
      'w',
      'waiting',
      ['w'],
    );
  });

  it('counts exactly the deliveries that are pending, whatever happened', () => {
    fc.assert(
      fc.property(histories(), (history) => {
        const pending = new Map<string, number>();
        for (const { document } of foldView(deliveries, history).values())
          if (document.status === 'pending')
            pending.set(document.webhookId, (pending.get(document.webhookId) ?? 0) + 1);
        for (const [id, { document }] of foldView(webhooks, history))
          expect(document.pending).toBe(pending.get(id) ?? 0);
      }),
      { numRuns: 40 },
    );
  });
});
