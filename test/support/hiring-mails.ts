import type { Actor } from '../../src/core/event.js';
import { type ApplicationRef, applicationRefOf } from '../../src/domain/candidate/events.js';
import { mailsDecider, mayBeTried, recordMailAttempt } from '../../src/domain/mail/decider.js';
import { GIVEN_UP_AFTER_MS, type MailFault, mailId } from '../../src/domain/mail/events.js';
import { mails } from '../../projections/mails.js';
import { foldView } from './given-view.js';
import { after } from './given-when-then.js';
import type { World } from './world.js';

const SYSTEM: Actor = { type: 'system', id: 'test' };
const ANSWERS: readonly (MailFault | null)[] = [null, 'deferred', 'refused', null, 'timed_out'];

/** One of the mails about an application that are still pending is tried, as the reactor would. */
export const mailStep = (world: World, application: ApplicationRef, value: number): void => {
  const { applicationId } = application;
  const document = foldView(mails, world.log).get(applicationId)?.document;
  const pending = (document?.mails ?? []).filter(({ state }) => state === 'pending');
  const mail = pending[value % (pending.length || 1)];
  if (!mail) return;
  world.submit(mailsDecider, applicationId, SYSTEM, (state) =>
    recordMailAttempt(state, {
      application: applicationRefOf(application),
      mail,
      attempt: mayBeTried(state, mail, world.now) ? (state.get(mailId(mail))?.attempts ?? 0) + 1 : 0,
      fault: ANSWERS[value % ANSWERS.length] ?? null,
      now: world.now,
      deadline: after(GIVEN_UP_AFTER_MS, mail.dueAt),
      random: 0,
    }),
  );
};
