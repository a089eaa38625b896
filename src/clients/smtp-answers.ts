import { isTlsCode } from '../core/errors.js';
import { MailRefused, MailUnavailable } from './mail.js';

/** nodemailer's error for a mail that was not sent. */
interface SmtpError {
  readonly code?: string;
  /** The code of the socket's own error. */
  readonly originalCode?: string;
  /** The command that was answered; `CONN`: none. */
  readonly command?: string;
  /** All lines of the server's answer. */
  readonly response?: string;
  readonly responseCode?: number;
}

/** An answer of a mail server other than success. */
interface ServerAnswer {
  /** The reply code of three digits. */
  readonly reply: number;
  /** The enhanced status code of RFC 3463: class, subject and detail; `null`: the answer has none. */
  readonly status: { readonly class: number; readonly subject: number; readonly detail: number } | null;
  readonly command: string;
  /** Whether the mail was sent without the login that the service has, since the server offered no sign-in. */
  readonly isLoginMissing: boolean;
}

/**
 * The consequence of a failure for the mail.
 * @param isLoginMissing as in `ServerAnswer`
 */
export const failureOf = (error: unknown, isLoginMissing = false): MailRefused | MailUnavailable => {
  if (error instanceof MailRefused || error instanceof MailUnavailable) return error;
  const { code = '', originalCode = '', command = '', response = '', responseCode = 0 } = error as SmtpError;
  // Independent of the server's answer to STARTTLS.
  if (code === 'ETLS' || isTlsCode(originalCode)) return new MailUnavailable('insecure');
  if (responseCode >= 400)
    return judged({ reply: responseCode, status: statusOf(response), command, isLoginMissing });
  const fault = FAULTS[code];
  if (fault !== undefined) return new MailUnavailable(fault);
  // No answer of the server: nodemailer cannot make a mail for this recipient.
  if (code === 'EENVELOPE') return new MailRefused();
  return new MailUnavailable('unreachable');
};

const FAULTS: Readonly<Record<string, MailUnavailable['fault']>> = {
  EAUTH: 'not_permitted',
  ENOAUTH: 'not_permitted',
  // The server says in its greeting that it takes no mail of this size.
  EMESSAGE: 'not_permitted',
  ETIMEDOUT: 'timed_out',
};

/** Matches a status code after the reply's digits, or in parentheses at the end, as qmail writes it. */
const STATUS = /(?:^\d{3}[ -]|\(#?)([245])\.(\d{1,3})\.(\d{1,3})(?!\d)/m;

const statusOf = (response: string): ServerAnswer['status'] => {
  const [kind = 0, subject = 0, detail = 0] = STATUS.exec(response)?.slice(1).map(Number) ?? [];
  // x.0.0 has no further information.
  return subject === 0 && detail === 0 ? null : { class: kind, subject, detail };
};

/**
 * Decides what an answer is about. Only codes about the recipient's address refuse the mail. Quotas, rates, relaying,
 * senders and policies concern the service, and the mail is tried again.
 */
const judged = (answer: ServerAnswer): MailRefused | MailUnavailable => {
  const { reply, status, command } = answer;
  const isLater = reply < 500 || status?.class === 4;
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  if (!isAboutMail) return new MailUnavailable(isLater ? 'deferred' : 'not_permitted', sentenceOf(answer));
  if (isLater || isFull(answer)) {
    const isCommon = reply === 421 || (status?.subject ?? 0) > MAILBOX;
    return new MailUnavailable('deferred', isCommon ? sentenceOf(answer) : null);
  }
  return blamesAddress(answer) ? new MailRefused() : new MailUnavailable('not_permitted', sentenceOf(answer));
};

/** Subjects of status codes up to this one are about an address or its mailbox. */
const MAILBOX = 2;

const OF_ADDRESS: ReadonlySet<string> = new Set(['1.1', '1.2', '1.3', '1.6', '1.10', '2.1']);
/** Replies to RCPT TO that are about the address, if there is no status code. */
const REPLIES_OF_ADDRESS: readonly number[] = [521, 550, 551, 553, 556];

const blamesAddress = ({ reply, status, command, isLoginMissing }: ServerAnswer): boolean =>
  status === null
    ? // Without a sign-in, the reply may mean that the server relays no mails, whatever the address.
      !isLoginMissing && command === 'RCPT TO' && REPLIES_OF_ADDRESS.includes(reply)
    : OF_ADDRESS.has(`${status.subject}.${status.detail}`);

/** A full mailbox may be emptied. */
const isFull = ({ reply, status }: ServerAnswer): boolean =>
  status === null ? reply === 552 : status.subject === MAILBOX && status.detail === 2;

/** The meaning of a status code's subject, for an operator. */
const SUBJECTS: Readonly<Record<number, string>> = {
  1: 'It is about the sender: check MAIL_FROM.',
  3: 'It is about the mail system of the server.',
  4: 'It is about the network or a quota: check how much your account may send.',
  5: 'It is about the protocol, such as the name that the service gives: see SMTP_CLIENT_NAME.',
  6: 'It is about the content.',
  7: 'It is about a policy or a permission: check your account, and SPF and DKIM of the domain of MAIL_FROM.',
};

/** A sentence about an answer. It does not quote the server, whose words may contain the address. */
const sentenceOf = ({ reply, status, command }: ServerAnswer): string => {
  const code = status === null ? '' : ` ${status.class}.${status.subject}.${status.detail}`;
  const isName = command === 'EHLO' || command === 'HELO' || command === 'CONN';
  const about = SUBJECTS[status?.subject ?? 0] ?? (isName ? 'Check SMTP_URL and SMTP_CLIENT_NAME.' : null);
  const to = command === '' || command === 'CONN' ? 'the connection' : command;
  return `The mail server answers ${reply}${code} to ${to}. ${about ?? 'Check SMTP_URL and MAIL_FROM.'}`;
};
