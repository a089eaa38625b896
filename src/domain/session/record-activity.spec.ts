import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { eventsOf, fold, NOW, specification, stored } from '../../../test/support/given-when-then.js';
import { invitationFor, roleWith } from '../../../test/support/invited-session.js';
import type { PersonId } from '../../core/vault/port.js';
import { activitiesOf, type Activity } from './activity.js';
import { MAX_EVIDENCE_BYTES, MAX_EVIDENCE_EVENTS } from './budget.js';
import { activityReceipt, recordActivity, startTrial, withdrawTrial } from './decider.js';
import type { ActivityRecorded, IdentityCheck, TrialEvent } from './events.js';
import { trial, type TrialState } from './state.js';

const spec = specification(trial);
const invitation = invitationFor(roleWith());
const on = { invitation, now: NOW, expectedVersion: null };
const consent = { consent: true, notice: null, tickets: [] } as const;
const started = eventsOf(startTrial(null, { ...on, ...consent, identity: 'verified' }));
const activity = (clientEventId: string, payload: Activity['payload'] = {}): Activity => ({
  clientEventId,
  eventType: 'page.hidden',
  occurredAt: NOW,
  payload,
});
/** The client's ids of what events record. */
const idsIn = (events: readonly TrialEvent[]) =>
  events.flatMap((event) =>
    event.type === 'trial.activity_recorded'
      ? (event.personal?.items.map(({ clientEventId }) => clientEventId) ?? [])
      : [],
  );
const record = (activities: readonly Activity[], past: readonly TrialEvent[] = started, now = NOW) =>
  spec.given(...past).when((state) => recordActivity(state, { invitation, now, activities }));

describe('activity', () => {
  it('becomes one event a batch, with a number for each', () => {
    const outcome = record([activity('x'), activity('y', { a: 1 })]);
    expect(outcome.events()).toMatchObject([
      {
        data: { sequenceNumber: 2, items: [{ occurredAt: NOW }, { occurredAt: NOW }] },
        personal: {
          items: [
            { clientEventId: 'x', eventType: 'page.hidden' },
            { clientEventId: 'y', payload: { a: 1 } },
          ],
        },
        person: 'c' as PersonId,
      },
    ]);
    expect(activitiesOf(stored(outcome.events()[0] as ActivityRecorded))).toMatchObject([
      { sequenceNumber: 2, content: { clientEventId: 'x' } },
      { sequenceNumber: 3, occurredAt: NOW, content: { clientEventId: 'y' } },
    ]);
    expect(outcome.state()).toMatchObject({ lastSequenceNumber: 3, version: 2 });
    expect(activityReceipt(2, true, outcome.state()!)).toEqual({
      accepted: 2,
      duplicates: 0,
      lastSequenceNumber: 3,
    });
  });

  it('sent before, in an earlier batch or the same one, is recorded once', () => {
    const past = [...started, ...record([activity('x')]).events()];
    const outcome = record([activity('y'), activity('x'), activity('y', { other: true })], past);
    expect(idsIn(outcome.events())).toEqual(['y']);
    record([activity('x'), activity('x')], past).thenNothing();
    record([], past).thenNothing();
    expect(activityReceipt(2, false, fold(trial, past)!)).toEqual({
      accepted: 0,
      duplicates: 2,
      lastSequenceNumber: 2,
    });
  });

  describe('with a token', () => {
    const withToken = (
      identity: IdentityCheck,
      activities: readonly Activity[],
      past: readonly TrialEvent[] = started,
    ) =>
      spec
        .given(...past)
        .when((state) => recordActivity(state, { invitation, now: NOW, activities, identity }));

    it('that names the candidate as the last one did adds nothing', () => {
      expect(withToken('verified', [activity('x')]).events()).toHaveLength(1);
    });

    it('that names the candidate otherwise is recorded before what came with it, once', () => {
      const outcome = withToken('mismatch', [activity('x'), activity('y')]);
      expect(outcome.events()).toMatchObject([
        { type: 'trial.identity_checked', data: { sequenceNumber: 2, identity: 'mismatch' }, person: 'c' },
        { type: 'trial.activity_recorded', data: { sequenceNumber: 3, items: [{}, {}] } },
      ]);
      expect(outcome.state()).toMatchObject({
        identity: 'mismatch',
        lastSequenceNumber: 4,
        version: 2,
      });
      expect(activityReceipt(3, true, outcome.state()!)).toEqual({
        accepted: 2,
        duplicates: 1,
        lastSequenceNumber: 4,
      });
      const past = [...started, ...outcome.events()];
      const next = withToken('mismatch', [activity('z')], past);
      expect(next.events()).toHaveLength(1);
      expect(activityReceipt(1, true, next.state()!)).toMatchObject({ accepted: 1, duplicates: 0 });
      expect(withToken('verified', [activity('z')], past).events()).toMatchObject([
        { data: { identity: 'verified' } },
        { type: 'trial.activity_recorded' },
      ]);
    });

    it('that goes on with the mismatch of the start is recorded once: a later one, too', () => {
      const past = eventsOf(startTrial(null, { ...on, ...consent, identity: 'mismatch' }));
      const outcome = withToken('mismatch', [activity('x')], past);
      expect(outcome.events()).toMatchObject([
        { type: 'trial.identity_checked', data: { identity: 'mismatch' } },
        { type: 'trial.activity_recorded' },
      ]);
      expect(withToken('mismatch', [activity('y')], [...past, ...outcome.events()]).events()).toHaveLength(1);
    });

    it('that names the candidate otherwise says nothing where there is nothing to record', () => {
      const past = [...started, ...record([activity('x')]).events()];
      withToken('mismatch', [activity('x')], past).thenNothing();
      withToken('mismatch', [], past).thenNothing();
    });

    it('is of no account on a connection, which was recorded with its own', () => {
      const past = [...started, ...withToken('mismatch', [activity('x')]).events()];
      expect(record([activity('y')], past).events()).toHaveLength(1);
    });
  });

  it('keeps the very payload, whatever its keys', () => {
    const text = '{"__proto__":{"admin":true},"$where":"1","a.b":[null],"constructor":{"prototype":1}}';
    const payload = JSON.parse(text) as Activity['payload'];
    const [event] = record([activity('x', payload)]).events();
    expect(JSON.stringify((event as ActivityRecorded).personal!.items[0]!.payload)).toBe(text);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString'])('may go by the id %s', (id) => {
    const past = [...started, ...record([activity(id)]).events()];
    expect(past).toHaveLength(2);
    record([activity(id)], past).thenNothing();
  });

  it('needs a session that is started and not over', () => {
    record([activity('x')], []).thenRefused('not_started');
    record([activity('x')], [...started, ...eventsOf(withdrawTrial(fold(trial, started), on))]).thenRefused(
      'session_ended',
    );
    record([activity('x')], started, invitation.expiresAt).thenRefused('session_ended');
  });

  it('is recognised before it is checked against the time: a batch sent again after the end was recorded', () => {
    const past = [...started, ...record([activity('x'), activity('y')]).events()];
    record([activity('y'), activity('x')], past, invitation.expiresAt).thenNothing();
    record([activity('x')], [...past, ...eventsOf(withdrawTrial(fold(trial, past), on))]).thenNothing();
    for (const batch of [[activity('x'), activity('z')], []])
      record(batch, past, invitation.expiresAt).thenRefused('session_ended');
  });

  it('fills a session up to 16 MiB of the log and not beyond, whole batches at a time', () => {
    const events = Array.from({ length: 900 }, (_, n) => activity(`id-${n}`, { text: 'x'.repeat(16_300) }));
    const state = fold(trial, [...started, ...record(events.slice(0, 600)).events()])!;
    const room = MAX_EVIDENCE_BYTES - state.evidenceBytes;
    const each = state.evidenceBytes / 600;
    const fits = Math.floor(room / each);
    const decide = (count: number) =>
      recordActivity(state, { invitation, now: NOW, activities: events.slice(600, 600 + count) });
    expect(idsIn(eventsOf(decide(fits - 1)))).toHaveLength(fits - 1);
    expect(decide(fits + 1)).toMatchObject({ kind: 'refused', refusal: { code: 'session_full' } });
    const full = { ...state, evidenceBytes: MAX_EVIDENCE_BYTES };
    expect(eventsOf(recordActivity(full, { invitation, now: NOW, activities: events.slice(0, 3) }))).toEqual(
      [],
    );
  });

  it('fills a session up to the very last byte', () => {
    const { evidenceBytes: bytes } = record([activity('x')]).state()!;
    const decideAt = (evidenceBytes: number) =>
      recordActivity(
        { ...fold(trial, started)!, evidenceBytes },
        { invitation, now: NOW, activities: [activity('x')] },
      );
    expect(eventsOf(decideAt(MAX_EVIDENCE_BYTES - bytes))).toHaveLength(1);
    expect(decideAt(MAX_EVIDENCE_BYTES - bytes + 1)).toMatchObject({ refusal: { code: 'session_full' } });
  });

  it('counts towards that even where it says nothing', () => {
    const state = { ...fold(trial, started)!, evidenceBytes: MAX_EVIDENCE_BYTES - 1_000 };
    expect(recordActivity(state, { invitation, now: NOW, activities: [activity('x')] })).toMatchObject({
      refusal: { code: 'session_full' },
    });
  });

  it.each([
    ['without a token', undefined, 0],
    ['with one that names the candidate as the last one did', 'verified', 0],
    ['with one that names the candidate otherwise, which is an event too', 'mismatch', 1],
  ] as const)(
    'fills a session up to 10,000 events and not beyond, whole batches at a time: %s',
    (_, identity, checks) => {
      const room = 3;
      const state = { ...fold(trial, started)!, lastSequenceNumber: MAX_EVIDENCE_EVENTS - room };
      const decide = (count: number) =>
        recordActivity(state, {
          ...{
            invitation,
            now: NOW,
            activities: ['x', 'y', 'z', 'zz'].slice(0, count).map((id) => activity(id)),
          },
          ...(identity && { identity }),
        });
      const last = eventsOf(decide(room - checks)).reduce<TrialState>(
        (before, event) => trial.evolve(before, stored(event)),
        state,
      );
      expect(last?.lastSequenceNumber).toBe(MAX_EVIDENCE_EVENTS);
      expect(decide(room - checks + 1)).toMatchObject({ refusal: { code: 'session_full' } });
      expect(recordActivity(last, { invitation, now: NOW, activities: [activity('more')] })).toMatchObject({
        refusal: { code: 'session_full' },
      });
    },
  );

  it('says how far the role’s tickets are, and keeps nothing of any other ticket', () => {
    const withTickets = invitationFor(roleWith('T-1', 'T-2'));
    const past = eventsOf(
      startTrial(null, { ...on, invitation: withTickets, ...consent, identity: 'verified' }),
    );
    const marked = (id: string, eventType: string, ticketId: unknown): Activity => ({
      ...activity(id, { ticketId }),
      eventType,
    });
    const activities = [
      marked('1', 'ticket.started', 'T-1'),
      marked('2', 'ticket.started', 'T-2'),
      marked('3', 'ticket.finished', 'T-1'),
      marked('4', 'ticket.started', 'T-3'),
      marked('5', 'ticket.started', 7),
      marked('6', 'ticket.dropped', 'T-2'),
    ];
    const state = spec
      .given(...past)
      .when((before) => recordActivity(before, { invitation: withTickets, now: NOW, activities }))
      .state();
    expect([...state!.tickets]).toEqual([
      ['T-1', 'finished'],
      ['T-2', 'started'],
    ]);
  });

  it('counts bytes, not characters', () => {
    const bytes = (text: string) => record([activity('x', { text })]).state()!.evidenceBytes;
    expect(bytes('ééé') - bytes('eee')).toBe(4);
    expect(bytes('😀') - bytes('e')).toBe(4);
  });

  it('that can no longer be read still counts as events', () => {
    const past = [...started, ...record([activity('x')]).events()].map((event) => ({
      ...event,
      personal: null,
    }));
    expect(fold(trial, past as TrialEvent[])).toMatchObject({ lastSequenceNumber: 2, version: 2 });
  });

  it('under any resending is recorded once each, in order of first arrival, numbered without a gap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat({ max: 200 }), { maxLength: 100 }), { maxLength: 12 }),
        (batches) => {
          const past = [...started];
          let state = fold(trial, past);
          for (const batch of batches) {
            const sent = batch.map((n) => activity(`id-${n}`));
            const events = eventsOf(recordActivity(state, { invitation, now: NOW, activities: sent }));
            const before = state;
            for (const event of events) state = trial.evolve(state, stored(event));
            // The state that others may still hold is as it was.
            expect(eventsOf(recordActivity(before, { invitation, now: NOW, activities: sent }))).toEqual(
              events,
            );
            past.push(...events);
            expect(eventsOf(recordActivity(state, { invitation, now: NOW, activities: sent }))).toEqual([]);
          }
          const sent = [...new Set(batches.flat().map((n) => `id-${n}`))];
          expect(idsIn(past)).toEqual(sent);
          const numbers = past.flatMap((event) =>
            event.type === 'trial.activity_recorded'
              ? activitiesOf(stored(event)).map(({ sequenceNumber }) => sequenceNumber)
              : event.data.sequenceNumber,
          );
          expect(numbers).toEqual([1, ...sent.map((_, index) => index + 2)]);
          expect(state).toMatchObject({ lastSequenceNumber: sent.length + 1 });
        },
      ),
      { numRuns: 60 },
    );
  });
});
