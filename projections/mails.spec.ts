import { describe, expect, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { mails, type PlannedMail } from './mails.js';

const DAY = 86_400_000;
const day = (n: number): string => new Date(Date.parse('2026-03-01T09:00:00.000Z') + n * DAY).toISOString();
const ids = {
  ...{ organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' },
};
const of = (type: string, at: number, data: object = {}): Given => ({
  type,
  data: { ...ids, ...data },
  at: day(at),
  id: `${type}-${at}`,
});
const invited = (expires = 14, role: object = { reminderDays: [3, 1] }): Given =>
  of('candidate.invited', 0, { role, expiresAt: day(expires), invitedAt: day(0) });
const attempted = (at: number, mail: object, data: object): Given =>
  of('mail.attempted', at, { days: null, attempt: 1, nextAttemptAt: null, fault: null, ...mail, ...data });

const plan = (...events: Given[]): readonly string[] =>
  (givenView(mails, events).documents.get('a')?.mails ?? []).map(
    ({ kind, days, state, nextAttemptAt }: PlannedMail) =>
      [kind, days, state, nextAttemptAt?.slice(5, 10)].filter((part) => part != null).join(' '),
  );
const next = (...events: Given[]) => givenView(mails, events);

describe('the mails about an application', () => {
  it('are the invitation at once and a reminder each so many days before the expiry', () => {
    expect(plan(invited())).toEqual([
      'invitation pending 03-01',
      'reminder 3 pending 03-12',
      'reminder 1 pending 03-14',
    ]);
    next(invited())
      .thenKey('a', 'byNextMail', [day(0)])
      .thenKey('a', 'byNextReminder', [day(11)]);
  });

  it('remind as the role says, and not of what is nearer than that from the beginning', () => {
    expect(plan(invited(14, { reminderDays: [1, 7, 7] }))).toEqual([
      'invitation pending 03-01',
      'reminder 7 pending 03-08',
      'reminder 1 pending 03-14',
    ]);
    expect(plan(invited(14, { reminderDays: [] }))).toEqual(['invitation pending 03-01']);
    expect(plan(invited(2))).toEqual(['invitation pending 03-01', 'reminder 1 pending 03-02']);
    expect(plan(invited(1))).toEqual(['invitation pending 03-01']);
  });

  const extended = of('trial.extended', 1, { expiresAt: day(20), formerExpiresAt: day(14) });

  it('tell of an extension, and remind anew', () => {
    expect(plan(invited(), extended)).toEqual([
      'invitation pending 03-01',
      'extension pending 03-02',
      'reminder 3 pending 03-18',
      'reminder 1 pending 03-20',
    ]);
    const again = of('trial.extended', 2, { expiresAt: day(30), formerExpiresAt: day(20) });
    expect(plan(invited(), extended, again).filter((one) => one.startsWith('ext'))).toEqual([
      'extension pending 03-03',
    ]);
  });

  it('end with the session: what has not been sent of an open one is not sent any more', () => {
    expect(plan(invited(), extended, of('trial.completed', 2))).toEqual(['receipt pending 03-03']);
    expect(plan(invited(), of('trial.withdrawn', 2, { by: 'candidate' }))).toEqual([]);
    expect(plan(invited(), of('trial.expired', 14))).toEqual([]);
    for (const erased of ['trial.erased', 'application.erased'])
      expect(plan(invited(), of('trial.completed', 2), of(erased, 3))).toEqual([]);
  });

  const cancelledAt = (at: number): Given => of('trial.withdrawn', at, { by: 'staff' });
  const wrote = (kind: string, by: string, at: number, result = 'sent'): Given =>
    attempted(at, { kind, causedBy: by }, { result, ...(result !== 'sent' && { fault: 'unreachable' }) });

  it('tell of a cancellation only those who were told of what is cancelled', () => {
    const invitation = ['invitation', 'candidate.invited-0'] as const;
    const told = ['invitation sent', 'cancellation pending 03-03'];
    expect(plan(invited(), wrote(...invitation, 1), cancelledAt(2))).toEqual(told);
    // The invitation was on its way.
    expect(plan(invited(), cancelledAt(2), wrote(...invitation, 3))).toEqual(told);
    expect(plan(invited(), cancelledAt(2))).toEqual([]);
    expect(plan(invited(), wrote(...invitation, 1, 'failed'), cancelledAt(2))).toEqual(['invitation failed']);
    const late = [wrote(...invitation, 3), wrote(...invitation, 4)];
    expect(plan(invited(), cancelledAt(2), ...late).filter((one) => one.startsWith('cancel'))).toHaveLength(
      1,
    );
    const extension = wrote('extension', 'trial.extended-1', 1.5);
    expect(plan(invited(), extended, extension, cancelledAt(2))).toContain('cancellation pending 03-03');
    expect(plan(invited(), wrote(...invitation, 1), of('trial.withdrawn', 2, { by: 'candidate' }))).toEqual([
      'invitation sent',
    ]);
    expect(plan(invited(), cancelledAt(2), of('trial.erased', 2.5), wrote(...invitation, 3))).toEqual([
      'invitation sent',
    ]);
  });

  it('wait for the limit of their address, are sent again, and end by an operator’s word', () => {
    const mail = { kind: 'invitation', causedBy: 'candidate.invited-0', days: null };
    const limited = (until: string | null) => of('mail.limited', 1, { ...mail, until });
    const failed = attempted(1, mail, { result: 'failed', fault: 'refused' });
    const resent = of('mail.resend_requested', 9, mail);
    const first = (...events: Given[]) =>
      givenView(mails, events)
        .documents.get('a')
        ?.mails.find(({ kind }) => kind === 'invitation');
    expect(first(invited(), limited(day(2)))).toMatchObject({
      ...{ state: 'pending', fault: 'limited', attempts: 0, nextAttemptAt: day(2) },
    });
    expect(first(invited(), limited(null))).toMatchObject({ state: 'failed', fault: 'limited' });
    const again = { state: 'pending', fault: null, nextAttemptAt: day(9), resentAt: day(9) };
    expect(first(invited(), failed, resent)).toMatchObject(again);
    // Whatever was never tried counts from when it was asked for again.
    const later = of('interview.question_asked', 10);
    expect(first(invited(), limited(null), resent, later)).toMatchObject(again);
    const closed = (result: string) => of('mail.closed', 2, { ...mail, result });
    expect(first(invited(), closed('sent'))).toMatchObject({
      state: 'sent',
      lastAttemptAt: null,
      fault: null,
    });
    expect(first(invited(), closed('failed'))).toMatchObject({ state: 'failed', fault: 'held' });
    // What is not planned any more is not brought back.
    expect(first(invited(), of('trial.completed', 1), limited(day(2)))).toBeUndefined();
    expect(first(invited(), of('trial.completed', 1), resent)).toBeUndefined();
  });

  it('stay as sent if the session ends while they are sent again', () => {
    const mail = { kind: 'invitation', causedBy: 'candidate.invited-0', days: null };
    const again = [wrote('invitation', mail.causedBy, 1), of('mail.resend_requested', 2, mail)];
    expect(plan(invited(), ...again)[0]).toBe('invitation pending 03-03');
    expect(plan(invited(), ...again, of('trial.expired', 14))).toEqual(['invitation sent']);
    expect(plan(invited(), ...again, of('trial.completed', 3), of('trial.erased', 4))).toEqual([
      'invitation sent',
    ]);
    // The candidate knew of what was cancelled.
    expect(plan(invited(), ...again, cancelledAt(3))).toEqual([
      'invitation sent',
      'cancellation pending 03-04',
    ]);
    // An extension that staff want sent again goes out beside the one that replaces it.
    const extension = { kind: 'extension', causedBy: 'trial.extended-1', days: null };
    const twice = [
      ...[extended, wrote('extension', extension.causedBy, 1.5)],
      ...[of('mail.resend_requested', 2, extension), of('trial.extended', 3, { expiresAt: day(30) })],
    ];
    expect(plan(invited(), ...twice).filter((one) => one.startsWith('ext'))).toEqual([
      'extension pending 03-03',
      'extension pending 03-04',
    ]);
  });

  const invitation = { kind: 'invitation', causedBy: 'candidate.invited-0' };

  it('remind as often as staff ask for it, with the new expiry after an extension', () => {
    const onDemand = { kind: 'reminder', causedBy: 'a', days: null };
    const asked = (at: number) => of('mail.resend_requested', at, onDemand);
    const ofDemand = (...events: Given[]) =>
      plan(...events).filter((one) => one.startsWith('reminder') && !/^reminder \d/.test(one));
    const sent = attempted(2, onDemand, { result: 'sent' });
    expect(plan(invited(), asked(1))).toEqual([
      'invitation pending 03-01',
      'reminder 3 pending 03-12',
      'reminder 1 pending 03-14',
      'reminder pending 03-02',
    ]);
    expect(ofDemand(invited(), asked(1), sent)).toEqual(['reminder sent']);
    expect(ofDemand(invited(), asked(1), sent, asked(3))).toEqual(['reminder pending 03-04']);
    expect(ofDemand(invited(), asked(1), of('trial.extended', 1.5, { expiresAt: day(20) }))).toEqual([
      'reminder pending 03-02',
    ]);
    for (const over of ['interview.question_asked', 'trial.completed', 'trial.expired', 'trial.erased'])
      expect(ofDemand(invited(), asked(1), of(over, 1.5))).toEqual([]);
    // A reminder that is not sent delays no other mail, and is dropped once it is of no use.
    next(invited(), attempted(0.5, invitation, { result: 'sent' }), asked(1))
      .thenKey('a', 'byNextMail', [day(1)])
      .thenKey('a', 'byNextReminder', [day(11)]);
    expect(ofDemand(invited(), asked(1), asked(5))).toEqual(['reminder pending 03-06']);
    expect(ofDemand(invited(), asked(1), of('trial.extended', 5, { expiresAt: day(20) }))).toEqual([]);
  });

  it('remind nobody whose interview has begun', () => {
    expect(plan(invited(), of('interview.question_asked', 2))).toEqual(['invitation pending 03-01']);
  });

  it('plan nothing again that an event has ended for good: an interview’s begin, before an extension', () => {
    const longer = of('trial.extended', 3, { expiresAt: day(20), formerExpiresAt: day(14) });
    expect(plan(invited(), of('interview.question_asked', 2), longer)).toEqual([
      'invitation pending 03-01',
      'extension pending 03-04',
    ]);
  });

  it('show how they went', () => {
    const retrying = attempted(1, invitation, {
      ...{ result: 'retrying', fault: 'deferred', nextAttemptAt: day(2) },
    });
    next(invited(), retrying).thenKey('a', 'byNextMail', [day(2)]);
    const sent = attempted(2, invitation, { attempt: 2, result: 'sent' });
    const { documents } = next(invited(), retrying, sent)
      .thenKey('a', 'byNextMail', undefined)
      .sameWhateverThePages();
    expect(documents.get('a')?.mails[0]).toMatchObject({
      ...{ state: 'sent', attempts: 2, lastAttemptAt: day(2), nextAttemptAt: null, fault: null },
    });
    const refused = attempted(1, invitation, { result: 'failed', fault: 'refused' });
    expect(plan(invited(), refused)[0]).toBe('invitation failed');
    // Reminders are distinguished by their days.
    const reminded = attempted(11, { kind: 'reminder', causedBy: 'candidate.invited-0', days: 3 }, {});
    expect(plan(invited(), { ...reminded, data: { ...reminded.data, result: 'sent' } })).toContain(
      'reminder 1 pending 03-14',
    );
  });

  it('show what was sent though it had just stopped applying', () => {
    const sent = attempted(3, invitation, { result: 'sent' });
    const withdrawn = of('trial.withdrawn', 2, { by: 'candidate' });
    expect(plan(invited(), withdrawn, sent)).toEqual(['invitation sent']);
    const retrying = attempted(3, invitation, { result: 'retrying', nextAttemptAt: day(4) });
    expect(plan(invited(), withdrawn, retrying)).toEqual([]);
  });

  it('hide no later one behind one that nobody sent for days', () => {
    const late = of('trial.extended', 5, { expiresAt: day(20), formerExpiresAt: day(14) });
    next(invited(), late).thenKey('a', 'byNextMail', [day(5)]);
  });
});
