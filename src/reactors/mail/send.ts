import type { MailsDocument, PlannedMail } from '../../../projections/mails.js';
import type { MailQuota } from '../../clients/mail-quota.js';
import { type Mailer, MailRefused, MailUnavailable } from '../../clients/mail.js';
import type { CommandContexts } from '../../core/command-context.js';
import type { Position } from '../../core/event-store.js';
import type { CommandStreams } from '../../core/handle.js';
import { candidate } from '../../domain/candidate/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import {
  closeMail,
  isFinal,
  limitMail,
  mailApplies,
  mailsDecider,
  mayBeTried,
  messageIdOf,
  progressOf,
  recordMailAttempt,
} from '../../domain/mail/decider.js';
import {
  GIVEN_UP_AFTER_MS,
  isOfOpen,
  isOnDemand,
  mailId,
  type MailRef,
  type MailResult,
  type ServerFault,
} from '../../domain/mail/events.js';
import { operator, preRestoreStatus } from '../../domain/operations/decider.js';
import { organisation } from '../../domain/organisation/decider.js';
import { trial, trialOf } from '../../domain/session/state.js';
import { ClockInDoubt, type Timekeeper } from '../../engine/trusted-clock.js';
import { OPERATOR_LOG } from '../../process/operations/operations.js';
import { logoFor, mailText, senderOf } from './letter.js';

/** The actor of attempts in the log, and the reactor's name in the operator's stream: it must never change. */
export const NAME = 'send-mails';

export interface SendOptions {
  readonly streams: CommandStreams;
  readonly contexts: CommandContexts;
  readonly mailer: Mailer;
  readonly quota: Pick<MailQuota, 'countForAddress' | 'sweep'>;
  /** The address of the service for candidates, without a slash at the end. */
  readonly publicUrl: string;
  /** By default the machine's clock. */
  readonly clock?: () => Date;
  readonly timekeeper: Timekeeper;
  /** Returns a number from 0 to below 1, to spread repeated attempts. By default `Math.random`. */
  readonly random?: () => number;
}

/**
 * Sends a mail if, by the streams, it is due and still applies. Records the result. No mail is sent about an event at
 * or before `installedAt`. The worker calls it for each mail that the view lists as due.
 * @returns its result; `held`: an operator has to decide; `null`: nothing was sent, or another process has recorded it
 * @throws the signal's reason, an error of a store, or {ClockInDoubt} if the result depends on a clock that may be
 *   wrong. Nothing is recorded then, and the attempt is repeated
 */
export async function sendMail(
  application: MailsDocument,
  mail: PlannedMail,
  installedAt: Position,
  options: SendOptions,
  signal: AbortSignal,
): Promise<MailResult | 'held' | null> {
  const { streams, contexts, quota, clock = () => new Date(), random = Math.random } = options;
  const { state } = await streams.read(mailsDecider, application.applicationId);
  if (!mayBeTried(state, mail, clock().toISOString())) return null;
  if (!(await isLater(streams, application, mail, installedAt))) return null;
  const context = contexts.forSystem({ type: 'system', id: NAME }, mail.correlationId);
  // After a restore, an operator decides on mails that may have been sent before it.
  const decided = preRestoreStatus((await streams.read(operator, OPERATOR_LOG)).state, mail.nextAttemptAt);
  if (decided === 'held') return decided;
  if (decided !== null) {
    await streams.handle(mailsDecider, application.applicationId, context, (current) =>
      closeMail(current, { application, mail, result: decided }),
    );
    return null;
  }
  const isInDoubt = async (): Promise<boolean> => (await options.timekeeper.nowIfTrusted('end')) === null;
  // A reminder is due by the time alone, any other mail by an event.
  if (mail.kind === 'reminder' && (await isInDoubt())) throw new ClockInDoubt();
  const recipient = await recipientOf(application, mail, options);
  if (recipient === null) {
    if (await isInDoubt()) throw new ClockInDoubt();
    return null;
  }
  const { to, deadline } = recipient;
  // Counted before it is sent. A repeated attempt counts as the same mail, a mail that staff sends again as another.
  const allowedAt = await quota.countForAddress(to, `${mailId(mail)} ${mail.resentAt ?? ''}`);
  if (allowedAt !== null) {
    const until = new Date(allowedAt).toISOString();
    // If the limit lasts beyond the deadline, the mail fails: that must not happen by a clock that is in doubt.
    if (until >= deadline && (await isInDoubt())) throw new ClockInDoubt();
    await streams.handle(mailsDecider, application.applicationId, context, (current) =>
      limitMail(current, { application, mail, until, deadline }),
    );
    return null;
  }
  const fault = await sendTo(recipient, messageIdOf(state, mail), options, signal);
  // After a temporary fault, the clock decides whether the mail is tried again or its deadline has passed.
  if (!isFinal(fault) && (await isInDoubt())) throw new ClockInDoubt();
  const input = {
    ...{ application, mail, fault, random: random(), now: clock().toISOString() },
    attempt: progressOf(state, mail).attempts + 1,
    deadline,
  };
  const handled = await streams.handle(mailsDecider, application.applicationId, context, (current) =>
    recordMailAttempt(current, input),
  );
  if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  return handled.changed ? progressOf(handled.state, mail).result : null;
}

/** Whether the mail's event, or the last request for a reminder on demand, is after the position. */
const isLater = async (
  streams: CommandStreams,
  { candidateId, trialSessionId, applicationId }: ApplicationRef,
  mail: MailRef,
  installedAt: Position,
): Promise<boolean> => {
  const { causedBy } = mail;
  const backward = { direction: 'backward' } as const;
  if (isOnDemand(mail)) {
    for await (const { type, data, position } of streams.each(mailsDecider, applicationId, backward))
      if (type === 'mail.resend_requested' && isOnDemand(data)) return position > installedAt;
    return false;
  }
  for (const events of [
    streams.each(candidate, candidateId, backward),
    streams.each(trial, trialSessionId, backward),
  ]) {
    for await (const event of events) {
      if (event.id === causedBy) return event.position > installedAt;
      if (event.position <= installedAt) break;
    }
  }
  return false;
};

/** The recipient and the content of a mail. */
interface Recipient {
  readonly to: string;
  readonly senderName: string;
  readonly timeZone: string;
  readonly text: ReturnType<typeof mailText>;
  /** After this time the mail is not sent. */
  readonly deadline: string;
}

/** Address, text and deadline of a mail; `null`: it no longer applies, or the candidate is erased. */
const recipientOf = async (
  { organisationId, candidateId, applicationId, trialSessionId }: ApplicationRef,
  mail: PlannedMail,
  { streams, publicUrl, clock = () => new Date() }: SendOptions,
): Promise<Recipient | null> => {
  const { state: person } = await streams.read(candidate, candidateId);
  const invitation = person?.invitations.find((one) => one.applicationId === applicationId);
  const { state } = await streams.read(trial, trialSessionId);
  const { state: employer } = await streams.read(organisation, organisationId);
  if (!person?.email || !invitation || !employer) return null;
  const session = trialOf(state, invitation);
  if (!mailApplies(mail, session, clock().toISOString())) return null;
  const { expiresAt } = session;
  const text = mailText(mail.kind, invitation.language, {
    organisationName: employer.name,
    roleName: invitation.role.name,
    candidateName: invitation.candidateName,
    link: `${publicUrl}/apply/${applicationId}`,
    expiresAt,
    timeZone: employer.timeZone,
    logo: logoFor(employer, publicUrl),
  });
  const givenUpAt = new Date(Date.parse(mail.resentAt ?? mail.dueAt) + GIVEN_UP_AFTER_MS).toISOString();
  return {
    ...{ to: person.email, senderName: senderOf(employer), timeZone: employer.timeZone, text },
    deadline: isOfOpen(mail) && expiresAt < givenUpAt ? expiresAt : givenUpAt,
  };
};

/** Sends the mail. @returns why it failed; `null`: it was sent @throws the signal's reason */
const sendTo = async (
  { to, senderName, timeZone, text }: Recipient,
  id: string,
  { mailer }: SendOptions,
  signal: AbortSignal,
): Promise<ServerFault | null> => {
  try {
    await mailer.send({ ...text, to, senderName, timeZone, id }, signal);
    return null;
  } catch (error) {
    if (error instanceof MailRefused || error instanceof MailUnavailable) return error.fault;
    throw error;
  }
};
