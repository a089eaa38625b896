import { randomUUID } from 'node:crypto';
import type { NodemailerError } from 'nodemailer';
import { mailboxOf } from '../core/email-address.js';
import type { MailSettings, Sender, SmtpServer } from '../process/mail-settings.js';
import { type Mail, type Mailer, MailRefused, type Mails, MailUnavailable, OutboxMailer } from './mail.js';
import { failureOf } from './smtp-answers.js';

/** The configured mailer. */
export const openMails = ({ way, from }: MailSettings): Mails => {
  if (way.kind === 'off') return { mailer: null, outbox: null };
  if (way.kind === 'smtp') return { mailer: new SmtpMailer(way, from), outbox: null };
  const outbox = new OutboxMailer();
  return { mailer: outbox, outbox };
};

/** Time limits, in milliseconds. */
export interface SmtpLimits {
  readonly connectMs: number;
  /** Longest time for each of the steps before the content is sent: the greeting, the login, the envelope. */
  readonly stepMs: number;
  /** Longest time from the end of the content until the server has accepted the mail. */
  readonly acceptMs: number;
}

/**
 * Those of RFC 5321, section 4.5.3.2. A server may scan the content before it accepts it: an attempt that ends
 * sooner is repeated, and the recipient gets the mail twice.
 */
export const SMTP_LIMITS: SmtpLimits = { connectMs: 10_000, stepMs: 300_000, acceptMs: 600_000 };
/** For urgent mails. With its retries, that of a sign-in code ends before the code does. */
export const URGENT_LIMITS: SmtpLimits = { connectMs: 10_000, stepMs: 30_000, acceptMs: 120_000 };

/**
 * Sends by SMTP, over a connection for each mail. A failure that concerns all mails sets `problem`; a sent mail clears
 * it.
 */
export class SmtpMailer implements Mailer {
  #problem: string | null = null;

  constructor(
    private readonly server: SmtpServer,
    private readonly from: Sender,
    private readonly limits: SmtpLimits = SMTP_LIMITS,
    private readonly urgentLimits: SmtpLimits = URGENT_LIMITS,
  ) {}

  get problem(): string | null {
    return this.#problem;
  }

  async send(mail: Mail, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const cutOff = new AbortController();
    const limits = mail.isUrgent === true ? this.urgentLimits : this.limits;
    const timer = new StepTimer(() => cutOff.abort());
    const abort = (): void => cutOff.abort();
    signal?.addEventListener('abort', abort);
    try {
      await this.deliver(mail, limits, timer, cutOff.signal);
      this.#problem = null;
    } catch (error) {
      signal?.throwIfAborted();
      const failure = cutOff.signal.aborted ? new MailUnavailable('timed_out') : failureOf(error);
      if (failure instanceof MailUnavailable && failure.isCommon) this.#problem = failure.message;
      throw failure;
    } finally {
      timer.end();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** @throws {NodemailerError | MailRefused} */
  private async deliver(
    mail: Mail,
    limits: SmtpLimits,
    timer: StepTimer,
    signal: AbortSignal,
  ): Promise<void> {
    const { server, from } = this;
    // Loaded on use: a process that sends no mails starts without it.
    const { default: Composer } = await import('nodemailer/lib/mail-composer');
    const { default: Connection } = await import('nodemailer/lib/smtp-connection');
    const message = new Composer(messageOf(mail, from)).compile();
    const envelope = message.getEnvelope();
    const connection = new Connection({
      host: server.host,
      port: server.port,
      secure: server.secure,
      requireTLS: server.requireTls,
      // Else the mail may be sent in plain text: a server on this machine often has a self-signed certificate.
      tls: { rejectUnauthorized: server.secure || server.requireTls },
      name: server.clientName,
      connectionTimeout: limits.connectMs,
      dnsTimeout: limits.connectMs,
      greetingTimeout: limits.stepMs,
      // The timer's limits are at most as long.
      socketTimeout: Math.max(limits.stepMs, limits.acceptMs),
    });
    const interrupted = new Promise<never>((_, reject) => {
      connection.on('error', reject);
      connection.on('end', () => reject(new MailUnavailable('unreachable')));
      signal.addEventListener('abort', () => reject(new MailUnavailable('timed_out')), { once: true });
    });
    // `close` also emits `end`. If it is called before the first step, nothing else handles this rejection.
    interrupted.catch(() => undefined);
    const step = (run: (done: (error?: NodemailerError | null) => void) => void): Promise<void> => {
      timer.begin(limits.stepMs);
      return Promise.race([
        new Promise<void>((done, fail) => run((error) => (error ? fail(error) : done()))),
        interrupted,
      ]);
    };
    try {
      signal.throwIfAborted();
      await step((done) => connection.connect(done));
      // By the reply to EHLO: nodemailer would also send an address in UTF-8 to a server that accepts only ASCII.
      const takesUtf8 = /^\d{3}[ -]SMTPUTF8\s*$/im.test(connection.lastServerResponse || '');
      if (!takesUtf8 && !isAscii(envelope.to.join(''))) throw new MailRefused(NO_SMTPUTF8);
      const { login } = server;
      if (login !== null && connection.allowsAuth)
        await step((done) =>
          connection.login({ credentials: { user: login.user, pass: login.password } }, done),
        );
      // The server's answers to the mail then have another meaning: see `failureOf`.
      const isLoginMissing = login !== null && !connection.allowsAuth;
      const content = message.createReadStream().once('end', () => timer.begin(limits.acceptMs));
      await step((done) => connection.send(envelope, content, done)).catch((error: unknown) => {
        throw failureOf(error, isLoginMissing);
      });
    } finally {
      connection.close();
    }
  }
}

/** The time limit of one step. */
class StepTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onExpired: () => void) {}

  /** Begins a step in place of the former one. */
  begin(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.onExpired, ms);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

const NO_SMTPUTF8 =
  'The mail server does not take addresses with letters beyond ASCII before the @ (SMTPUTF8).';

// eslint-disable-next-line no-control-regex -- all of ASCII is meant
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

const messageOf = (
  { to, senderName, subject, text, html, id = randomUUID() }: Mail,
  { name, address }: Sender,
) => ({
  from: { name: senderName ?? name ?? '', address },
  to: { name: '', address: mailboxOf(to) },
  subject,
  text,
  html,
  messageId: `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
  // RFC 3834: no out-of-office answers.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
