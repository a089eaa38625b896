import { accept, type Decider, type Decision } from '../../core/decider.js';
import { type ApplicationRef, applicationRefOf } from '../candidate/events.js';
import {
  mailEvent,
  type MailEvent,
  type MailFault,
  mailId,
  type MailRef,
  type MailResult,
} from './events.js';

/** How far a mail is. */
export interface MailProgress {
  readonly attempts: number;
  readonly result: MailResult;
  /** `null` unless it is tried again. */
  readonly nextAttemptAt: string | null;
}

/** The attempted mails about an application, by `mailId`. */
export type MailsState = ReadonlyMap<string, MailProgress>;

export const mailsDecider: Decider<MailsState, MailEvent> = {
  kind: 'mails',
  initial: new Map(),
  evolve(state, { data }) {
    const { attempt, result, nextAttemptAt } = data;
    return new Map(state).set(mailId(data), { attempts: attempt, result, nextAttemptAt });
  },
};

/** Whether the mail is to be tried at that time, as far as its attempts tell. */
export const mayBeTried = (state: MailsState, mail: MailRef, now: string): boolean => {
  const progress = state.get(mailId(mail));
  if (progress === undefined) return true;
  return progress.result === 'retrying' && Date.parse(progress.nextAttemptAt ?? '') <= Date.parse(now);
};

export interface RecordMailAttempt {
  readonly application: ApplicationRef;
  readonly mail: MailRef;
  /** The attempt's number: nothing is recorded where it was already. */
  readonly attempt: number;
  /** `null`: it was sent. */
  readonly fault: MailFault | null;
  readonly now: string;
  /** After this time it is not tried again. */
  readonly deadline: string;
  /** From 0 to below 1, drawn anew for each attempt. */
  readonly random: number;
}

/** Records the result of an attempt, and when the next one is due. */
export const recordMailAttempt = (state: MailsState, input: RecordMailAttempt): Decision<MailEvent> => {
  const { application, mail, attempt, fault } = input;
  const { attempts, result } = state.get(mailId(mail)) ?? { attempts: 0, result: 'retrying' };
  if (result !== 'retrying' || attempt !== attempts + 1) return accept();
  const { kind, causedBy, days } = mail;
  const nextAttemptAt = fault === null || fault === 'refused' ? null : nextAttempt(input);
  return accept(
    mailEvent('mail.attempted', {
      ...applicationRefOf(application),
      ...{ kind, causedBy, days, attempt },
      result: fault === null ? 'sent' : nextAttemptAt === null ? 'failed' : 'retrying',
      nextAttemptAt,
      fault,
    }),
  );
};

const nextAttempt = ({ attempt, now, deadline, random }: RecordMailAttempt): string | null => {
  const [from, end] = [Date.parse(now), Date.parse(deadline)];
  if (from >= end) return null;
  const wait = (DELAYS[attempt - 1] ?? LAST) * (1 + JITTER * random);
  return new Date(Math.min(from + Math.round(wait), end)).toISOString();
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const DELAYS: readonly number[] = [
  MINUTE / 2,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
];
const LAST = 12 * HOUR;
/** Mails that failed together must not be repeated together. */
const JITTER = 0.2;
