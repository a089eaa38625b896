import { mails } from '../../projections/mails.js';
import type { Actor } from '../../src/core/event.js';
import { type ApplicationRef, applicationRefOf } from '../../src/domain/candidate/events.js';
import {
  closeMail,
  limitMail,
  mailsDecider,
  mayBeTried,
  progressOf,
  recordMailAttempt,
  resendMail,
} from '../../src/domain/mail/decider.js';
import { GIVEN_UP_AFTER_MS, reminderOnDemand, type ServerFault } from '../../src/domain/mail/events.js';
import { after } from './given-when-then.js';
import type { World } from './world.js';

const SYSTEM: Actor = { type: 'system', id: 'test' };
const ANSWERS: readonly (ServerFault | null)[] = [null, 'deferred', 'refused', null, 'timed_out'];

/** Something happens to one of the mails about an application, as the reactor, an operator or staff would have it. */
export const mailStep = (world: World, application: ApplicationRef, value: number): void => {
  const { applicationId } = application;
  const planned = world.document(mails, applicationId)?.mails ?? [];
  const mail = planned[value % (planned.length || 1)];
  if (!mail) return;
  const on = { application: applicationRefOf(application), mail };
  const deadline = after(GIVEN_UP_AFTER_MS, mail.dueAt);
  world.submit(mailsDecider, applicationId, SYSTEM, (state) => {
    if (value % 11 === 9)
      return resendMail(state, {
        ...{ application: on.application, mail: reminderOnDemand(applicationId) },
        ...{ applies: true, now: world.now },
      });
    if (mail.state === 'failed' || (mail.state === 'sent' && value % 5 === 4))
      return resendMail(state, { ...on, applies: true, now: world.now });
    if (value % 7 === 3)
      return limitMail(state, { ...on, until: after(GIVEN_UP_AFTER_MS / 3, world.now), deadline });
    if (value % 7 === 5) return closeMail(state, { ...on, result: value % 2 ? 'sent' : 'failed' });
    return recordMailAttempt(state, {
      ...on,
      attempt: mayBeTried(state, mail, world.now) ? progressOf(state, mail).attempts + 1 : 0,
      fault: ANSWERS[value % ANSWERS.length] ?? null,
      now: world.now,
      deadline,
      random: 0,
    });
  });
};
