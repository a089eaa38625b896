import type { Stored } from '../../core/event.js';
import { type EventIn, eventsOf, eventType } from '../../core/registry.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { MailKind } from '../../languages/en/shapes.js';
import type { ApplicationRef } from '../candidate/events.js';

/** Stored names and latest shapes of the mails about an application (`mails-<application>`): the storage contract. */

/** Identifies a mail among those about one application. */
export interface MailRef {
  readonly kind: MailKind;
  /**
   * The id of the event that the mail is about; of a reminder, of the event that set the expiry; of a reminder on demand,
   * of the application.
   */
  readonly causedBy: string;
  /** How many days before the expiry a reminder is due; `null` for one on demand and for other mails. */
  readonly days: number | null;
}

/** The reminder that staff request. Each further request sends the same mail again. */
export const reminderOnDemand = (applicationId: string): MailRef => ({
  kind: 'reminder',
  causedBy: applicationId,
  days: null,
});

/** Whether it is the reminder that staff ask for. */
export const isOnDemand = ({ kind, days }: Pick<MailRef, 'kind' | 'days'>): boolean =>
  kind === 'reminder' && days === null;

/** Identifies the mail among those about its application, as one text. */
export const mailId = ({ kind, causedBy, days }: MailRef): string =>
  `${kind}.${causedBy}${days === null ? '' : `.${days}`}`;

/** The kinds that apply to an open session only. */
export const OF_OPEN = ['invitation', 'reminder', 'extension'] as const satisfies readonly MailKind[];

/** Whether the mail applies to an open session alone. */
export const isOfOpen = ({ kind }: Pick<MailRef, 'kind'>): boolean => OF_OPEN.some((one) => one === kind);

/**
 * The longest time ahead for which an attempt is planned, in milliseconds: until an address gets a mail again. Only first
 * reminders are planned further ahead.
 */
export const MAX_AHEAD_MS = DAY_MS;

/** How long after it was due a mail is attempted, in milliseconds. */
export const GIVEN_UP_AFTER_MS = 3 * DAY_MS;

/**
 * Why an attempt failed, without the server's words, which may repeat the address: `refused` by the server for this
 * address; `deferred` by the server; `not_permitted`: the server takes no mails from this service; `insecure`: no TLS;
 * `unreachable`: no connection, or it broke; `timed_out`.
 */
export const SERVER_FAULTS = [
  'refused',
  'deferred',
  'not_permitted',
  'insecure',
  'unreachable',
  'timed_out',
] as const;

export type ServerFault = (typeof SERVER_FAULTS)[number];

/**
 * Why a mail was not sent: by a fault of an attempt; `limited`: its address has had as many mails as it gets in a day;
 * `held`: it was due before a restore, and an operator decided not to send it.
 */
export const MAIL_FAULTS = [...SERVER_FAULTS, 'limited', 'held'] as const;

export type MailFault = (typeof MAIL_FAULTS)[number];

export const mailEvents = {
  /** The mail server took the mail, or did not. Neither the address nor the text is kept. */
  'mail.attempted': eventType<
    ApplicationRef &
      MailRef & {
        /** From 1: two processes that make the same attempt record it once. */
        readonly attempt: number;
        /** `retrying`: again at `nextAttemptAt`. `failed`: not attempted again. */
        readonly result: 'sent' | 'retrying' | 'failed';
        /** `null` unless it is `retrying`. */
        readonly nextAttemptAt: string | null;
        /** `null` if it was sent. */
        readonly fault: ServerFault | null;
      }
  >(),
  /** The address has had as many mails as it gets in a day. `until`: the next attempt; `null`: by then it is of no use. */
  'mail.limited': eventType<ApplicationRef & MailRef & { readonly until: string | null }>(),
  /** Staff request that a mail which was sent or has failed is sent again, or that the reminder on demand is sent. */
  'mail.resend_requested': eventType<ApplicationRef & MailRef>(),
  /** An operator decided about a mail that was due before a restore: it counts as sent, or as failed. */
  'mail.closed': eventType<ApplicationRef & MailRef & { readonly result: 'sent' | 'failed' }>(),
};

export type MailEvent = EventIn<typeof mailEvents>;
export const MAIL_TYPES = Object.keys(mailEvents) as readonly MailEvent['type'][];
export type MailResult = EventIn<typeof mailEvents, 'mail.attempted'>['data']['result'];
export const mailEvent = eventsOf<typeof mailEvents>();

/** The last mail about an application that could not be sent, until it is. */
export interface MailProblem extends MailRef {
  readonly fault: MailFault;
  /** `null`: it is not attempted again. */
  readonly nextAttemptAt: string | null;
}

/** The fault of a mail after an event; `null`: there is none. */
export const troubleOf = (event: Stored<MailEvent>): Pick<MailProblem, 'fault' | 'nextAttemptAt'> | null => {
  switch (event.type) {
    case 'mail.attempted': {
      const { fault, nextAttemptAt } = event.data;
      return fault === null ? null : { fault, nextAttemptAt };
    }
    case 'mail.limited':
      return { fault: 'limited', nextAttemptAt: event.data.until };
    case 'mail.closed':
      return event.data.result === 'sent' ? null : { fault: 'held', nextAttemptAt: null };
    case 'mail.resend_requested':
      return null;
  }
};

/** The problem of an application's mails after one more event; `null`: there is none. */
export const problemAfter = (before: MailProblem | null, event: Stored<MailEvent>): MailProblem | null => {
  const { kind, causedBy, days } = event.data;
  const mail = { kind, causedBy, days };
  const trouble = troubleOf(event);
  if (trouble !== null) return { ...mail, ...trouble };
  // A later mail of the same kind replaces it.
  return before?.kind === kind ? null : before;
};

/** Once the session has ended, a mail that is no longer sent is no problem. */
export const currentProblem = (problem: MailProblem | null, hasEnded: boolean): MailProblem | null =>
  problem !== null && problem.nextAttemptAt !== null && isOfOpen(problem) && hasEnded ? null : problem;
