import { describe, expect, it } from '@jest/globals';
import { after, fold, NOW, specification } from '../../../test/support/given-when-then.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Role } from '../role/decider.js';
import { DEFINITION_DEFAULTS } from '../role/events.js';
import {
  bindCandidate,
  candidate,
  type CandidateState,
  eraseCandidate,
  inviteCandidate,
  type InviteCandidate,
  earlierInvitations,
  type SessionEnd,
} from './decider.js';
import type { CandidateEvent, CandidateInvited } from './events.js';

const spec = specification(candidate);
const person = 'p1' as PersonId;
const DAY = 86_400_000;
const role: Role = {
  organisationId: 'o',
  roleId: 'r',
  definition: {
    name: 'Engineer',
    overallThreshold: 70,
    dimensions: [],
    ticketIds: [],
    questions: [],
    ...DEFINITION_DEFAULTS,
  },
  status: 'ready',
  archivedAt: null,
  version: 3,
  createdAt: NOW,
  updatedAt: NOW,
};
const invited = (n: number, roleId = 'r', email = 'Cy@x.org'): CandidateEvent => ({
  type: 'candidate.invited',
  data: {
    organisationId: 'o',
    candidateId: person,
    applicationId: `a${n}`,
    trialSessionId: `t${n}`,
    roleId,
    roleVersion: 3,
    role: role.definition,
    invitedAt: NOW,
    expiresAt: after(14 * DAY),
    language: 'de',
  },
  person,
  personal: { email, name: 'Cy Twombly', externalId: 'ats-7' },
});
/** All earlier ones had ended by an event. */
const invitedAgain = (n: number): CandidateEvent => {
  const event = invited(n) as CandidateInvited;
  return { ...event, data: { ...event.data, earlierEnded: true } };
};
const bound = (subject: string): CandidateEvent => ({
  type: 'candidate.bound',
  data: { organisationId: 'o', candidateId: person },
  person,
  personal: { subject },
});
const invitation: InviteCandidate = {
  candidateId: person,
  email: 'Cy@x.org',
  naming: { name: 'Cy Twombly', externalId: 'ats-7' },
  language: 'de',
  role,
  applicationId: 'a1',
  trialSessionId: 't1',
  now: NOW,
  expiresAt: null,
  endedSessions: new Map(),
};
const ended = (...ids: readonly string[]) => new Map<string, SessionEnd>(ids.map((id) => [id, 'by event']));
const again = { ...invitation, applicationId: 'a2', trialSessionId: 't2' };

describe('an invitation', () => {
  it('pins the role and expires in 14 days unless said', () => {
    const outcome = spec.given().when((state) => inviteCandidate(state, invitation));
    outcome.then(invited(1));
    expect(outcome.state()?.invitations).toMatchObject([
      { candidateName: 'Cy Twombly', externalId: 'ats-7' },
    ]);
    expect(outcome.state()).toMatchObject({ email: 'Cy@x.org', bound: false, subject: null });
  });

  it.each([
    ['2026-03-01T09:00:01.000Z', '2026-03-01T09:00:01.000Z'],
    ['2026-03-01T10:00:01+01:00', '2026-03-01T09:00:01.000Z'],
  ])('may expire at %s', (expiresAt, written) => {
    expect(
      spec
        .given()
        .when((state) => inviteCandidate(state, { ...invitation, expiresAt }))
        .state()?.invitations,
    ).toMatchObject([{ expiresAt: written }]);
  });

  it.each([after(999), NOW, after(-DAY), 'tomorrow', '2026-03-02', '2026-02-30T00:00:00Z'])(
    'cannot expire at %s',
    (expiresAt) => {
      spec
        .given()
        .when((state) => inviteCandidate(state, { ...invitation, expiresAt }))
        .thenRefused('validation_failed', 'expiresAt');
    },
  );

  it('needs a role that is ready', () => {
    spec
      .given()
      .when((state) => inviteCandidate(state, { ...invitation, role: { ...role, status: 'draft' } }))
      .thenRefused('role_draft');
  });

  it('needs a role that is not archived, whatever its status', () => {
    for (const status of ['ready', 'draft'] as const)
      spec
        .given()
        .when((state) =>
          inviteCandidate(state, { ...invitation, role: { ...role, status, archivedAt: NOW } }),
        )
        .thenRefused('role_archived');
  });

  it('is one at a time for a role', () => {
    spec
      .given(invited(1))
      .when((state) => inviteCandidate(state, again))
      .thenRefused('already_invited');
    spec
      .given(invited(0), invited(1))
      .when((state) => inviteCandidate(state, { ...again, endedSessions: ended('t0') }))
      .thenRefused('already_invited');
  });

  it('may follow one that has ended', () => {
    spec
      .given(invited(1))
      .when((state) => inviteCandidate(state, { ...again, endedSessions: ended('t1') }))
      .then(invitedAgain(2));
    spec
      .given(invited(1))
      .when((state) => inviteCandidate(state, { ...again, endedSessions: new Map([['t1', 'by time']]) }))
      .then(invited(2));
  });

  it('says that all earlier ones had ended by an event only if each of them had', () => {
    const endedSessions = new Map<string, SessionEnd>([
      ['t1', 'by event'],
      ['t2', 'by time'],
    ]);
    spec
      .given(invited(1), invited(2))
      .when((state) =>
        inviteCandidate(state, { ...again, applicationId: 'a3', trialSessionId: 't3', endedSessions }),
      )
      .then(invited(3));
  });

  it('keeps the role as it was at that version, and one copy of the same', () => {
    const changed = { ...role.definition, name: 'Engineer, again' };
    const later = invited(2) as CandidateInvited;
    const next: CandidateEvent = { ...later, data: { ...later.data, roleVersion: 4, role: changed } };
    const copy = invited(3) as CandidateInvited;
    const same: CandidateEvent = { ...copy, data: { ...copy.data, role: { ...role.definition } } };
    const roles = fold(candidate, [invited(1), next, same])!.invitations.map((one) => one.role);
    expect(roles.map(({ name }) => name)).toEqual(['Engineer', 'Engineer, again', 'Engineer']);
    expect(roles[2]).toBe(roles[0]);
  });

  it('may be a retake of an application of the same candidate for the same role, and of no other', () => {
    const retake = (retakeOf: string): InviteCandidate => ({
      ...again,
      endedSessions: ended('t1'),
      retakeOf,
    });
    const past = [invited(1), invited(2, 'another')];
    const [event] = spec
      .given(...past)
      .when((state) => inviteCandidate(state, retake('a1')))
      .events();
    expect(event?.data).toMatchObject({ retakeOf: 'a1' });
    for (const other of ['a2', 'a3'])
      spec
        .given(...past)
        .when((state) => inviteCandidate(state, retake(other)))
        .thenRefused('validation_failed', 'retakeOf');
    spec
      .given()
      .when((state) => inviteCandidate(state, retake('a1')))
      .thenRefused('validation_failed', 'retakeOf');
  });

  it('looks at the last session to the role alone, however many have ended by an event before', () => {
    const history = [invited(0), ...Array.from({ length: 300 }, (_, index) => invitedAgain(index + 1))];
    const lookedAt = (events: readonly CandidateEvent[], roleId = 'r') =>
      earlierInvitations(fold(candidate, events), roleId).map(({ trialSessionId }) => trialSessionId);
    expect(lookedAt(history)).toEqual(['t300']);
    expect(lookedAt([...history, invited(301, 'another')])).toEqual(['t300']);
    expect(lookedAt(history, 'another')).toEqual([]);
    // An end by time may be undone by a clock that is right again: those before it are looked at, too.
    expect(lookedAt([...history, invited(301)])).toEqual(['t300', 't301']);
    spec
      .given(...history, invited(301))
      .when((state) => inviteCandidate(state, { ...again, endedSessions: ended('t301') }))
      .thenRefused('already_invited');
  });

  it('may stand beside one for another role, and the address stays as first written', () => {
    const outcome = spec
      .given(invited(1, 'another'))
      .when((state) => inviteCandidate(state, { ...again, email: 'CY@X.ORG' }));
    outcome.then(invited(2, 'r', 'CY@X.ORG'));
    expect(outcome.state()).toMatchObject({ email: 'Cy@x.org' });
    expect(outcome.state()?.invitations).toHaveLength(2);
  });
});

describe('a candidate', () => {
  const token = { subject: 's1', verifiedEmail: ' cy@X.org' };

  it('is bound by a verified address', () => {
    const outcome = spec.given(invited(1)).when((state) => bindCandidate(state, token));
    outcome.then(bound('s1'));
    expect(outcome.state()).toMatchObject({ bound: true, subject: 's1' });
  });

  it('is bound once', () => {
    spec
      .given(invited(1), bound('s1'))
      .when((state) => bindCandidate(state, token))
      .thenNothing();
    spec
      .given(invited(1), bound('s1'))
      .when((state) => bindCandidate(state, { ...token, subject: 's2' }))
      .thenRefused('not_found');
  });

  it('stays bound through a later invitation', () => {
    const state = fold(candidate, [invited(1), bound('s1'), invited(2)]);
    expect(state).toMatchObject({ bound: true, subject: 's1' });
  });

  it.each([null, 'else@x.org'])('is not bound by %p', (verifiedEmail) => {
    spec
      .given(invited(1))
      .when((state) => bindCandidate(state, { ...token, verifiedEmail }))
      .thenRefused('not_found');
    spec
      .given()
      .when((state) => bindCandidate(state, token))
      .thenRefused('not_found');
  });

  it('whose data can no longer be read stays bound and matches nobody', () => {
    const unreadable = [invited(1), bound('s1')].map((event) => ({ ...event, personal: null }));
    expect(fold(candidate, unreadable)).toMatchObject({ email: null, bound: true, subject: null });
    spec
      .given(...unreadable)
      .when((state) => bindCandidate(state, token))
      .thenRefused('not_found');
    spec
      .given({ ...invited(1), personal: null })
      .when((state) => bindCandidate(state, token))
      .thenRefused('not_found');
  });
});

describe('an erased candidate', () => {
  const erased = (cause: 'staff' | 'retention' = 'staff'): CandidateEvent => ({
    type: 'candidate.erased',
    data: { organisationId: 'o', candidateId: person, cause },
    person,
    personal: null,
  });
  const erase = (cause: 'staff' | 'retention') => (state: CandidateState) => eraseCandidate(state, { cause });

  it.each(['staff', 'retention'] as const)('is so for good, for %s', (cause) => {
    const decided = spec.given(invited(1), bound('s1')).when(erase(cause));
    decided.then(erased(cause));
    expect(decided.state()).toMatchObject({ email: null, subject: null, bound: true, erased: true });
    spec.given(invited(1), erased()).when(erase(cause)).thenNothing();
    spec.given().when(erase(cause)).thenRefused('not_found');
  });

  it('keeps what its invitations opened, and is neither invited nor bound any more', () => {
    const given = spec.given(invited(1), bound('s1'), erased());
    expect(given.when(erase('staff')).state()).toMatchObject({
      invitations: [{ applicationId: 'a1', candidateName: null, externalId: null }],
    });
    given
      .when((state) => inviteCandidate(state, { ...again, endedSessions: ended('t1') }))
      .thenRefused('erased');
    for (const subject of ['s1', 's2'])
      given
        .when((state) => bindCandidate(state, { subject, verifiedEmail: 'cy@x.org' }))
        .thenRefused('not_found');
  });
});
