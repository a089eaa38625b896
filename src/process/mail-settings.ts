import { isIP } from 'node:net';
import { urlOf } from '../core/text.js';
import { isLoopback } from './issuer-mode.js';
import type { VariableReader } from './variable-reader.js';

/** A server that takes mails. */
export interface SmtpServer {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, otherwise by STARTTLS if the server offers it. */
  readonly secure: boolean;
  /** No mail, and no password, travels without TLS. */
  readonly requireTls: boolean;
  /** What the service calls itself in its greeting (EHLO). */
  readonly clientName: string;
  /** `null`: the server asks for none. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** Where mails go: to a server, in development to a page of the process, otherwise nowhere. */
export interface MailSettings {
  readonly way: SmtpServer | { readonly kind: 'outbox' } | { readonly kind: 'off' };
  readonly from: Sender;
  /** Mails that an organisation may ask for in 24 hours. */
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
 * The password is never repeated in what is said about a wrong variable.
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
 * The name that the service greets mail servers with: many refuse an address in brackets, and names without a dot. One
 * with a dot comes first.
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

/** `null`: the URL has no login; `undefined`: it has only a half, or one that cannot be decoded. */
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

/** `Name <address>`, the name in quotes or not, or an address. */
const SENDER = /^(?:\x22?(?<name>[^\x22<>]{1,200}?)\x22?\s*<(?<named>[^<>]+)>|(?<bare>[^<>]+))$/;
const ADDRESS = /^[\x21-\x7e]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

const senderOf = (read: VariableReader): Sender | null => {
  const text = read.get('MAIL_FROM');
  if (text === null) return null;
  const { name, named, bare } = SENDER.exec(text)?.groups ?? {};
  const address = (named ?? bare ?? '').trim();
  // Control characters would begin another header.
  if (!ADDRESS.test(address) || /\p{Cc}/u.test(text))
    return read.wrong(
      'MAIL_FROM',
      'must be an e-mail address, or a name and an address: Example <jobs@example.org>.',
    );
  return { name: name?.trim() || null, address };
};
