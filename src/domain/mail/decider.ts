import { accept, type Decider, type Decision, type RefusalCodes, refuse } from '../../core/decider.js';
import { DAY_MS, hasCome, HOUR_MS, MINUTE_MS } from '../../core/timestamp.js';
import { type ApplicationRef, applicationRefOf } from '../candidate/events.js';
import { hasEnded, type Trial } from '../session/state.js';
import {
  GIVEN_UP_AFTER_MS,
  isOfOpen,
  isOnDemand,
  mailEvent,
  type MailEvent,
  mailId,
  MAX_AHEAD_MS,
  type MailProblem,
  type MailRef,
  type MailResult,
  problemAfter,
  type ServerFault,
} from './events.js';

/** Least time between two sendings of a mail, in milliseconds: a mail may take minutes to arrive. */
export const RESEND_AFTER_MS = 10 * MINUTE_MS;
/** As `RESEND_AFTER_MS`, for the reminder on demand: a candidate who was just reminded needs time to act. */
export const REMIND_AFTER_MS = HOUR_MS;
/** How often a mail may be sent again, so that candidates are not flooded. */
export const MAX_RESENDS = 5;

/** What is refused here, beside the common codes. */
export const MAIL_CODES = {
  mail_pending: {
    kind: 'conflict',
    meaning: 'The mail is still to be sent.',
  },
  mail_resend_limited: {
    kind: 'conflict',
    meaning: `A mail that was sent is sent again at the earliest ${RESEND_AFTER_MS / MINUTE_MS} minutes later, a reminder that staff asked for ${REMIND_AFTER_MS / MINUTE_MS} minutes later, and ${MAX_RESENDS} times at most.`,
  },
  mail_pointless: {
    kind: 'conflict',
    meaning:
      'What the mail is about is over: its session has ended, or, of a reminder, its interview has begun or it has another expiry by now.',
  },
} as const satisfies RefusalCodes;

type MailCode = keyof typeof MAIL_CODES;

/** The attempts of a mail so far. */
export interface MailProgress {
  readonly attempts: number;
  /** Attempts before the last request to send it again. */
  readonly formerAttempts: number;
  readonly result: MailResult;
  /** `null`: no attempt is planned, or the first one is due as soon as the mail is. */
  readonly nextAttemptAt: string | null;
  /** How often it was sent. */
  readonly deliveries: number;
  /** When it was last sent, or an operator counted it as sent; `null`: never. */
  readonly sentAt: string | null;
}

/** The mails about an application. */
export interface MailsState {
  /** The mails with recorded events, by `mailId`. */
  readonly progress: ReadonlyMap<string, MailProgress>;
  /** `null`: no mail has a fault, or one of the same kind was sent or requested again since. */
  readonly problem: MailProblem | null;
}

const UNTRIED: MailProgress = {
  ...{ attempts: 0, formerAttempts: 0, result: 'retrying', nextAttemptAt: null },
  ...{ deliveries: 0, sentAt: null },
};

/** The recorded attempts of a mail; none if nothing is recorded. */
export const progressOf = ({ progress }: MailsState, mail: MailRef): MailProgress =>
  progress.get(mailId(mail)) ?? UNTRIED;

/**
 * The id from which the `Message-ID` of the next sending is made. Until a server has accepted the mail it is the mail's
 * own id, so that a repeated attempt is the same message. After that each sending has another id: mailboxes hide a
 * message that they already have.
 */
export const messageIdOf = (state: MailsState, mail: MailRef): string => {
  const { deliveries } = progressOf(state, mail);
  return deliveries === 0 ? mailId(mail) : `${mailId(mail)}.${deliveries + 1}`;
};

/** Folds the stream `mails-<applicationId>`. */
export const mailsDecider: Decider<MailsState, MailEvent> = {
  kind: 'mails',
  initial: { progress: new Map(), problem: null },
  evolve(state, event) {
    const id = mailId(event.data);
    const before = progressOf(state, event.data);
    const sent = { deliveries: before.deliveries + 1, sentAt: event.metadata.recordedAt };
    const after = (change: Partial<MailProgress>): MailsState => ({
      progress: new Map(state.progress).set(id, {
        ...before,
        ...change,
        ...(change.result === 'sent' && sent),
      }),
      problem: problemAfter(state.problem, event),
    });
    switch (event.type) {
      case 'mail.attempted': {
        const { attempt, result, nextAttemptAt } = event.data;
        return after({ attempts: attempt, result, nextAttemptAt });
      }
      case 'mail.limited': {
        const { until } = event.data;
        return after({ result: until === null ? 'failed' : 'retrying', nextAttemptAt: until });
      }
      case 'mail.resend_requested':
        return after({
          formerAttempts: before.attempts,
          result: 'retrying',
          nextAttemptAt: event.metadata.recordedAt,
        });
      case 'mail.closed':
        return after({ result: event.data.result, nextAttemptAt: null });
    }
  },
};

/** Whether the recorded events allow an attempt at that time. */
export const mayBeTried = (state: MailsState, mail: MailRef, now: string): boolean => {
  const { result, nextAttemptAt } = progressOf(state, mail);
  return (
    result === 'retrying' && (nextAttemptAt === null || hasCome(nextAttemptAt, Date.parse(now), MAX_AHEAD_MS))
  );
};

/** Whether a mail still applies, by its session. @param mail with the time when it was first due */
export const mailApplies = (
  mail: MailRef & { readonly dueAt: string },
  session: Trial,
  now: string,
): boolean => {
  if (!isOfOpen(mail)) return true;
  if (hasEnded(session, now)) return false;
  if (mail.kind !== 'reminder') return true;
  const isOfThisExpiry =
    mail.days === null || Date.parse(mail.dueAt) + mail.days * DAY_MS === Date.parse(session.expiresAt);
  return isOfThisExpiry && (session.interview?.endsAt ?? null) === null;
};

/** One mail about one application. */
interface MailCommand {
  readonly application: ApplicationRef;
  readonly mail: MailRef;
}

const dataOf = ({ application, mail: { kind, causedBy, days } }: MailCommand): ApplicationRef & MailRef => ({
  ...applicationRefOf(application),
  ...{ kind, causedBy, days },
});

export interface RecordMailAttempt extends MailCommand {
  /** The attempt's number; if that attempt is recorded already, nothing is recorded. */
  readonly attempt: number;
  /** `null`: it was sent. */
  readonly fault: ServerFault | null;
  readonly now: string;
  /** After this time it is not tried again. */
  readonly deadline: string;
  /** From 0 to below 1: another random number for each attempt. */
  readonly random: number;
}

/** Whether the mail server's answer alone ends the mail, whatever the time is. @param fault `null`: it was sent */
export const isFinal = (fault: ServerFault | null): boolean => fault === null || fault === 'refused';

/** Records the result of an attempt, and when the next one is due. */
export const recordMailAttempt = (state: MailsState, input: RecordMailAttempt): Decision<MailEvent> => {
  const { mail, attempt, fault } = input;
  const { attempts, formerAttempts, result } = progressOf(state, mail);
  if (result !== 'retrying' || attempt !== attempts + 1) return accept();
  const delays = attempt - formerAttempts - 1;
  const nextAttemptAt = isFinal(fault) ? null : nextAttempt(input, delays);
  return accept(
    mailEvent('mail.attempted', {
      ...dataOf(input),
      attempt,
      result: fault === null ? 'sent' : nextAttemptAt === null ? 'failed' : 'retrying',
      nextAttemptAt,
      fault,
    }),
  );
};

const nextAttempt = ({ now, deadline, random }: RecordMailAttempt, delays: number): string | null => {
  const [from, end] = [Date.parse(now), Date.parse(deadline)];
  if (from >= end) return null;
  const wait = (DELAYS[delays] ?? LAST_DELAY) * (1 + JITTER * random);
  return new Date(Math.min(from + Math.round(wait), end)).toISOString();
};

const DELAYS: readonly number[] = [
  MINUTE_MS / 2,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
];
/** The wait after each further attempt. */
const LAST_DELAY = 12 * HOUR_MS;
/** Mails that failed together must not be repeated together. */
const JITTER = 0.2;

/**
 * Records that the mail waits until its address's limit allows it, or that it has failed if that is not before
 * `deadline`.
 * @param until when the limit allows it
 */
export const limitMail = (
  state: MailsState,
  input: MailCommand & { readonly until: string; readonly deadline: string },
): Decision<MailEvent> => {
  const { result, nextAttemptAt } = progressOf(state, input.mail);
  const { until, deadline } = input;
  if (result !== 'retrying' || (nextAttemptAt !== null && Date.parse(nextAttemptAt) >= Date.parse(until)))
    return accept();
  const isOfUse = Date.parse(until) < Date.parse(deadline);
  return accept(mailEvent('mail.limited', { ...dataOf(input), until: isOfUse ? until : null }));
};

/**
 * Whether a mail is still to be sent. The reminder on demand counts as pending from its request on, for as long as it may
 * be tried. It may have been dropped earlier, such as by the beginning of an interview, which no event of this stream
 * records.
 */
const isPending = ({ result, nextAttemptAt }: MailProgress, mail: MailRef, now: string): boolean => {
  if (result !== 'retrying' || !isOnDemand(mail)) return result === 'retrying';
  return nextAttemptAt !== null && Date.parse(now) < Date.parse(nextAttemptAt) + GIVEN_UP_AFTER_MS;
};

/**
 * Requests that a mail which was sent or has failed is sent again, or that the reminder on demand is sent.
 * @param applies by `mailApplies`
 */
export const resendMail = (
  state: MailsState,
  input: MailCommand & { readonly applies: boolean; readonly now: string },
): Decision<MailEvent> => {
  const { mail, applies, now } = input;
  const progress = progressOf(state, mail);
  const { result, deliveries, sentAt } = progress;
  if (!applies)
    return refuse<MailCode>(
      'mail_pointless',
      isOnDemand(mail)
        ? 'The assessment is over, or its interview has begun: no reminder is sent.'
        : 'What this mail is about is over: it is not sent again.',
    );
  if (isPending(progress, mail, now))
    return refuse<MailCode>('mail_pending', MAIL_CODES.mail_pending.meaning);
  const wait = isOnDemand(mail) ? REMIND_AFTER_MS : RESEND_AFTER_MS;
  // In either direction: if the clock was set back, a `sentAt` in the future must not hold the mail up until then.
  const isRecent = sentAt !== null && Math.abs(Date.parse(now) - Date.parse(sentAt)) < wait;
  if (result === 'sent' && (isRecent || deliveries > MAX_RESENDS))
    return refuse<MailCode>(
      'mail_resend_limited',
      isRecent
        ? `This mail was sent less than ${wait / MINUTE_MS} minutes ago. Wait before you send it again.`
        : `This mail was sent again ${MAX_RESENDS} times. Check the address, or give the candidate the link by other means.`,
    );
  return accept(mailEvent('mail.resend_requested', dataOf(input)));
};

/** Ends a mail without an attempt. One that has ended is left as it is. */
export const closeMail = (
  state: MailsState,
  input: MailCommand & { readonly result: 'sent' | 'failed' },
): Decision<MailEvent> => {
  if (progressOf(state, input.mail).result !== 'retrying') return accept();
  return accept(mailEvent('mail.closed', { ...dataOf(input), result: input.result }));
};
