import { describe, expect, it } from '@jest/globals';
import { after, NOW, specification } from '../../../test/support/given-when-then.js';
import { invitationFor, roleWith } from '../../../test/support/invited-session.js';
import type { Stored } from '../../core/event.js';
import { DAY_MS, HOUR_MS } from '../../core/timestamp.js';
import type { InterviewEvent } from '../session/events.js';
import { evolveInterview } from '../session/interview-state.js';
import { invitedTrial } from '../session/state.js';
import {
  closeMail,
  limitMail,
  mailApplies,
  mailsDecider,
  MAX_RESENDS,
  mayBeTried,
  messageIdOf,
  progressOf,
  recordMailAttempt,
  type RecordMailAttempt,
  REMIND_AFTER_MS,
  RESEND_AFTER_MS,
  resendMail,
} from './decider.js';
import {
  GIVEN_UP_AFTER_MS,
  mailEvent,
  type MailEvent,
  mailId,
  type MailRef,
  reminderOnDemand,
} from './events.js';

const application = {
  ...{ organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' },
};
const mail: MailRef = { kind: 'invitation', causedBy: 'e1', days: null };
const reminder: MailRef = { kind: 'reminder', causedBy: 'e1', days: 3 };
const input: RecordMailAttempt = {
  ...{ application, mail, attempt: 1, fault: 'deferred', now: NOW, random: 0 },
  deadline: after(GIVEN_UP_AFTER_MS),
};
type Attempted = Extract<MailEvent, { type: 'mail.attempted' }>;
const attempted = (data: Partial<Attempted['data']>): Attempted =>
  mailEvent('mail.attempted', {
    ...{ ...application, ...mail, attempt: 1, result: 'sent', nextAttemptAt: null, fault: null },
    ...data,
  });
const retrying = attempted({ result: 'retrying', fault: 'deferred', nextAttemptAt: after(30_000) });
const { given } = specification(mailsDecider);

describe('a mail that is due', () => {
  const invitation = invitationFor(roleWith());
  const session = invitedTrial(invitation);
  const begun = {
    ...session,
    interview: evolveInterview(null, {
      type: 'interview.connected',
      data: { connectionId: 'x', host: 'h', ordinal: 1, recorded: false, superseded: null },
      personal: null,
    } as unknown as Stored<InterviewEvent>),
  };
  const asked = { ...begun, interview: begun.interview && { ...begun.interview, endsAt: after(HOUR_MS) } };
  const of = (ref: MailRef) => ({ ...ref, dueAt: after(-3 * DAY_MS, session.expiresAt) });

  it('reminds of this expiry alone, and of no interview that has begun', () => {
    expect(mailApplies(of(reminder), session, NOW)).toBe(true);
    expect(mailApplies(of(reminder), begun, NOW)).toBe(true);
    expect(mailApplies(of(reminder), asked, NOW)).toBe(false);
    expect(mailApplies(of({ ...reminder, days: 1 }), session, NOW)).toBe(false);
    expect(mailApplies(of({ ...reminder, days: null }), session, NOW)).toBe(true);
    expect(mailApplies(of({ ...reminder, days: null }), asked, NOW)).toBe(false);
  });

  it('invites until the session is over, also to an interview that has begun; a receipt is sent then too', () => {
    expect(mailApplies(of(mail), asked, NOW)).toBe(true);
    expect(mailApplies(of(mail), session, session.expiresAt)).toBe(false);
    expect(mailApplies(of({ ...mail, kind: 'receipt' }), session, session.expiresAt)).toBe(true);
  });
});

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
    given()
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
      const { result, nextAttemptAt } = (event as Attempted).data;
      const progress = { ...progressOf(state, mail), attempts: attempt, result, nextAttemptAt };
      state = { ...state, progress: new Map([[mailId(mail), progress]]) };
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

const ref = { ...application, ...mail };
const limited = (until: string | null) => mailEvent('mail.limited', { ...ref, until });
const failed = attempted({ result: 'failed', fault: 'refused' });
const resent = mailEvent('mail.resend_requested', ref);
const closed = (result: 'sent' | 'failed') => mailEvent('mail.closed', { ...ref, result });

describe('a mail to an address that had its share', () => {
  const limit = { application, mail, until: after(1_000), deadline: after(2_000) };

  it('waits, once for each time, and is given up if it would be of no use by then', () => {
    given()
      .when((state) => limitMail(state, limit))
      .then(limited(after(1_000)));
    given(limited(after(1_000)))
      .when((state) => limitMail(state, limit))
      .thenNothing();
    given(limited(after(1_000)))
      .when((state) => limitMail(state, { ...limit, until: after(1_500) }))
      .then(limited(after(1_500)));
    given()
      .when((state) => limitMail(state, { ...limit, until: after(2_000) }))
      .then(limited(null));
    for (const over of [attempted({}), failed, closed('sent')])
      given(over)
        .when((state) => limitMail(state, limit))
        .thenNothing();
  });

  it('has made no attempt', () => {
    given(limited(after(1_000)))
      .when((state) => {
        expect([NOW, after(1_000)].map((now) => mayBeTried(state, mail, now))).toEqual([false, true]);
        return recordMailAttempt(state, { ...input, fault: null });
      })
      .then(attempted({}));
  });
});

describe('a mail that is to be sent again', () => {
  // What is given was recorded at NOW.
  const again = { application, mail, applies: true, now: NOW };
  const later = { ...again, now: after(RESEND_AFTER_MS) };

  it('was given up, by whatever, and still makes sense', () => {
    for (const over of [failed, limited(null), closed('failed')])
      given(over)
        .when((state) => resendMail(state, again))
        .then(resent);
    given(failed)
      .when((state) => resendMail(state, { ...again, applies: false }))
      .thenRefused('mail_pointless');
  });

  it('is refused while it is on its way', () => {
    for (const events of [[], [retrying], [failed, resent], [attempted({}), resent]])
      given(...events)
        .when((state) => resendMail(state, later))
        .thenRefused('mail_pending');
  });

  it('was sent some minutes ago, and still makes sense', () => {
    for (const over of [attempted({}), closed('sent')]) {
      given(over)
        .when((state) => resendMail(state, later))
        .then(resent);
      given(over)
        .when((state) => resendMail(state, { ...later, now: after(RESEND_AFTER_MS - 1) }))
        .thenRefused('mail_resend_limited');
      given(over)
        .when((state) => resendMail(state, { ...later, applies: false }))
        .thenRefused('mail_pointless');
    }
  });

  it('is not held up by a time far ahead, which a clock that was set back since has recorded', () => {
    given(attempted({}))
      .when((state) => resendMail(state, { ...again, now: after(-RESEND_AFTER_MS) }))
      .then(resent);
    given(attempted({}))
      .when((state) => resendMail(state, { ...again, now: after(1 - RESEND_AFTER_MS) }))
      .thenRefused('mail_resend_limited');
  });

  it('is sent again a few times only', () => {
    const sentAgain = (times: number): MailEvent[] =>
      Array.from({ length: times }, (_, n) => [resent, attempted({ attempt: n + 2 })]).flat();
    given(attempted({}), ...sentAgain(MAX_RESENDS - 1))
      .when((state) => resendMail(state, later))
      .then(resent);
    given(attempted({}), ...sentAgain(MAX_RESENDS))
      .when((state) => resendMail(state, later))
      .thenRefused('mail_resend_limited');
  });

  it('is another message once a server has taken it, and the same until then', () => {
    const idAfter = (...events: MailEvent[]): string => {
      let id = '';
      given(...events)
        .when((state) => {
          id = messageIdOf(state, mail);
          return resendMail(state, { ...later, applies: false });
        })
        .thenRefused('mail_pointless');
      return id;
    };
    expect([idAfter(), idAfter(retrying), idAfter(failed, resent)]).toEqual(Array(3).fill(mailId(mail)));
    const second = idAfter(attempted({}), resent);
    expect(second).not.toBe(mailId(mail));
    expect(idAfter(attempted({}), resent, attempted({ attempt: 2, result: 'retrying' }))).toBe(second);
    expect(idAfter(attempted({}), resent, attempted({ attempt: 2 }), resent)).not.toBe(second);
  });

  it('is tried at once, and then as often as at first', () => {
    const second = { ...input, attempt: 2 };
    given(failed, resent)
      .when((state) => {
        expect(mayBeTried(state, mail, after(24 * 3_600_000))).toBe(true);
        return recordMailAttempt(state, second);
      })
      .then({ ...retrying, data: { ...retrying.data, attempt: 2 } });
  });
});

describe('the reminder on demand', () => {
  const onDemand = reminderOnDemand(application.applicationId);
  const ask = { application, mail: onDemand, applies: true, now: NOW };
  const asked = mailEvent('mail.resend_requested', { ...application, ...onDemand });
  const sent = attempted({ ...onDemand });
  const remind = (change: Partial<typeof ask>, ...events: readonly MailEvent[]) =>
    given(...events).when((state) => resendMail(state, { ...ask, ...change }));

  it('is a mail of its own that is sent as soon as staff ask for it', () => {
    remind({}).then(asked);
    remind({}, attempted({ ...reminder })).then(asked);
    given(asked)
      .when((state) => {
        expect([mayBeTried(state, onDemand, NOW), mayBeTried(state, reminder, NOW)]).toEqual([true, true]);
        return recordMailAttempt(state, { ...input, mail: onDemand, fault: null });
      })
      .then(sent);
  });

  it('is not sent twice in an hour, nor more than a few times', () => {
    remind({ now: after(REMIND_AFTER_MS - 1) }, asked, sent).thenRefused('mail_resend_limited');
    remind({ now: after(REMIND_AFTER_MS) }, asked, sent).then(asked);
    const all = Array.from({ length: MAX_RESENDS + 1 }, (_, n) => [
      asked,
      attempted({ ...onDemand, attempt: n + 1 }),
    ]).flat();
    remind({ now: after(REMIND_AFTER_MS) }, ...all).thenRefused('mail_resend_limited');
  });

  it('is refused while it is on its way, which it is no longer than it is tried', () => {
    for (const now of [NOW, after(GIVEN_UP_AFTER_MS - 1)]) remind({ now }, asked).thenRefused('mail_pending');
    remind({ now: after(GIVEN_UP_AFTER_MS) }, asked).then(asked);
    const failing = attempted({ ...onDemand, result: 'failed', fault: 'refused' });
    remind({}, asked, failing).then(asked);
  });

  it('is refused if the session is over or its interview has begun', () => {
    remind({ applies: false }).thenRefused('mail_pointless');
  });
});

describe('a mail about which an operator decides', () => {
  it('ends without an attempt, unless it has ended', () => {
    for (const result of ['sent', 'failed'] as const) {
      for (const events of [[], [retrying], [limited(after(1_000))]])
        given(...events)
          .when((state) => closeMail(state, { application, mail, result }))
          .then(closed(result));
      for (const over of [attempted({}), failed, closed('sent')])
        given(over)
          .when((state) => closeMail(state, { application, mail, result }))
          .thenNothing();
    }
  });
});
