import { type EventIn, eventsOf, eventType } from '../../core/registry.js';
import type { ApplicationRef } from '../candidate/events.js';

/** Stored names and latest shapes of the mails about an application (`mails-<application>`): the storage contract. */

/** What a candidate is written to about. */
export const MAIL_KINDS = ['invitation', 'reminder', 'extension', 'receipt', 'cancellation'] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** What tells the mails about an application apart. */
export interface MailRef {
  readonly kind: MailKind;
  /** The id of the event that the mail is about; of a reminder, of the event that set the expiry. */
  readonly causedBy: string;
  /** How many days before the expiry a reminder is due; `null` for other mails. */
  readonly days: number | null;
}

/** One text for one mail; also what its `Message-ID` is made of. */
export const mailId = ({ kind, causedBy, days }: MailRef): string =>
  `${kind}.${causedBy}${days === null ? '' : `.${days}`}`;

/** A mail is given up so long after it was due: 3 days, in milliseconds. */
export const GIVEN_UP_AFTER_MS = 72 * 60 * 60 * 1_000;

/**
 * Why a mail was not sent, without the server's words, which may repeat the address: `refused` by the server for this
 * recipient or mail; `deferred` by the server; `not_permitted`: the server takes no mails from this service;
 * `insecure`: no TLS; `unreachable`: no connection, or it broke; `timed_out`.
 */
export const MAIL_FAULTS = [
  'refused',
  'deferred',
  'not_permitted',
  'insecure',
  'unreachable',
  'timed_out',
] as const;

export type MailFault = (typeof MAIL_FAULTS)[number];

export const mailEvents = {
  /** The mail server took the mail, or did not. Neither the address nor the text is kept. */
  'mail.attempted': eventType<
    ApplicationRef &
      MailRef & {
        /** From 1: two processes that make the same attempt record it once. */
        readonly attempt: number;
        /** `retrying`: again at `nextAttemptAt`. `failed`: given up. */
        readonly result: 'sent' | 'retrying' | 'failed';
        readonly nextAttemptAt: string | null;
        /** `null` if it was sent. */
        readonly fault: MailFault | null;
      }
  >(),
};

export type MailEvent = EventIn<typeof mailEvents>;
export type MailResult = MailEvent['data']['result'];
export const mailEvent = eventsOf<typeof mailEvents>();
