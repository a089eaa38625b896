import { describe, expect, it } from '@jest/globals';
import type { Actor } from '../src/core/event.js';
import { eventRegistry } from '../src/domain/event-registry.js';
import { samples } from '../test/golden/samples.js';
import { givenView } from '../test/support/given-view.js';
import { audit, type AuditSubject } from './audit.js';

type Type = keyof typeof samples;

/** Of every event type: what it was done to, or why it is not in the trail. A new one has to be decided here. */
const DECIDED: Readonly<Record<Type, AuditSubject['type'] | { readonly leftOut: string }>> = (() => {
  const files = { leftOut: 'a ticket that names them is what was changed' };
  const evidence = { leftOut: 'what happens within a session is its evidence' };
  const imported = { leftOut: 'each invitation of an import is in the trail, as its member’s' };
  const aids = { leftOut: 'how members look at lists changes nothing that is looked at' };
  const engine = { leftOut: 'how the service does its work concerns no organisation' };
  return {
    'organisation.created': 'organisation',
    'organisation.updated': 'organisation',
    'organisation.logo_changed': 'organisation',
    'member.added': 'member',
    'member.bound': 'member',
    'member.role_changed': 'member',
    'member.removed': 'member',
    'role.created': 'role',
    'role.updated': 'role',
    'role.archived': 'role',
    'role.unarchived': 'role',
    'ticket.created': 'organisation',
    'ticket.updated': 'organisation',
    'import.begun': imported,
    'import.row_added': imported,
    'import.row_invited': imported,
    'import.row_refused': imported,
    'import.dropped': imported,
    'applications.exported': 'organisation',
    'evaluations.exported': 'organisation',
    'signal.exported': 'organisation',
    'candidate.invited': 'application',
    'candidate.bound': 'candidate',
    'candidate.erased': 'candidate',
    'trial.started': 'trial_session',
    'trial.extended': 'trial_session',
    'trial.completed': 'trial_session',
    'trial.withdrawn': 'trial_session',
    'trial.expired': 'trial_session',
    'trial.erased': 'trial_session',
    'trial.activity_recorded': evidence,
    'trial.identity_checked': evidence,
    'trial.interrupted': evidence,
    'trial.resumed': evidence,
    'interview.connected': evidence,
    'interview.disconnected': evidence,
    'interview.question_asked': evidence,
    'interview.answer_recorded': evidence,
    'interview.turn_skipped': evidence,
    'interview.interrupted': evidence,
    'interview.ended': evidence,
    'file_set.begun': files,
    'file_set.completed': files,
    'work.hand_in_begun': evidence,
    'work.handed_in': evidence,
    'work.refused': evidence,
    'work.checked': evidence,
    'outcome.recorded': 'application',
    'outcome.retracted': 'application',
    'accommodations.set': 'application',
    'accommodations.requested': 'application',
    'application.sign_in_lock_lifted': 'application',
    'erasure.requested': 'application',
    'application.erased': 'application',
    'evaluation.generated': 'evaluation',
    'evaluation.failed': 'evaluation',
    'evaluation.regeneration_requested': 'evaluation',
    'evaluation.contested': 'evaluation',
    'evaluation.contest_answered': 'evaluation',
    'evaluation.erased': 'evaluation',
    'attempt.begun': engine,
    'attempt.left': engine,
    'evaluation.work_handed_in': evidence,
    'evaluation.work_refused': evidence,
    'evaluation.work_checked': evidence,
    'evaluation.wait_ended': { leftOut: 'a part of the result that follows it' },
    'evaluation.model_answered': { leftOut: 'a part of the result that follows it' },
    'feedback.given': { leftOut: 'the candidate’s own words, which concern no record' },
    'share_link.created': 'share_link',
    'share_link.revoked': 'share_link',
    'share_link.viewed': 'share_link',
    'api_key.created': 'api_key',
    'api_key.revoked': 'api_key',
    'saved_view.created': aids,
    'saved_view.changed': aids,
    'saved_view.removed': aids,
    'webhook.created': 'webhook',
    'webhook.secret_rotated': 'webhook',
    'webhook.deleted': 'webhook',
    'delivery.requested': { leftOut: 'follows from what is in the trail' },
    'delivery.attempted': { leftOut: 'how it is sent is the delivery’s own story' },
    'mail.attempted': { leftOut: 'follows from what is in the trail' },
    'mail.limited': { leftOut: 'follows from what is in the trail' },
    'mail.resend_requested': 'application',
    'mail.closed': { leftOut: 'follows from an operator’s action on the whole service' },
    'delivery.test_requested': 'delivery',
    'delivery.redelivery_requested': 'delivery',
    'operator.acted': { leftOut: 'concerns no organisation, unless its details name one' },
    'reactor.installed': engine,
    'rebuild.requested': engine,
    'promotion.requested': engine,
    'rollback.requested': engine,
    'cancellation.requested': engine,
    'refold.requested': engine,
    'operation.ended': engine,
    'generation.promoted': engine,
    'projection.paused': engine,
    'projection.resumed': engine,
    'event.skipped': engine,
  };
})();

const ID = '0197a3b0-0000-7000-8000-0000000000ee';
const AT = '2026-03-01T09:00:00.000Z';
const STAFF = { type: 'staff', id: 'olga' } as const;
const entry = (type: string, data: object, actor: Actor = STAFF, personal: object | null = null) =>
  givenView(audit, [{ type, data, personal, id: ID, at: AT, actor }]).documents.get(ID);

describe('the audit trail', () => {
  it('knows every event that the service writes', () => {
    expect(Object.keys(DECIDED).sort()).toEqual([...eventRegistry.keys()].sort());
  });

  it.each(Object.entries(DECIDED))('%s: %j', (type, decided) => {
    const { data, personal } = samples[type as Type];
    const found = entry(type, data, STAFF, personal);
    if (typeof decided === 'object') {
      expect(found).toBeUndefined();
      return;
    }
    expect(found).toEqual({
      organisationId: (data as { organisationId: string }).organisationId,
      at: AT,
      actor: STAFF,
      action: type,
      subject: { type: decided, id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown },
      candidateId: (data as { candidateId?: string }).candidateId ?? null,
      applicationId: (data as { applicationId?: string }).applicationId ?? null,
    });
    // Ids of the event's own data, and nothing else of it.
    expect(Object.values(data)).toContain(found?.subject.id);
  });

  it('has one entry a day, at its latest time, for what somebody from outside does to a record again and again', () => {
    const linkId = '0197a3b0-0000-7000-8000-0000000000aa';
    const ids = { organisationId: 'o', linkId, evaluationId: '0197a3b0-0000-7000-8000-0000000000bb' };
    const visitor = { type: 'share_link', id: linkId } as const;
    const viewed = (at: string, of = linkId) => ({
      ...{ type: 'share_link.viewed', data: { ...ids, linkId: of }, actor: visitor, at },
    });
    const { documents } = givenView(audit, [
      { type: 'role.created', data: { organisationId: 'o', roleId: 'r' }, actor: STAFF, at: AT },
      ...Array.from({ length: 300 }, (_, n) => viewed(new Date(Date.parse(AT) + n * 1_000).toISOString())),
      viewed('2026-03-02T00:00:00.000Z'),
      viewed('2026-03-02T00:00:00.000Z', '0197a3b0-0000-7000-8000-0000000000ab'),
    ]);
    expect([...documents.values()].map(({ action, at }) => `${action} ${at}`).sort()).toEqual([
      'role.created 2026-03-01T09:00:00.000Z',
      'share_link.viewed 2026-03-01T09:04:59.000Z',
      'share_link.viewed 2026-03-02T00:00:00.000Z',
      'share_link.viewed 2026-03-02T00:00:00.000Z',
    ]);
    for (const id of documents.keys())
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[478][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  });

  it('has an entry for each action of a candidate on a record, and none is in another’s place', () => {
    const { candidateId, applicationId, trialSessionId, evaluationId } = {
      candidateId: '0197a3b0-0000-7000-8000-000000000001',
      applicationId: '0197a3b0-0000-7000-8000-000000000002',
      trialSessionId: '0197a3b0-0000-7000-8000-000000000003',
      evaluationId: '0197a3b0-0000-7000-8000-000000000004',
    };
    const actor = { type: 'candidate', id: candidateId } as const;
    const given = Object.entries(DECIDED).flatMap(([type, decided]) => {
      if (typeof decided === 'object') return [];
      const data = {
        ...samples[type as Type].data,
        candidateId,
        applicationId,
        trialSessionId,
        evaluationId,
      };
      return [{ type, data, actor, at: AT }];
    });
    const twice = [...given, ...given];
    expect([...givenView(audit, twice).documents.values()].map(({ action }) => action).sort()).toEqual(
      given.map(({ type }) => type).sort(),
    );
  });

  it('has of what an operator does what was done for an organisation', () => {
    const operator = { type: 'operator', id: 'assay' } as const;
    const acted = (details: object) =>
      entry('operator.acted', { action: 'evidence export', details }, operator);
    expect(acted({ organisationId: 'o', trialSessionId: 't', events: 3 })).toEqual({
      organisationId: 'o',
      at: AT,
      actor: operator,
      action: 'operator.evidence export',
      subject: { type: 'trial_session', id: 't' },
      candidateId: null,
      applicationId: null,
    });
    expect(acted({ organisationId: 'o', evaluationId: 'e' })?.subject).toEqual({
      type: 'evaluation',
      id: 'e',
    });
    expect(acted({ organisationId: 'o' })?.subject).toEqual({ type: 'organisation', id: 'o' });
    expect(acted({ events: 3 })).toBeUndefined();
    expect(acted({ organisationId: 7 })).toBeUndefined();
  });

  it('is listed by organisation and time', () => {
    const data = { organisationId: 'o', linkId: 'l' };
    givenView(audit, [{ type: 'share_link.revoked', data, id: ID, at: AT }])
      .thenKey(ID, 'byOrganisation', ['o', AT])
      .sameWhateverThePages();
  });

  it('is listed by candidate and time, if it concerns one', () => {
    const [candidate, role] = [
      '0197a3b0-0000-7000-8000-0000000000c1',
      '0197a3b0-0000-7000-8000-0000000000c2',
    ];
    givenView(audit, [
      {
        type: 'erasure.requested',
        data: { organisationId: 'o', candidateId: 'c', applicationId: 'a' },
        id: candidate,
        at: AT,
      },
      { type: 'role.archived', data: { organisationId: 'o', roleId: 'r' }, id: role, at: AT },
    ])
      .thenKey(candidate, 'byOrganisationCandidate', ['o', 'c', AT])
      .thenKey(role, 'byOrganisationCandidate', undefined)
      .sameWhateverThePages();
  });
});
