import { describe, expect, it } from '@jest/globals';
import { after, NOW, specification } from '../../../test/support/given-when-then.js';
import { mailsDecider, mayBeTried, recordMailAttempt, type RecordMailAttempt } from './decider.js';
import { GIVEN_UP_AFTER_MS, mailEvent, type MailEvent, mailId, type MailRef } from './events.js';

const application = {
  ...{ organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' },
};
const mail: MailRef = { kind: 'invitation', causedBy: 'e1', days: null };
const reminder: MailRef = { kind: 'reminder', causedBy: 'e1', days: 3 };
const input: RecordMailAttempt = {
  ...{ application, mail, attempt: 1, fault: 'deferred', now: NOW, random: 0 },
  deadline: after(GIVEN_UP_AFTER_MS),
};
const attempted = (data: Partial<MailEvent['data']>): MailEvent =>
  mailEvent('mail.attempted', {
    ...{ ...application, ...mail, attempt: 1, result: 'sent', nextAttemptAt: null, fault: null },
    ...data,
  });
const retrying = attempted({ result: 'retrying', fault: 'deferred', nextAttemptAt: after(30_000) });
const { given } = specification(mailsDecider);

describe('an attempt to send a mail', () => {
  it('is recorded: sent, to be repeated, or refused for good', () => {
    const record = (change: Partial<RecordMailAttempt>) =>
      given().when((state) => recordMailAttempt(state, { ...input, ...change }));
    record({ fault: null }).then(attempted({}));
    record({}).then(retrying);
    record({ random: 0.5 }).then(attempted({ ...retrying.data, nextAttemptAt: after(33_000) }));
    record({ fault: 'refused' }).then(attempted({ result: 'failed', fault: 'refused' }));
  });

  it('is recorded once', () => {
    for (const known of [retrying, attempted({})])
      given(known)
        .when((state) => recordMailAttempt(state, input))
        .thenNothing();
    given(attempted({}))
      .when((state) => recordMailAttempt(state, { ...input, attempt: 2 }))
      .thenNothing();
    given(attempted({}))
      .when((state) => recordMailAttempt(state, { ...input, mail: reminder }))
      .then({ ...retrying, data: { ...retrying.data, ...reminder } });
  });

  it('is repeated more and more seldom, for 72 hours', () => {
    let [state, now, attempt] = [mailsDecider.initial, NOW, 1];
    const waits: number[] = [];
    for (;;) {
      expect(mayBeTried(state, mail, now)).toBe(true);
      const decision = recordMailAttempt(state, { ...input, attempt, now, fault: 'unreachable' });
      if (decision.kind === 'refused') throw new Error(decision.refusal.message);
      const [event] = decision.events;
      state = new Map([[mailId(mail), { ...event!.data, attempts: attempt }]]);
      const { result, nextAttemptAt } = event!.data;
      if (result === 'failed') break;
      expect(mayBeTried(state, mail, after(-1, nextAttemptAt!))).toBe(false);
      waits.push(Date.parse(nextAttemptAt!) - Date.parse(now));
      [now, attempt] = [nextAttemptAt!, attempt + 1];
    }
    expect(waits.slice(0, -1)).toEqual([...waits.slice(0, -1)].sort((a, b) => a - b));
    expect(waits.length).toBeGreaterThan(10);
    expect(now).toBe(after(GIVEN_UP_AFTER_MS));
    expect(mayBeTried(state, mail, after(2 * GIVEN_UP_AFTER_MS))).toBe(false);
  });

  it('keeps no address: the events have ids, times and classes of faults', () => {
    expect(Object.keys(retrying.data).sort()).toEqual(
      [
        ...['organisationId', 'candidateId', 'applicationId', 'trialSessionId', 'roleId'],
        ...['kind', 'causedBy', 'days', 'attempt', 'result', 'nextAttemptAt', 'fault'],
      ].sort(),
    );
  });
});
