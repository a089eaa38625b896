import { isIP } from 'node:net';
import { isPublicX } from '../core/signing.js';
import { urlOf } from '../core/text.js';
import { CHECK_ISOLATIONS, type CheckIsolation } from '../domain/ticket/events.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a `ConfigurationProblem`. @param sentence without its subject, the variable's name */
type Wrong = (sentence: string) => never;

/** How one variable is read. */
export interface Variable<T> {
  /** Its value if it is not set. */
  readonly otherwise: T;
  readonly read: (text: string, wrong: Wrong) => T;
}

/** Any text. `config.ts` checks it together with other variables. */
const text = <Otherwise extends string | null>(otherwise: Otherwise): Variable<string | Otherwise> => ({
  otherwise,
  read: (value) => value,
});

const oneOf = <const T extends string, const O extends T | null>(
  values: readonly T[],
  otherwise: O,
): Variable<T | O> => ({
  otherwise,
  read: (value, wrong) =>
    values.find((one) => one === value) ??
    wrong(`must be one of ${values.join(', ')}, not ${JSON.stringify(value)}.`),
});

const ON_OFF = ['on', 'off'] as const;
const SPEECH = ['browser', 'command', 'openai'] as const;

const wholeNumber = <Otherwise extends number | null>(
  min: number,
  max: number,
  otherwise: Otherwise,
): Variable<number | Otherwise> => ({
  otherwise,
  read: (value, wrong) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    return wrong(`must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}.`);
  },
});

/**
 * A list of parts, separated by commas.
 * @param problem makes the sentence for `Wrong` from the first part that is not allowed, and its number from 1
 */
const list = (
  isAllowed: (part: string) => boolean,
  problem: (part: string, number: number) => string,
  otherwise: readonly string[] = [],
): Variable<readonly string[]> => ({
  otherwise,
  read: (value, wrong) => {
    const parts = value.split(',').flatMap((part) => part.trim() || []);
    const index = parts.findIndex((part) => !isAllowed(part));
    const part = parts[index];
    return part === undefined ? parts : wrong(problem(part, index + 1));
  },
});

const KEY_BYTES = 32;
/** The form of a key, for messages. */
export const KEY_FORM = '32 random bytes as base64 or hex; "openssl rand -base64 32" makes one';

/** A 32-byte key from hex or base64 (either alphabet); `null`: anything else. */
export const decodeKey = (text: string): Buffer | null => {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
};

/** A key. Messages never contain it. */
const KEY: Variable<Buffer | null> = {
  otherwise: null,
  read: (value, wrong) => decodeKey(value) ?? wrong(`must be ${KEY_FORM}.`),
};

const name = <Otherwise extends string | null>(otherwise: Otherwise): Variable<string | Otherwise> => ({
  otherwise,
  read: (value, wrong) =>
    /^[\x21-\x7e]{1,200}$/.test(value)
      ? value
      : wrong('must be a name of at most 200 printable ASCII characters without blanks.'),
});

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

const HOST: Variable<string> = {
  otherwise: '127.0.0.1',
  read: (value, wrong) =>
    isIP(value) !== 0 || HOST_NAME.test(value) ? value : wrong('must be an IP address or a host name.'),
};

const CLIENT_NAME: Variable<string | null> = {
  otherwise: null,
  read: (value, wrong) =>
    HOST_NAME.test(value) && isIP(value) === 0
      ? value
      : wrong('must be a host name such as assay.example.org.'),
};

const isOrigin = (part: string): boolean => {
  const url = urlOf(part);
  return url?.origin === part && ['http:', 'https:'].includes(url.protocol);
};

/** Whether a part is an address, a network, a name of networks in the proxy library, or `none`. */
const isProxy = (part: string): boolean => {
  const [address = '', bits, ...rest] = part.split('/');
  const version = isIP(address);
  const widest = version === 4 ? 32 : 128;
  const masked =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= widest);
  const isNetwork = version !== 0 && masked && rest.length === 0;
  return isNetwork || ['loopback', 'linklocal', 'uniquelocal', 'none'].includes(part);
};

/** Whether a text is an isolation of checks, as in CHECKER_ISOLATION. */
export const isIsolation = (text: string): text is CheckIsolation =>
  CHECK_ISOLATIONS.some((one) => one === text);

/** Largest number of segments. With more, their checkpoints would cost more than sharing the work saves. */
export const MAX_SEGMENTS = 64;
/** A week, in minutes. */
const MAX_ROLLBACK_MINUTES = 7 * 24 * 60;
const MAX_PORT = 65_535;

/** All environment variables that the service reads, with their defaults; `null`: none. */
export const VARIABLES = {
  // Only these values, so that a misspelt `production` is refused.
  NODE_ENV: oneOf(['production', 'development', 'test'], 'development'),
  HOST,
  PORT: wholeNumber(0, MAX_PORT, 3000),
  HEALTH_PORT: wholeNumber(0, MAX_PORT, null),
  PUBLIC_URL: text(null),
  ALLOWED_ORIGINS: list(
    isOrigin,
    (part) =>
      `must list origins such as https://app.example.org, separated by commas; ${JSON.stringify(part)} is not an origin.`,
  ),
  DATA_DIR: text('./data'),
  EVENTSTORE_URL: text(null),
  MONGODB_URL: text(null),
  SEGMENTS: wholeNumber(1, MAX_SEGMENTS, null),
  HISTORY_EVENTS: wholeNumber(1, 100_000_000, 100_000),
  REBUILD: oneOf(['automatic', 'manual'], 'automatic'),
  ROLLBACK_MINUTES: wholeNumber(0, MAX_ROLLBACK_MINUTES, 60),
  PROJECTOR: oneOf(['embedded', 'off'], 'embedded'),
  TRUSTED_PROXIES: list(
    isProxy,
    (part) =>
      `must list IP addresses or networks such as 10.0.0.0/8, separated by commas; ${JSON.stringify(part)} is neither.`,
  ),
  RATE_LIMITS: oneOf(ON_OFF, 'on'),
  SIGN_IN_CODES_PER_QUARTER_HOUR: wholeNumber(1, 1_000, 5),
  SIGN_IN_CODES_PER_DAY: wholeNumber(1, 10_000, 20),
  SIGN_IN_FORMS_PER_MINUTE: wholeNumber(1, 1_000_000, 1_200),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  WEBHOOK_ALLOW_PRIVATE: oneOf(ON_OFF, 'off'),
  SMTP_URL: text(null),
  MAIL_FROM: text(null),
  SMTP_CLIENT_NAME: CLIENT_NAME,
  MAILS_PER_DAY: wholeNumber(1, 10_000_000, 2_000),
  CANDIDATE_SIGN_IN: oneOf(['email', 'oidc'], null),
  DATA_KEY: KEY,
  DATA_KEY_PREVIOUS: KEY,
  SIGNING_KEY: KEY,
  // Messages never contain a part: it may be a private key by mistake.
  FORMER_SIGNING_KEYS: list(
    isPublicX,
    (_, number) =>
      `must list public keys separated by commas, each the "x" of a key of /.well-known/evidence-keys.json; number ${number} is not a public key.`,
  ),
  OIDC_ISSUER: text(null),
  OIDC_AUDIENCE: text(null),
  OIDC_TRUSTED_EMAIL_ISSUERS: list(
    (part) => ['http:', 'https:'].includes(urlOf(part)?.protocol ?? ''),
    (part) =>
      `must list issuers as in OIDC_ISSUER, separated by commas; ${JSON.stringify(part)} is not an http or https URL.`,
  ),
  DEVELOPMENT_ISSUER: text(null),
  INTERVIEWER: oneOf(['scripted', 'openai'], 'scripted'),
  SCORER: oneOf(['rubric', 'openai'], 'rubric'),
  TRANSCRIBER: oneOf(SPEECH, 'browser'),
  SYNTHESISER: oneOf(SPEECH, 'browser'),
  DETECTOR: oneOf(['none', 'command'], 'none'),
  CHECKER: oneOf(['none', 'command'], 'none'),
  TRANSCRIBER_COMMAND: text(null),
  SYNTHESISER_COMMAND: text(null),
  DETECTOR_COMMAND: text(null),
  CHECKER_COMMAND: text(null),
  CHECKER_ISOLATION: list(
    (part) => isIsolation(part),
    (part) => `must be separate, shared, or both separated by a comma; ${JSON.stringify(part)} is neither.`,
    ['shared'],
  ),
  CHECKER_SECONDS: wholeNumber(1, 3_600, 60),
  CHECKER_AT_ONCE: wholeNumber(1, 64, 1),
  CHECKER_GIVE_UP_MINUTES: wholeNumber(1, 1_440, 30),
  CHECKER_UNSAFE: oneOf(ON_OFF, 'off'),
  OPENAI_BASE_URL: text('https://api.openai.com/v1'),
  OPENAI_API_KEY: text(null),
  OPENAI_MODEL: name(null),
  OPENAI_VOICE: name('alloy'),
  OPENAI_TRANSCRIPTION_MODEL: name('whisper-1'),
  OPENAI_SPEECH_MODEL: name('tts-1'),
};

export type VariableName = keyof typeof VARIABLES;
export type Value<Name extends VariableName> = ReturnType<(typeof VARIABLES)[Name]['read']>;
export type LogLevel = Value<'LOG_LEVEL'>;
