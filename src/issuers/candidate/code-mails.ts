import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Mail, type Mailer, MailRefused } from '../../clients/mail.js';
import { within } from '../../core/backoff.js';
import { longLived } from '../../core/signals.js';
import { html, htmlDocument } from '../../http/page.js';
import { type Language, SIGN_IN_TEXTS as TEXTS } from '../../languages/languages.js';
import type { Logger } from '../../process/log.js';
import { CODE_MINUTES } from './codes.js';

/** Pauses before the retries of a mail. Together with the attempts (`URGENT_LIMITS`) they end before its code expires. */
const PAUSES_MS = [2_000, 10_000, 30_000];
/** Limit of mails under way: more than a working mail server ever has. */
const MAX_UNDER_WAY = 1_000;
/** Time limit for mails under way when the service stops. */
const LAST_MS = 2_000;

export interface CodeMailOptions {
  readonly mailer: Mailer;
  /** Whether any organisation has invited the address. */
  readonly isInvited: (email: string) => Promise<boolean>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** One for each retry, in milliseconds. Default: `PAUSES_MS`. */
  readonly pausesMs?: readonly number[];
}

/**
 * Sends codes to invited addresses only. Sending is not awaited by the answer of the page, so the answer and its time
 * are the same for every address.
 */
export class CodeMails {
  private readonly stopping = longLived();
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly options: CodeMailOptions) {}

  /**
   * Returns at once.
   * @param isCurrent called before a retry: false if the code was replaced, and the retry is omitted
   */
  send(email: string, code: string, language: Language, isCurrent: () => Promise<boolean>): void {
    if (this.underWay.size >= MAX_UNDER_WAY) {
      this.options.log.error('Too many codes wait for the mail server: one was not sent.');
      return;
    }
    const sending = this.deliver(email, codeMail(email, code, language), isCurrent)
      .catch((err: unknown) => {
        if (!this.stopping.signal.aborted) this.options.log.warn({ err }, 'A sign-in code was not sent.');
      })
      .finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  /** Waits up to `LAST_MS` for mails under way, then aborts them. */
  async stop(): Promise<void> {
    await within(LAST_MS, Promise.all(this.underWay), () => null);
    this.stopping.abort();
  }

  private async deliver(email: string, mail: Mail, isCurrent: () => Promise<boolean>): Promise<void> {
    const { mailer, isInvited, pausesMs = PAUSES_MS } = this.options;
    const { signal } = this.stopping;
    if (!(await isInvited(email))) return;
    for (let attempt = 0; ; attempt++) {
      try {
        await mailer.send(mail, signal);
        return;
      } catch (error) {
        const pause = pausesMs[attempt];
        if (error instanceof MailRefused || pause === undefined || signal.aborted) throw error;
        await sleep(pause, undefined, { signal });
        if (!(await isCurrent())) return;
      }
    }
  }
}

/** The mail with a code. It has no link, so opening the mail does not sign the reader in. */
const codeMail = (to: string, code: string, language: Language): Mail => {
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
  const { subject, intro, outro } = TEXTS[language].mail(shown, CODE_MINUTES);
  return {
    id: randomUUID(),
    isUrgent: true,
    to,
    subject,
    text: `${shown}\n\n${intro}\n\n${outro}\n`,
    html: htmlDocument(
      subject,
      html`<meta name="color-scheme" content="light dark">`,
      html`<p style="font-size: 1.75em; font-family: monospace"><strong>${shown}</strong></p>
<p>${intro}</p>
<p>${outro}</p>`,
      language,
    ),
  };
};
