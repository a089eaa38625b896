import { describe, expect, it } from '@jest/globals';
import { foldView, type Given, givenView, storedEvents } from '../test/support/given-view.js';
import { applications } from './applications.js';

const time = (hour: number) => `2026-03-01T${hour.toString().padStart(2, '0')}:00:00.000Z`;
const ids = { organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' };
const invited: Given = {
  type: 'candidate.invited',
  data: {
    ...ids,
    roleVersion: 4,
    role: { name: 'Engineer' },
    invitedAt: time(8),
    expiresAt: time(20),
    language: 'en',
  },
  person: 'c',
  personal: { email: 'Cy@x.org', name: 'Cy Twombly' },
};
const named = { candidateName: 'Cy Twombly', externalId: null, accommodationRequest: null };
const trial = (type: string, hour: number, more: object = {}): Given => ({
  type: `trial.${type}`,
  data: { ...ids, ...more },
  person: 'c',
  at: time(hour),
});
const started = trial('started', 9);
const completed = trial('completed', 11, { evaluationId: 'e' });
const recorded = (values: object, reason: string | null, hour: number): Given => ({
  type: 'outcome.recorded',
  data: { ...ids, humanRound: null, disposition: null, former: null, recordedBy: 'sub', ...values },
  person: 'c',
  personal: { reason },
  at: time(hour),
});
const retracted: Given = {
  type: 'outcome.retracted',
  data: { ...ids, former: {}, retractedBy: 'sub' },
  person: 'c',
};
const session = {
  id: 't',
  applicationId: 'a',
  status: 'invited' as const,
  roleName: 'Engineer',
  invitedAt: time(8),
  startedAt: null,
  endedAt: null,
  expiresAt: time(20),
  evaluationId: null,
  version: 1,
};

describe('an application', () => {
  it('exists by its invitation and is found by organisation, candidate and session', () => {
    givenView(applications, [invited])
      .thenMatches('a', {
        ...ids,
        roleVersion: 4,
        trial: session,
        outcome: null,
        outcomeVersion: 0,
        language: 'en',
        personal: { ...named, reason: null },
      })
      .thenKey('a', 'byOrganisation', ['o', time(8)])
      .thenKey('a', 'byOrganisationStatusName', ['o', 'invited', 'engineer', time(8)])
      .thenKey('a', 'byCandidate', ['c', time(8)])
      .thenKey('a', 'bySession', ['t']);
  });

  it('follows its session to completion', () => {
    givenView(applications, [
      invited,
      started,
      trial('extended', 10, { expiresAt: time(22) }),
      completed,
    ]).thenMatches('a', {
      trial: {
        ...session,
        status: 'completed',
        startedAt: time(9),
        endedAt: time(11),
        expiresAt: time(22),
        evaluationId: 'e',
        version: 4,
      },
    });
  });

  it('is interrupted while the interview’s client is away, each way another version', () => {
    const interrupted = [invited, started, trial('interrupted', 10)];
    givenView(applications, interrupted).thenMatches('a', {
      trial: { ...session, status: 'interrupted', startedAt: time(9), version: 3 },
    });
    givenView(applications, [...interrupted, trial('resumed', 11)]).thenMatches('a', {
      trial: { ...session, status: 'started', startedAt: time(9), version: 4 },
    });
    givenView(applications, [...interrupted, completed]).thenMatches('a', {
      trial: {
        ...session,
        status: 'completed',
        startedAt: time(9),
        endedAt: time(11),
        evaluationId: 'e',
        version: 4,
      },
    });
  });

  it.each(['withdrawn', 'expired'] as const)('may end as %s, started or not', (status) => {
    givenView(applications, [invited, trial(status, 10)]).thenMatches('a', {
      trial: { ...session, status, endedAt: time(10), version: 2 },
    });
    givenView(applications, [invited, started, trial(status, 10)]).thenMatches('a', {
      trial: { ...session, status, startedAt: time(9), endedAt: time(10), version: 3 },
    });
  });

  it('tells of the last mail that could not be sent, until it is', () => {
    const mail = { ...ids, kind: 'invitation', causedBy: 'e1', days: null };
    const of = (type: string, at: number, data: object): Given => ({ type, data, at: time(at) });
    const attempted = (fault: string | null, nextAttemptAt: string | null, about: object = mail) =>
      of('mail.attempted', 9, { ...about, attempt: 1, fault, nextAttemptAt });
    const after = (...events: Given[]) =>
      givenView(applications, [invited, ...events]).documents.get('a')?.mailProblem;
    const problem = { kind: 'invitation', causedBy: 'e1', days: null };
    const refused = { ...problem, fault: 'refused', nextAttemptAt: null };
    const deferred = { ...problem, fault: 'deferred', nextAttemptAt: time(10) };
    expect(after()).toBeNull();
    expect(after(attempted('refused', null))).toEqual(refused);
    expect(after(attempted('deferred', time(10)))).toEqual(deferred);
    expect(after(of('mail.limited', 9, { ...mail, until: time(20) }))).toEqual({
      ...{ ...problem, fault: 'limited', nextAttemptAt: time(20) },
    });
    expect(after(of('mail.closed', 9, { ...mail, result: 'failed' }))).toMatchObject({ fault: 'held' });
    for (const good of [
      attempted(null, null),
      of('mail.resend_requested', 10, mail),
      of('mail.closed', 10, { ...mail, result: 'sent' }),
    ]) {
      expect(after(attempted('refused', null), good)).toBeNull();
      expect(after(attempted('refused', null, { ...mail, kind: 'extension' }), good)).not.toBeNull();
    }
    // After the end, mails about an open session are no longer sent: only a mail that has failed stays a problem.
    expect(after(attempted('deferred', time(10)), started, completed)).toBeNull();
    expect(after(started, completed, attempted('deferred', time(10)))).toBeNull();
    expect(after(attempted('refused', null), started, completed)).toEqual(refused);
    const receipt = { ...mail, kind: 'receipt' };
    expect(after(started, completed, attempted('deferred', time(20), receipt))).not.toBeNull();
    for (const type of ['trial.erased', 'application.erased'])
      expect(after(attempted('refused', null), of(type, 12, ids), attempted('refused', null))).toBeNull();
  });

  it('does not change by activity', () => {
    givenView(applications, [invited, started, trial('activity_recorded', 10)]).thenMatches('a', {
      trial: { ...session, status: 'started', startedAt: time(9), version: 2 },
    });
  });

  it('carries the standing outcome, its reason apart, and counts every outcome event', () => {
    const past = [invited, started, completed, recorded({ humanRound: 'passed' }, 'Calm.', 12)];
    givenView(applications, past).thenMatches('a', {
      outcome: { humanRound: 'passed', disposition: null, recordedBy: 'sub', recordedAt: time(12) },
      outcomeVersion: 1,
      personal: { ...named, reason: 'Calm.' },
    });
    const corrected = [...past, recorded({ disposition: 'hired' }, null, 13)];
    givenView(applications, corrected).thenMatches('a', {
      outcome: { humanRound: null, disposition: 'hired', recordedBy: 'sub', recordedAt: time(13) },
      outcomeVersion: 2,
      personal: { ...named, reason: null },
    });
    givenView(applications, [...corrected, retracted]).thenMatches('a', {
      outcome: null,
      outcomeVersion: 3,
      personal: { ...named, reason: null },
    });
  });

  it('carries what was granted and asked for, and counts both', () => {
    const set: Given = {
      type: 'accommodations.set',
      data: { ...ids, timeFactor: 1.5, typedOnly: false, captions: true, setBy: 'sub' },
      person: 'c',
    };
    const asked: Given = {
      ...{ type: 'accommodations.requested', data: ids, person: 'c', at: time(9) },
      personal: { text: 'More time.' },
    };
    const wanted = (minute: number): Given => ({
      ...{ type: 'erasure.requested', data: ids, person: 'c', at: time(minute) },
    });
    givenView(applications, [invited, asked, set, wanted(10), wanted(11)]).thenMatches('a', {
      accommodations: { timeFactor: 1.5, typedOnly: false, captions: true },
      requestedAt: time(9),
      erasureRequestedAt: time(10),
      outcomeVersion: 4,
      personal: { ...named, accommodationRequest: 'More time.', reason: null },
    });
    const own: Given = { type: 'application.erased', data: ids, person: 'c' };
    givenView(applications, [invited, asked, set, wanted(10), own]).thenMatches('a', {
      erasureRequestedAt: null,
      accommodations: { timeFactor: 1, typedOnly: false, captions: false },
      requestedAt: null,
      personal: null,
    });
  });

  it('is listed by what it waits for, as long as that can be done', () => {
    const asked: Given = {
      ...{ type: 'accommodations.requested', data: ids, person: 'c', at: time(9) },
      personal: { text: 'More time.' },
    };
    const granted: Given = {
      type: 'accommodations.set',
      data: { ...ids, timeFactor: 1.5, typedOnly: false, captions: true, setBy: 'sub' },
      person: 'c',
    };
    const wanted: Given = { type: 'erasure.requested', data: ids, person: 'c', at: time(10) };
    const own: Given = { type: 'application.erased', data: ids, person: 'c' };
    const of = (...events: Given[]) => {
      const { keys } = foldView(applications, storedEvents([invited, ...events])).get('a')!;
      return [
        keys.byOrganisationExpiring?.[1],
        keys.byOrganisationRoleAccommodation?.[2],
        keys.byOrganisationErasure?.[1],
        keys.byOrganisationRoleOutcome?.[2],
      ];
    };
    expect(of()).toEqual([time(20), undefined, undefined, undefined]);
    expect(of(asked, wanted)).toEqual([time(20), time(9), time(10), undefined]);
    expect(of(asked, granted)).toEqual([time(20), undefined, undefined, undefined]);
    expect(of(asked, granted, { ...asked, at: time(12) })).toEqual([
      ...[time(20), time(12), undefined, undefined],
    ]);
    const done = [started, asked, completed];
    expect(of(...done)).toEqual([undefined, undefined, undefined, 'none']);
    const passed = recorded({ humanRound: 'passed' }, null, 12);
    expect(of(...done, passed)).toEqual([undefined, undefined, undefined, 'passed']);
    const hired = recorded({ humanRound: 'passed', disposition: 'hired' }, null, 12);
    expect(of(...done, hired, wanted)).toEqual([undefined, undefined, time(10), 'hired']);
    expect(of(...done, hired, retracted)).toEqual([undefined, undefined, undefined, 'none']);
    expect(of(...done, hired, wanted, own)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is erased with its session or by its own stream, whichever is told first; what was open ends', () => {
    const ofTrial = (withdrawn: boolean) => trial('erased', 14, { withdrawn });
    const own: Given = { type: 'application.erased', data: ids, person: 'c', at: time(14) };
    const past = [invited, started, completed, recorded({ humanRound: 'passed' }, 'Calm.', 12)];
    const outcome = {
      humanRound: 'passed' as const,
      disposition: null,
      recordedBy: 'sub',
      recordedAt: time(12),
    };
    const ended = { status: 'completed' as const, endedAt: time(11), evaluationId: 'e' };
    for (const told of [[ofTrial(false)], [own], [own, ofTrial(false)], [ofTrial(false), own]])
      givenView(applications, [...past, ...told]).thenMatches('a', { erased: true, outcome, personal: null });
    const all = givenView(applications, [...past, ofTrial(false), own]);
    expect(all.documents.get('a')).toMatchObject({ trial: { ...ended, version: 4 }, outcomeVersion: 2 });
    const open = givenView(applications, [invited, started, ofTrial(true)]);
    expect(open.documents.get('a')?.trial).toMatchObject({ status: 'withdrawn', endedAt: time(14) });
  });
});
