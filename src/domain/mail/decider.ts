import { accept, type Decider, type Decision, type RefusalCodes, refuse } from '../../core/decider.js';
import { type ApplicationRef, applicationRefOf } from '../candidate/events.js';
import { hasEnded, type Trial } from '../session/state.js';
import {
  isOfOpen,
  mailEvent,
  type MailEvent,
  mailId,
  type MailProblem,
  type MailRef,
  type MailResult,
  problemAfter,
  type ServerFault,
} from './events.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/timestamp.js';

/** What is refused here, beside the common codes. */
export const MAIL_CODES = {
  mail_not_given_up: {
    kind: 'conflict',
    meaning: 'The mail was sent, or is still to be: only one that was given up can be sent again.',
  },
  mail_pointless: {
    kind: 'conflict',
    meaning: 'What the mail is about is over: its session has ended, or has another expiry by now.',
  },
} as const satisfies RefusalCodes;

type MailCode = keyof typeof MAIL_CODES;

/** The attempts of a mail so far. */
export interface MailProgress {
  readonly attempts: number;
  /** Attempts before it was asked for again. */
  readonly formerAttempts: number;
  readonly result: MailResult;
  /** `null` unless it is tried again. */
  readonly nextAttemptAt: string | null;
}

/** The mails about an application. */
export interface MailsState {
  /** The mails with recorded events, by `mailId`. */
  readonly progress: ReadonlyMap<string, MailProgress>;
  readonly problem: MailProblem | null;
}

const UNTRIED: MailProgress = { attempts: 0, formerAttempts: 0, result: 'retrying', nextAttemptAt: null };

/** The recorded attempts of a mail; none if nothing is recorded. */
export const progressOf = ({ progress }: MailsState, mail: MailRef): MailProgress =>
  progress.get(mailId(mail)) ?? UNTRIED;

export const mailsDecider: Decider<MailsState, MailEvent> = {
  kind: 'mails',
  initial: { progress: new Map(), problem: null },
  evolve(state, event) {
    const id = mailId(event.data);
    const before = progressOf(state, event.data);
    const after = (change: Partial<MailProgress>): MailsState => ({
      progress: new Map(state.progress).set(id, { ...before, ...change }),
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
  return result === 'retrying' && (nextAttemptAt === null || Date.parse(nextAttemptAt) <= Date.parse(now));
};

/** Whether a mail still makes sense, by its session. @param mail with the time when it was first due */
export const mailApplies = (
  mail: MailRef & { readonly dueAt: string },
  session: Trial,
  now: string,
): boolean => {
  if (!isOfOpen(mail)) return true;
  if (hasEnded(session, now)) return false;
  if (mail.kind !== 'reminder') return true;
  const isOfThisExpiry = Date.parse(mail.dueAt) + (mail.days ?? 0) * DAY_MS === Date.parse(session.expiresAt);
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
  /** From 0 to below 1, drawn anew for each attempt. */
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
  const wait = (DELAYS[delays] ?? LAST) * (1 + JITTER * random);
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
const LAST = 12 * HOUR_MS;
/** Mails that failed together must not be repeated together. */
const JITTER = 0.2;

/**
 * Records that the mail waits for its address's limit, or that it is given up, because it would be of no use by then.
 * @param until when the limit allows it; after `deadline` it is of no use
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

/** Asks for a mail that was given up. @param applies whether it still makes sense */
export const resendMail = (
  state: MailsState,
  input: MailCommand & { readonly applies: boolean },
): Decision<MailEvent> => {
  if (progressOf(state, input.mail).result !== 'failed')
    return refuse<MailCode>('mail_not_given_up', 'Only a mail that was given up can be sent again.');
  if (!input.applies)
    return refuse<MailCode>('mail_pointless', 'What this mail is about is over: it is not sent again.');
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
