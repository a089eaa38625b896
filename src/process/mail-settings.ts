import { isIP } from 'node:net';
import { urlOf } from '../core/text.js';
import { isLoopback } from './issuer-mode.js';
import type { VariableReader } from './variable-reader.js';

/** A mail server. */
export interface SmtpServer {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte; false: by STARTTLS, if the server offers it. */
  readonly secure: boolean;
  /** No mail and no password is sent without TLS. */
  readonly requireTls: boolean;
  /** The name of the service in its greeting (EHLO). */
  readonly clientName: string;
  /** `null`: the server requires none. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** Where mails are sent: to a server; in development they are shown by the process; else they are not sent. */
export interface MailSettings {
  readonly way: SmtpServer | { readonly kind: 'outbox' } | { readonly kind: 'off' };
  readonly from: Sender;
  /** How many mails an organisation may send in 24 hours. */
  readonly perDay: number;
}

/** The sender of all mails. */
export interface Sender {
  /** `null`: none is shown. */
  readonly name: string | null;
  readonly address: string;
}

const NOBODY: Sender = { name: 'Assay', address: 'assay@localhost' };
const SMTP_FORM =
  'must be an address such as smtps://user:password@host:465 or smtp://user:password@host:587.';
const SUBMISSION_PORT = 587;
const SECURE_PORT = 465;

/**
 * Reads the mail settings. Messages about a wrong variable never contain the password.
 * @param outbox whether mails may be shown instead of sent
 */
export const mailSettingsOf = (read: VariableReader, production: boolean, outbox: boolean): MailSettings => {
  const url = read.get('SMTP_URL');
  const from = senderOf(read);
  const perDay = read.get('MAILS_PER_DAY');
  if (url === null) return { way: { kind: outbox ? 'outbox' : 'off' }, from: from ?? NOBODY, perDay };
  if (production && read.get('PUBLIC_URL') === null)
    read.note('PUBLIC_URL', 'must be set while SMTP_URL is: mails link to it.');
  if (from === null) return read.wrong('MAIL_FROM', 'must be the sender of mails while SMTP_URL is set.');
  return { way: serverOf(read, url, production, clientNameOf(read, from)), from, perDay };
};

const serverOf = (
  read: VariableReader,
  text: string,
  production: boolean,
  clientName: string,
): SmtpServer => {
  const url = urlOf(text);
  const scheme = url?.protocol;
  if (!url || (scheme !== 'smtp:' && scheme !== 'smtps:') || url.hostname === '' || !isBare(url))
    return read.wrong('SMTP_URL', SMTP_FORM);
  const login = loginOf(url);
  if (login === undefined) return read.wrong('SMTP_URL', 'must name a user and a password, or neither.');
  const secure = scheme === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    kind: 'smtp',
    host,
    port: url.port === '' ? (secure ? SECURE_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    requireTls: !isLoopback(host) && (production || login !== null),
    clientName,
    login,
  };
};

/**
 * The name of the service in its greeting. Names with a dot come first, since many mail servers refuse names without
 * one and addresses in brackets.
 */
const clientNameOf = (read: VariableReader, { address }: Sender): string => {
  const set = read.get('SMTP_CLIENT_NAME');
  if (set !== null) return set;
  const host = urlOf(read.get('PUBLIC_URL') ?? '')?.hostname.replace(/\.$/, '') ?? '';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const names = [host, domain].filter((name) => name !== '' && !name.startsWith('[') && isIP(name) === 0);
  return names.find((name) => name.includes('.')) ?? names[0] ?? `[${domain}]`;
};

const isBare = ({ pathname, search, hash, port }: URL): boolean =>
  ['', '/'].includes(pathname) && search === '' && hash === '' && port !== '0';

/** Reads the login; `null`: the URL has none; `undefined`: it is incomplete, or cannot be decoded. */
const loginOf = ({ username, password }: URL): SmtpServer['login'] | undefined => {
  if (username === '' && password === '') return null;
  const user = decoded(username);
  const secret = decoded(password);
  return user && secret ? { user, password: secret } : undefined;
};

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** `Name <address>`, with or without quotes around the name, or an address. */
const SENDER = /^(?:\x22?(?<name>[^\x22<>]{1,200}?)\x22?\s*<(?<named>[^<>]+)>|(?<bare>[^<>]+))$/;
const ADDRESS = /^[\x21-\x7e]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

const senderOf = (read: VariableReader): Sender | null => {
  const text = read.get('MAIL_FROM');
  if (text === null) return null;
  const { name, named, bare } = SENDER.exec(text)?.groups ?? {};
  const address = (named ?? bare ?? '').trim();
  // A control character could begin another header.
  if (!ADDRESS.test(address) || /\p{Cc}/u.test(text))
    return read.wrong(
      'MAIL_FROM',
      'must be an e-mail address, or a name and an address: Example <jobs@example.org>.',
    );
  return { name: name?.trim() || null, address };
};
