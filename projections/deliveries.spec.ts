import { describe, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { deliveries } from './deliveries.js';

const at = '2026-03-01T09:00:00.000Z';
const later = '2026-03-01T09:00:05.000Z';
const ids = { organisationId: 'o', webhookId: 'w', deliveryId: 'd' };
const requested: Given = { type: 'delivery.requested', data: { ...ids, type: 'outcome.recorded' }, at };
const attempted = (attempt: number, result: string, nextAttemptAt: string | null): Given => ({
  type: 'delivery.attempted',
  data: { ...ids, attempt, result, status: 503, fault: null, nextAttemptAt },
  at: later,
});

describe('a delivery', () => {
  const whole = {
    organisationId: 'o',
    webhookId: 'w',
    type: 'outcome.recorded' as const,
    createdAt: at,
    status: 'pending' as const,
    attempts: 0,
    lastAttemptAt: null,
    lastResponseStatus: null,
    lastFault: null,
    nextAttemptAt: at,
  };

  it('is due as soon as it is requested', () => {
    givenView(deliveries, [requested])
      .then('d', whole)
      .thenKey('d', 'due', ['w', at])
      .thenKey('d', 'byWebhook', ['w', at]);
  });

  it('is due as soon as a test is requested', () => {
    givenView(deliveries, [{ type: 'delivery.test_requested', data: ids, at }])
      .then('d', { ...whole, type: 'webhook.test' })
      .thenKey('d', 'due', ['w', at]);
  });

  it('is due again when it is to be tried again', () => {
    const next = '2026-03-01T09:05:00.000Z';
    givenView(deliveries, [requested, attempted(1, 'retrying', next)])
      .then('d', {
        ...whole,
        attempts: 1,
        lastAttemptAt: later,
        lastResponseStatus: 503,
        nextAttemptAt: next,
      })
      .thenKey('d', 'due', ['w', next]);
  });

  it.each(['delivered', 'failed'] as const)('is not due once it is %s, but by hand', (status) => {
    const over = [requested, attempted(1, status, null)];
    givenView(deliveries, over)
      .thenMatches('d', { status, nextAttemptAt: null })
      .thenKey('d', 'due', undefined)
      .thenKey('d', 'byWebhook', ['w', at]);
    const again: Given = {
      type: 'delivery.redelivery_requested',
      data: { ...ids, former: status },
      at: later,
    };
    givenView(deliveries, [...over, again])
      .thenMatches('d', { status: 'pending', attempts: 1, createdAt: at })
      .thenKey('d', 'due', ['w', later]);
  });
});
