import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { after, fold, NOW, specification, stored, uuid } from '../../../test/support/given-when-then.js';
import {
  type Answered,
  deliveryDecider,
  type DeliveryState,
  dueSince,
  recordAttempt,
  requestDelivery,
  requestRedelivery,
  requestTest,
  DEAD_AFTER_MS,
} from './delivery-decider.js';
import { type DeliveryEvent, TEST_TYPE } from './events.js';

const ids = { organisationId: uuid('org'), webhookId: uuid('hook'), deliveryId: uuid('del') };
const asked = {
  ...ids,
  type: 'evaluation.ready',
  causedBy: uuid('cause'),
  timestamp: NOW,
  ids: { evaluationId: uuid('eval') },
} as const;
const requested: DeliveryEvent = { type: 'delivery.requested', data: asked, person: null, personal: null };
const { given } = specification(deliveryDecider);

const said = (status: number | null, more: Partial<Answered> = {}): Answered => ({
  status,
  fault: status === null ? 'timeout' : null,
  retryAfterMs: null,
  ...more,
});
const attempt = (answered: Answered, at: { attempt?: number; now?: string } = {}) => {
  const input = { attempt: 1, now: NOW, random: 0, ...at, answered };
  return (state: DeliveryState) => recordAttempt(state, input);
};
const attempted = (answered: Answered, past: readonly DeliveryEvent[] = [requested]): DeliveryEvent => {
  const [event] = given(...past)
    .when(attempt(answered, { attempt: past.length }))
    .events();
  if (!event) throw new Error('Nothing was recorded.');
  return event;
};

describe('A delivery', () => {
  it('is requested once, and due at once', () => {
    given()
      .when((state) => requestDelivery(state, asked))
      .then(requested);
    given(requested)
      .when((state) => requestDelivery(state, asked))
      .thenNothing();
    expect(fold(deliveryDecider, [requested])).toMatchObject({ status: 'pending', nextAttemptAt: NOW });
  });

  it('is due since its event, from its first attempt or a request by hand on since what was planned', () => {
    const first = { ...fold(deliveryDecider, [requested])!, timestamp: after(-1_000) };
    const byHand = { requestedAt: after(500), nextAttemptAt: after(500) };
    expect(dueSince(first)).toBe(after(-1_000));
    expect(dueSince({ ...first, ...byHand })).toBe(after(500));
    expect(dueSince({ ...first, attempts: 1, nextAttemptAt: after(300) })).toBe(after(300));
    expect(dueSince({ ...first, type: TEST_TYPE })).toBe(NOW);
  });

  it.each([200, 202, 204, 299])('is delivered by %d', (status) => {
    expect(attempted(said(status)).data).toMatchObject({ result: 'delivered', status, nextAttemptAt: null });
  });

  it.each([100, 199, 300, 301, 302, 307, 400, 401, 404, 429, 500, 503, null])(
    'is tried again after %p',
    (status) => {
      expect(attempted(said(status)).data).toMatchObject({
        result: 'retrying',
        status,
        nextAttemptAt: after(5_000),
      });
    },
  );

  it('is given up by 410, and where there is no webhook any more', () => {
    expect(attempted(said(410)).data).toMatchObject({ result: 'failed', nextAttemptAt: null });
    const gone = attempted(said(null, { fault: 'webhook_deleted' }));
    expect(gone.data).toMatchObject({ result: 'failed', fault: 'webhook_deleted', nextAttemptAt: null });
  });

  it('leaves a receiver alone for as long as it asks to be', () => {
    const busy = attempted(said(429, { retryAfterMs: 90_000 }));
    expect(busy.data).toMatchObject({ nextAttemptAt: after(90_000) });
    const soon = attempted(said(429, { retryAfterMs: 1 }));
    expect(soon.data).toMatchObject({ nextAttemptAt: after(5_000) });
  });

  it('counts an attempt once, whoever makes it', () => {
    given(requested, attempted(said(500)))
      .when(attempt(said(200), { attempt: 1 }))
      .thenNothing();
    given(requested, attempted(said(200)))
      .when(attempt(said(500), { attempt: 2 }))
      .thenNothing();
    given()
      .when(attempt(said(200)))
      .thenNothing();
  });

  it('is given up three days after it was asked for, and not before', () => {
    const left = attempt(said(500), { now: after(DEAD_AFTER_MS - 1) });
    expect(given(requested).when(left).events()).toMatchObject([
      { data: { result: 'retrying', nextAttemptAt: after(DEAD_AFTER_MS) } },
    ]);
    const over = attempt(said(500), { now: after(DEAD_AFTER_MS) });
    expect(given(requested).when(over).events()).toMatchObject([{ data: { result: 'failed' } }]);
    const taken = attempt(said(200), { now: after(DEAD_AFTER_MS * 2) });
    expect(given(requested).when(taken).events()).toMatchObject([{ data: { result: 'delivered' } }]);
  });

  it.each([
    ['pending', []],
    ['pending', [said(500)]],
    ['delivered', [said(200)]],
    ['failed', [said(410)]],
  ] as const)('that is %s is sent again by hand', (former, answers) => {
    const past = [requested, ...answers.map((answered) => attempted(answered))];
    given(...past)
      .when((state) => requestRedelivery(state, ids))
      .then({
        type: 'delivery.redelivery_requested',
        data: { ...ids, former },
        person: null,
        personal: null,
      });
  });

  it('has three days more once it is sent again', () => {
    const late = after(DEAD_AFTER_MS * 3);
    const again: DeliveryEvent = {
      type: 'delivery.redelivery_requested',
      data: { ...ids, former: 'failed' },
      person: null,
      personal: null,
    };
    const times = [NOW, NOW, late];
    const state = fold(
      deliveryDecider,
      [requested, attempted(said(410)), again],
      (index) => times[index] ?? '',
    );
    expect(state).toMatchObject({ status: 'pending', attempts: 1, tries: 0, nextAttemptAt: late });
    const decision = recordAttempt(state, { attempt: 2, answered: said(500), now: late, random: 0 });
    expect(decision).toMatchObject({
      events: [{ data: { attempt: 2, result: 'retrying', nextAttemptAt: after(5_000, late) } }],
    });
  });

  it.each([
    ['of another webhook', { webhookId: uuid('x') }],
    ['of another organisation', { organisationId: uuid('x') }],
  ])('%s is none', (_, other) => {
    given(requested)
      .when((state) => requestRedelivery(state, { ...ids, ...other }))
      .thenRefused('not_found');
  });

  it('that nobody takes ends after three days, with ever longer waits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.constantFrom(500, 302, null),
        (random, status) => {
          let state: DeliveryState = fold(deliveryDecider, [requested]);
          const waits: number[] = [];
          for (let now = NOW; state?.status === 'pending'; now = state?.nextAttemptAt ?? now) {
            const input = { attempt: state.attempts + 1, answered: said(status), now, random };
            const decision = recordAttempt(state, input);
            if (decision.kind === 'refused') throw new Error(decision.refusal.message);
            for (const event of decision.events)
              state = deliveryDecider.evolve(state, stored(event, { recordedAt: now }));
            if (state?.nextAttemptAt) waits.push(Date.parse(state.nextAttemptAt) - Date.parse(now));
          }
          expect(state?.status).toBe('failed');
          expect(waits.reduce((sum, wait) => sum + wait)).toBe(DEAD_AFTER_MS);
          // The last one is cut short by the end.
          const whole = waits.slice(0, -1);
          expect(whole).toEqual([...whole].sort((a, b) => a - b));
          expect(waits.length).toBeLessThan(12);
        },
      ),
    );
  });

  describe('that tests', () => {
    const tested: DeliveryEvent = {
      type: 'delivery.test_requested',
      data: ids,
      person: null,
      personal: null,
    };

    it('is requested once, and says whose it is', () => {
      given()
        .when((state) => requestTest(state, ids))
        .then(tested);
      given(tested)
        .when((state) => requestTest(state, ids))
        .thenRefused('conflict');
      const { organisationId, webhookId } = ids;
      expect(fold(deliveryDecider, [tested])).toMatchObject({
        type: 'webhook.test',
        timestamp: NOW,
        ids: { organisationId, webhookId },
        status: 'pending',
        nextAttemptAt: NOW,
      });
    });

    it('is tried once, and once more by hand', () => {
      const failed = attempted(said(500), [tested]);
      expect(failed.data).toMatchObject({ result: 'failed', status: 500, nextAttemptAt: null });
      const again = given(tested, failed)
        .when((state) => requestRedelivery(state, ids))
        .events();
      expect(
        given(tested, failed, ...again)
          .when(attempt(said(null), { attempt: 2 }))
          .events(),
      ).toMatchObject([{ data: { result: 'failed', fault: 'timeout' } }]);
    });
  });
});
