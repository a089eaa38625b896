import { randomUUID } from 'node:crypto';
import type { Transporter } from 'nodemailer';
import { mailboxOf } from '../core/email-address.js';
import type { MailFault } from '../domain/mail/events.js';
import type { MailSettings, Sender, SmtpServer } from '../process/mail-settings.js';

/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** What `Message-ID` is made of; the same for the same mail sent again. Default: a fresh one. */
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
}

/** The server will not take this mail for this recipient: sending it again is of no use. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  readonly fault = 'refused' satisfies MailFault;

  constructor() {
    super('The mail server refuses this mail.');
  }
}

/** The mail could not be sent, or it is not known whether it was. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';

  constructor(readonly fault: Exclude<MailFault, 'refused'>) {
    super(SENTENCES[fault]);
  }
}

const SENTENCES: Readonly<Record<Exclude<MailFault, 'refused'>, string>> = {
  deferred: 'The mail server asks to try again later.',
  not_permitted: 'The mail server takes no mails from this service: check SMTP_URL and MAIL_FROM.',
  insecure: 'No encrypted connection to the mail server could be made.',
  unreachable: 'The mail server could not be reached, or the connection broke.',
  timed_out: 'The mail server did not answer in time.',
};

/** A process's way to send mails. */
export interface Mails {
  /** `null`: none are sent. */
  readonly mailer: Mailer | null;
  /** In development without a server: what was sent. */
  readonly outbox: Outbox | null;
}

/** The mailer that the configuration asks for. */
export const openMails = async ({ way, from }: MailSettings): Promise<Mails> => {
  if (way.kind === 'off') return { mailer: null, outbox: null };
  if (way.kind === 'smtp') return { mailer: await smtpMailer(way, from), outbox: null };
  const outbox = new Outbox();
  return { mailer: outbox, outbox };
};

/** In milliseconds. */
export interface SmtpLimits {
  readonly connectMs: number;
  /** Between two signs of life of the server. */
  readonly idleMs: number;
  /** For one mail. */
  readonly wholeMs: number;
}

const SMTP_LIMITS: SmtpLimits = { connectMs: 10_000, idleMs: 30_000, wholeMs: 60_000 };

/** Sends by SMTP, with one connection for each mail. */
export const smtpMailer = async (
  server: SmtpServer,
  from: Sender,
  limits: SmtpLimits = SMTP_LIMITS,
): Promise<Mailer> => {
  // Loaded on use: a process that sends no mails starts without it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls,
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password } }),
    connectionTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    greetingTimeout: limits.idleMs,
    socketTimeout: limits.idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { send: (mail, signal) => sendBy(transport, from, mail, limits, signal) };
};

const sendBy = async (
  transport: Transporter,
  { name, address }: Sender,
  { to, subject, text, html, id = randomUUID() }: Mail,
  { wholeMs }: SmtpLimits,
  signal?: AbortSignal,
): Promise<void> => {
  signal?.throwIfAborted();
  const cutOff = new AbortController();
  const timer = setTimeout(() => cutOff.abort(), wholeMs);
  const abort = (): void => cutOff.abort();
  signal?.addEventListener('abort', abort);
  try {
    await transport.sendMail({
      from: { name: name ?? '', address },
      to: { name: '', address: mailboxOf(to) },
      subject,
      text,
      html,
      messageId: `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
      // RFC 3834: no out-of-office answers.
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: cutOff.signal,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw failureOf(cutOff.signal.aborted ? { code: 'ETIMEDOUT' } : (error as SmtpError));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** The commands by which a server judges the service, not this mail. */
const OWN_COMMANDS: readonly (string | undefined)[] = ['CONN', 'EHLO', 'HELO', 'MAIL FROM'];

const FAULTS: Readonly<Record<string, Exclude<MailFault, 'refused'>>> = {
  EAUTH: 'not_permitted',
  ENOAUTH: 'not_permitted',
  ETLS: 'insecure',
  ETIMEDOUT: 'timed_out',
};

const failureOf = ({ code = '', command, responseCode = 0 }: SmtpError): MailRefused | MailUnavailable => {
  if (responseCode >= 400 && responseCode < 500) return new MailUnavailable('deferred');
  const fault = FAULTS[code];
  if (fault !== undefined) return new MailUnavailable(fault);
  if (responseCode >= 500)
    return OWN_COMMANDS.includes(command) ? new MailUnavailable('not_permitted') : new MailRefused();
  // Without an answer of the server: no mail can be made for this recipient.
  if (code === 'EENVELOPE') return new MailRefused();
  return new MailUnavailable('unreachable');
};

/** A mail in the outbox. */
export interface KeptMail extends Mail {
  readonly id: string;
  /** From 1, of this process. */
  readonly number: number;
  readonly sentAt: string;
}

const KEPT_MAILS = 200;

/** Keeps mails in memory, for development. */
export class Outbox implements Mailer {
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
