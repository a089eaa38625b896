import { randomUUID } from 'node:crypto';
import type { ServerFault } from '../domain/mail/events.js';

/** A mail to one person. */
export interface Mail {
  readonly to: string;
  /** Default: the name in `MAIL_FROM`. */
  readonly senderName?: string;
  /** The sending organisation's, in which the outbox shows when it was sent. Default: UTC. */
  readonly timeZone?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Its `Message-ID` without the domain. A mail that is sent again keeps it, so that clients show it once. Default: a UUID. */
  readonly id?: string;
}

/** Sends mails. */
export interface Mailer {
  /**
   * Returns after the server has taken the mail.
   * @throws {MailRefused} the server takes no such mail, however often it is sent
   * @throws {MailUnavailable} try again; the mail may have been sent
   * @throws the signal's reason
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  /** Why the server takes no mails from this service, in sentences for an operator; `null`: no such failure since it took one. */
  readonly problem?: string | null;
}

/** The server will not take a mail for this address: sending it again is of no use. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  readonly fault = 'refused' satisfies ServerFault;

  constructor(message = 'The mail server refuses this address.') {
    super(message);
  }
}

/** The mail could not be sent, or it is not known whether it was. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
  /** Whether the fault concerns all mails, not this one alone. */
  readonly isCommon: boolean;

  /**
   * @param sentence for an operator, if the fault concerns all mails; it never has the server's words, which may repeat an
   * address. `null`: the fault concerns this mail alone. Default: `null` for `deferred`, otherwise the fault's own sentence
   */
  constructor(
    readonly fault: Exclude<ServerFault, 'refused'>,
    sentence: string | null = fault === 'deferred' ? null : SENTENCES[fault],
  ) {
    super(sentence ?? SENTENCES[fault]);
    this.isCommon = sentence !== null;
  }
}

const SENTENCES: Readonly<Record<Exclude<ServerFault, 'refused'>, string>> = {
  deferred: 'The mail server asks to try again later.',
  not_permitted: 'The mail server takes no mails from this service: check SMTP_URL and MAIL_FROM.',
  insecure: 'No encrypted connection to the mail server could be made.',
  unreachable: 'The mail server could not be reached, or the connection broke.',
  timed_out: 'The mail server did not answer in time.',
};

/** How a process sends mails. */
export interface Mails {
  /** `null`: none are sent. */
  readonly mailer: Mailer | null;
  /** The mails that were sent, in development without a server; else `null`. */
  readonly outbox: OutboxMailer | null;
}

/** A mail that the outbox keeps and shows. */
export interface KeptMail extends Mail {
  readonly id: string;
  /** Counts the mails of this process, from 1. */
  readonly number: number;
  readonly sentAt: string;
}

/** How many mails the outbox keeps. */
const KEPT_MAILS = 200;

/** Keeps mails in memory in place of sending them, for the page `/outbox` of a development instance. */
export class OutboxMailer implements Mailer {
  readonly #mails: KeptMail[] = [];
  #count = 0;

  constructor(private readonly clock: () => Date = () => new Date()) {}

  /** Newest first. */
  get mails(): readonly KeptMail[] {
    return this.#mails;
  }

  send(mail: Mail, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const [id, number] = [mail.id ?? randomUUID(), ++this.#count];
    this.#mails.unshift({ ...mail, id, number, sentAt: this.clock().toISOString() });
    this.#mails.length = Math.min(this.#mails.length, KEPT_MAILS);
    return Promise.resolve();
  }
}
