import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { after, eventsOf, fold, NOW, specification } from '../../../test/support/given-when-then.js';
import { ids, invitationFor, openingFor, person, roleWith } from '../../../test/support/invited-session.js';
import { accept, type Decision } from '../../core/decider.js';
import { HOUR_MS } from '../../core/timestamp.js';
import { cancelApplication, extendApplication } from '../application/decider.js';
import {
  completeTrial,
  type StartTrial,
  startTrial,
  withdrawTrial,
  eraseTrial,
  expireTrial,
  checkIdentity,
} from './decider.js';
import type { IdentityCheck, TrialEvent } from './events.js';
import { isClosed } from './lifecycle.js';
import { trial, trialOf, type TrialState, hasEnded } from './state.js';

const spec = specification(trial);
const role = roleWith();
const opening = openingFor(role);
const invitation = invitationFor(role);
const base = { person, personal: null };

/** Events by their place in the stream: the first one carries the opening. */
const at = (sequenceNumber: number) => ({
  ...ids,
  sequenceNumber,
  opening: sequenceNumber === 1 ? opening : null,
});
const started = (n: number): TrialEvent => ({
  ...base,
  type: 'trial.started',
  data: { ...at(n), consent: true, identity: 'verified' },
});
const extended = (n: number, expiresAt: string, formerExpiresAt = opening.expiresAt): TrialEvent => ({
  ...base,
  type: 'trial.extended',
  data: { ...at(n), expiresAt, formerExpiresAt },
});
const completed = (n: number): TrialEvent => ({
  ...base,
  type: 'trial.completed',
  data: { ...ids, sequenceNumber: n, evaluationId: 'e', roleName: 'Engineer', overallThreshold: 70 },
});
const withdrawn = (n: number, by: 'candidate' | 'staff' = 'candidate'): TrialEvent => ({
  ...base,
  type: 'trial.withdrawn',
  data: { ...at(n), by },
});
const expired = (n: number): TrialEvent => ({ ...base, type: 'trial.expired', data: at(n) });

const on = { invitation, now: NOW, expectedVersion: null };
const start = { ...on, consent: true, identity: 'verified', notice: null, tickets: [] } as const;
const complete = { ...on, evaluationId: 'e' };
const staff = { ...on, outcomeVersion: 0 };

const notEnded = { endedAt: null, evaluationId: null };

describe('a session before its stream begins', () => {
  it('is what its invitation says', () => {
    expect(trialOf(null, invitation)).toMatchObject({
      ...invitation,
      status: 'invited',
      startedAt: null,
      ...notEnded,
      version: 1,
      lastSequenceNumber: 0,
    });
  });

  it.each<[string, (state: TrialState) => Decision<TrialEvent>, TrialEvent]>([
    ['start', (state) => startTrial(state, start), started(1)],
    ['withdrawal', (state) => withdrawTrial(state, on), withdrawn(1)],
    ['cancellation', (state) => cancelApplication(state, staff), withdrawn(1, 'staff')],
    [
      'extension',
      (state) => extendApplication(state, { ...staff, expiresAt: after(2 * HOUR_MS) }),
      extended(1, after(2 * HOUR_MS)),
    ],
    ['expiry', (state) => expireTrial(state, { invitation, now: opening.expiresAt }), expired(1)],
  ])('is carried on by its first event: %s', (_, decide, event) => {
    const outcome = spec.given().when(decide);
    outcome.then(event);
    expect(outcome.state()).toMatchObject({ roleVersion: 2, role, invitedAt: opening.invitedAt, version: 2 });
  });

  it('cannot begin with an event that carries no opening', () => {
    expect(() => fold(trial, [completed(1)])).toThrow('first event');
  });
});

describe('starting', () => {
  const current = { version: '2026-01', text: 'It is recorded.' };

  it('keeps the notice that was consented to, where the candidate names it', () => {
    const notice = { named: '2026-01', current, comparesWork: false, modelReadsWork: false };
    const outcome = spec.given().when((state) => startTrial(state, { ...start, notice }));
    expect(outcome.events()).toMatchObject([{ data: { consent: true, notice: current } }]);
    for (const told of ['comparesWork', 'modelReadsWork'])
      expect(outcome.events()[0]?.data).not.toHaveProperty(told);
    const [unnamed] = spec
      .given()
      .when((state) => startTrial(state, start))
      .events();
    expect(unnamed?.data).not.toHaveProperty('notice');
  });

  it.each(['comparesWork', 'modelReadsWork'] as const)('keeps of a notice alone that it says: %s', (told) => {
    const kept = (notice: StartTrial['notice']) =>
      spec
        .given()
        .when((state) => startTrial(state, { ...start, notice }))
        .state()?.[told];
    const none = { named: '2026-01', current, comparesWork: false, modelReadsWork: false };
    const all = { ...none, comparesWork: true, modelReadsWork: true };
    expect(kept({ ...none, [told]: true })).toBe(true);
    expect(kept({ ...all, [told]: false })).toBe(false);
    expect(kept(null)).toBe(false);
    // As sessions began before notices said it.
    expect(
      spec
        .given(started(1))
        .when(() => accept())
        .state()?.[told],
    ).toBe(false);
  });

  it('keeps the versions of the tickets that it began with', () => {
    const tickets = [{ ticketId: 't', version: 3 }];
    const outcome = spec.given().when((state) => startTrial(state, { ...start, tickets }));
    expect(outcome.events()).toMatchObject([{ data: { tickets } }]);
    expect(outcome.state()?.ticketVersions).toEqual(new Map([['t', 3]]));
    const again = spec
      .given(...outcome.events())
      .when((state) => startTrial(state, { ...start, tickets: [{ ticketId: 't', version: 4 }] }));
    again.thenNothing();
    expect(
      spec
        .given(started(1))
        .when((state) => startTrial(state, start))
        .state()?.ticketVersions,
    ).toEqual(new Map());
  });

  it('needs the notice that holds; a session that has started stays started', () => {
    const notice = { named: '2025-12', current, comparesWork: true, modelReadsWork: true };
    spec
      .given()
      .when((state) => startTrial(state, { ...start, notice }))
      .thenRefused('notice_changed');
    spec
      .given(started(1))
      .when((state) => startTrial(state, { ...start, notice }))
      .thenNothing();
  });

  it('records consent and how the candidate was named', () => {
    const outcome = spec.given().when((state) => startTrial(state, { ...start, identity: 'mismatch' }));
    expect(outcome.events()).toMatchObject([{ data: { consent: true, identity: 'mismatch' } }]);
    expect(outcome.state()).toMatchObject({ status: 'started', startedAt: NOW, ...notEnded });
  });

  it('again does nothing', () => {
    spec
      .given(started(1))
      .when((state) => startTrial(state, start))
      .thenNothing();
  });

  it.each([completed(2), withdrawn(2), expired(2)])('comes too late after $type', (end) => {
    spec
      .given(started(1), end)
      .when((state) => startTrial(state, start))
      .thenRefused('session_ended');
  });

  it('comes too late once the time is up, whether or not that is recorded yet', () => {
    spec
      .given()
      .when((state) => startTrial(state, { ...start, now: opening.expiresAt }))
      .thenRefused('session_ended');
    expect(
      spec
        .given()
        .when((state) => startTrial(state, { ...start, now: after(HOUR_MS - 1) }))
        .events(),
    ).toHaveLength(1);
  });

  it('needs the session’s version', () => {
    spec
      .given()
      .when((state) => startTrial(state, { ...start, expectedVersion: 2 }))
      .thenRefused('version_mismatch');
    spec
      .given()
      .when((state) => startTrial(state, { ...start, expectedVersion: 1 }))
      .then(started(1));
  });
});

describe('completing', () => {
  it('begins an evaluation with the pinned role', () => {
    const outcome = spec.given(started(1)).when((state) => completeTrial(state, complete));
    outcome.then(completed(2));
    expect(outcome.state()).toMatchObject({
      status: 'completed',
      startedAt: NOW,
      endedAt: NOW,
      evaluationId: 'e',
    });
  });

  it('again does nothing and keeps the evaluation’s id, even long after', () => {
    spec
      .given(started(1), completed(2))
      .when((state) => completeTrial(state, { ...complete, evaluationId: 'other', now: after(9 * HOUR_MS) }))
      .thenNothing();
  });

  it('says before itself that the token names the candidate otherwise than the last one', () => {
    const by = (identity: IdentityCheck) =>
      spec
        .given(started(1))
        .when((state) => completeTrial(state, { ...complete, identity }))
        .events();
    expect(by('unverified')).toMatchObject([
      { type: 'trial.identity_checked', data: { sequenceNumber: 2, identity: 'unverified' } },
      { type: 'trial.completed', data: { sequenceNumber: 3 } },
    ]);
    expect(by('verified')).toMatchObject([{ type: 'trial.completed' }]);
  });

  it('needs a start', () => {
    spec
      .given()
      .when((state) => completeTrial(state, complete))
      .thenRefused('not_started');
  });

  it('comes too late once ended or overdue', () => {
    spec
      .given(started(1), withdrawn(2))
      .when((state) => completeTrial(state, complete))
      .thenRefused('session_ended');
    spec
      .given(started(1))
      .when((state) => completeTrial(state, { ...complete, now: opening.expiresAt }))
      .thenRefused('session_ended');
  });
});

describe('withdrawing and cancelling', () => {
  it('end a started session and keep when it started', () => {
    const outcome = spec.given(started(1)).when((state) => withdrawTrial(state, on));
    outcome.then(withdrawn(2));
    expect(outcome.state()).toMatchObject({
      status: 'withdrawn',
      startedAt: NOW,
      endedAt: NOW,
      evaluationId: null,
    });
    spec
      .given(started(1))
      .when((state) => cancelApplication(state, staff))
      .then(withdrawn(2, 'staff'));
  });

  it('again do nothing, whoever was first', () => {
    spec
      .given(withdrawn(1, 'staff'))
      .when((state) => withdrawTrial(state, on))
      .thenNothing();
    spec
      .given(withdrawn(1))
      .when((state) => cancelApplication(state, staff))
      .thenNothing();
  });

  it.each([completed(2), expired(2)])('come too late after $type', (end) => {
    spec
      .given(started(1), end)
      .when((state) => withdrawTrial(state, on))
      .thenRefused('session_ended');
    spec
      .given(started(1), end)
      .when((state) => cancelApplication(state, staff))
      .thenRefused('application_closed');
  });

  it('come too late once the time is up', () => {
    const late = { now: opening.expiresAt };
    spec
      .given(started(1))
      .when((state) => withdrawTrial(state, { ...on, ...late }))
      .thenRefused('session_ended');
    spec
      .given(started(1))
      .when((state) => cancelApplication(state, { ...staff, ...late }))
      .thenRefused('application_closed');
  });
});

describe('extending', () => {
  const extend = (expiresAt: string, more: object = {}) => ({ ...staff, expiresAt, ...more });

  it('carries the former time and moves the end', () => {
    const outcome = spec
      .given(started(1), extended(2, after(2 * HOUR_MS)))
      .when((state) => extendApplication(state, extend('2026-03-01T13:00:00+01:00')));
    outcome.then(extended(3, after(3 * HOUR_MS), after(2 * HOUR_MS)));
    expect(hasEnded(outcome.state()!, after(2 * HOUR_MS))).toBe(false);
    expect(hasEnded(outcome.state()!, after(3 * HOUR_MS))).toBe(true);
  });

  it('to the time that stands does nothing', () => {
    spec
      .given(started(1))
      .when((state) => extendApplication(state, extend(opening.expiresAt)))
      .thenNothing();
  });

  it.each([NOW, after(999), 'soon', ''])('to %p is refused', (expiresAt) => {
    spec
      .given(started(1))
      .when((state) => extendApplication(state, extend(expiresAt)))
      .thenRefused('validation_failed', 'expiresAt');
  });

  it('is for open ones', () => {
    for (const end of [completed(2), withdrawn(2), expired(2)])
      spec
        .given(started(1), end)
        .when((state) => extendApplication(state, extend(after(5 * HOUR_MS))))
        .thenRefused('application_closed');
    spec
      .given(started(1))
      .when((state) => extendApplication(state, extend(after(5 * HOUR_MS), { now: after(2 * HOUR_MS) })))
      .thenRefused('application_closed');
  });

  it('needs the application’s version', () => {
    const late = extend(after(5 * HOUR_MS), { expectedVersion: 1 });
    spec
      .given(started(1))
      .when((state) => extendApplication(state, late))
      .thenRefused('version_mismatch');
    spec
      .given(started(1))
      .when((state) => cancelApplication(state, { ...staff, expectedVersion: 3, outcomeVersion: 1 }))
      .then(withdrawn(2, 'staff'));
  });
});

describe('expiring', () => {
  it('ends what is open and overdue', () => {
    spec
      .given(started(1))
      .when((state) => expireTrial(state, { invitation, now: opening.expiresAt }))
      .then(expired(2));
  });

  it('has nothing to do a millisecond early, after an extension, or once it ended', () => {
    spec
      .given(started(1))
      .when((state) => expireTrial(state, { invitation, now: after(HOUR_MS - 1) }))
      .thenNothing();
    spec
      .given(started(1), extended(2, after(2 * HOUR_MS)))
      .when((state) => expireTrial(state, { invitation, now: after(HOUR_MS) }))
      .thenNothing();
    for (const end of [completed(2), withdrawn(2), expired(2)])
      spec
        .given(started(1), end)
        .when((state) => expireTrial(state, { invitation, now: after(9 * HOUR_MS) }))
        .thenNothing();
  });
});

describe('the session of an erased candidate', () => {
  const erased = (n: number, withdrawn: boolean): TrialEvent => ({
    ...base,
    type: 'trial.erased',
    data: { ...at(n), withdrawn },
  });
  const erase = (state: TrialState) => eraseTrial(state, { invitation });

  it.each([
    ['before it was started', [], true, 'withdrawn'],
    ['while it runs', [started(1)], true, 'withdrawn'],
    ['once completed', [started(1), completed(2)], false, 'completed'],
    ['once withdrawn', [withdrawn(1)], false, 'withdrawn'],
    ['once expired', [expired(1)], false, 'expired'],
  ] as const)('is ended or left as it had ended, %s', (_, past, isWithdrawn, status) => {
    const decided = spec.given(...past).when(erase);
    decided.then(erased(past.length + 1, isWithdrawn));
    expect(decided.state()).toMatchObject({ status, erased: true, interview: null });
    spec
      .given(...past, ...decided.events())
      .when(erase)
      .thenNothing();
  });

  it('takes nothing more', () => {
    const given = spec.given(started(1), erased(2, true));
    given.when((state) => startTrial(state, start)).thenRefused('session_ended');
    given.when((state) => completeTrial(state, complete)).thenRefused('session_ended');
    given
      .when((state) => extendApplication(state, { ...staff, expiresAt: after(HOUR_MS) }))
      .thenRefused('application_closed');
    given.when((state) => expireTrial(state, { invitation, now: after(9 * HOUR_MS) })).thenNothing();
  });

  it('knows nothing that the candidate sent', () => {
    const sent: TrialEvent = {
      ...base,
      type: 'trial.activity_recorded',
      data: { ...ids, sequenceNumber: 2, items: [{ occurredAt: NOW }] },
      personal: { items: [{ clientEventId: 'secret', eventType: 'x', payload: {} }] },
    };
    const read = fold(trial, [started(1), sent, erased(3, true)]);
    const unread = fold(trial, [started(1), { ...sent, personal: null }, erased(3, true)]);
    expect(JSON.stringify(read)).not.toContain('secret');
    expect({ ...read, evidenceBytes: 0 }).toEqual({ ...unread, evidenceBytes: 0 });
  });
});

describe('the identity check', () => {
  const invited = { email: 'Cy@x.org' };

  it.each([
    [{ email: ' CY@x.org', emailVerified: true }, 'verified'],
    [{ email: 'cy@x.org', emailVerified: false }, 'unverified'],
    [{ email: null, emailVerified: true }, 'unverified'],
    [{ email: 'else@x.org', emailVerified: true }, 'mismatch'],
  ] as const)('of %j says %s', (token, check) => {
    expect(checkIdentity(invited, token)).toBe(check);
  });

  it('says nothing where the invited address can no longer be read', () => {
    expect(checkIdentity({ email: null }, { email: 'cy@x.org', emailVerified: true })).toBe('unverified');
  });
});

it('whatever is asked, numbers have no gap, an ended session stays as it is, and a repeated command emits nothing', () => {
  const command = fc.record({
    name: fc.constantFrom('start', 'complete', 'withdraw', 'cancel', 'extend', 'expire', 'erase'),
    minute: fc.nat({ max: 150 }),
  });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 15 }), (commands) => {
      const past: TrialEvent[] = [];
      for (const { name, minute } of commands.sort((a, b) => a.minute - b.minute)) {
        const now = after(minute * 60_000);
        const decide = (): Decision<TrialEvent> => {
          const state = fold(trial, past);
          if (name === 'start') return startTrial(state, { ...start, now });
          if (name === 'complete') return completeTrial(state, { ...complete, now });
          if (name === 'withdraw') return withdrawTrial(state, { ...on, now });
          if (name === 'cancel') return cancelApplication(state, { ...staff, now });
          if (name === 'extend')
            return extendApplication(state, { ...staff, now, expiresAt: after(40 * 60_000, now) });
          if (name === 'erase') return eraseTrial(state, { invitation });
          return expireTrial(state, { invitation, now });
        };
        const before = trialOf(fold(trial, past), invitation);
        const decision = decide();
        if (decision.kind === 'refused') continue;
        if (isClosed(before) && (name !== 'erase' || before.erased)) expect(decision.events).toEqual([]);
        past.push(...decision.events);
        expect(eventsOf(decide())).toEqual([]);
      }
      expect(past.map(({ data }) => data.sequenceNumber)).toEqual(past.map((_, index) => index + 1));
      expect(trialOf(fold(trial, past), invitation).version).toBe(1 + past.length);
      expect(past.filter((event) => 'opening' in event.data && event.data.opening)).toHaveLength(
        Math.min(past.length, 1),
      );
    }),
  );
});
