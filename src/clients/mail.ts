import { randomUUID } from 'node:crypto';
import type { ServerFault } from '../domain/mail/events.js';

/** A mail to one person. */
export interface Mail {
  readonly to: string;
  /** Default: the name in `MAIL_FROM`. */
  readonly senderName?: string;
  /** Time zone in which the outbox shows the time of sending: the sending organisation's. Default: UTC. */
  readonly timeZone?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * `Message-ID` without the domain. A retry uses the same one, so that clients show the mail once. Default: a UUID.
   */
  readonly id?: string;
  /** An attempt ends sooner: the reader waits for the mail, or its address must not be kept for long. */
  readonly isUrgent?: true;
}

/** Sends mails. */
export interface Mailer {
  /**
   * Resolves once the server has accepted the mail. It may be called for several mails at the same time.
   * @throws {MailRefused} the server will never accept this mail
   * @throws {MailUnavailable} try again; the mail may have been sent
   * @throws the signal's reason
   */
  send(mail: Mail, signal?: AbortSignal): Promise<void>;
  /**
   * Why the server accepts no mails from this service, in sentences for an operator; `null`: no such failure since a
   * mail was accepted. Left out by a mailer without a server.
   */
  readonly problem?: string | null;
}

/** The server will never accept a mail for this address. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  readonly fault = 'refused' satisfies ServerFault;

  constructor(message = 'The mail server refuses this address.') {
    super(message);
  }
}

/** The mail could not be sent, or it is unknown whether it was. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
  /** Whether the fault concerns all mails, not this one alone. */
  readonly isCommon: boolean;

  /**
   * @param sentence for an operator, if the fault concerns all mails. It must not quote the server, whose words may
   * contain an address. `null`: the fault concerns this mail only. Default: `null` for `deferred`, else the fault's own
   * sentence
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
  /** `null`: no mails are sent. */
  readonly mailer: Mailer | null;
  /** Shows the mails in development without a server; `null`: there is no outbox. */
  readonly outbox: OutboxMailer | null;
}

/** A mail that the outbox keeps and shows. */
export interface KeptMail extends Mail {
  readonly id: string;
  /** The number of the mail in this process, from 1. */
  readonly number: number;
  readonly sentAt: string;
}

/** How many mails the outbox keeps. */
const KEPT_MAILS = 200;

/** Keeps mails in memory instead of sending them, for the page `/outbox` of a development instance. */
export class OutboxMailer implements Mailer {
  readonly #mails: KeptMail[] = [];
  #count = 0;

  constructor(private readonly clock: () => Date = () => new Date()) {}

  /** The mails, newest first. */
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
