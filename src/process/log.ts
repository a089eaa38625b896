import type { LoggerService } from '@nestjs/common';
import { destination, type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './variables.js';

const HIDDEN = '[redacted]';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Tokens of three base64url parts, wherever they stand.
  [/(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, HIDDEN],
  [/(\btoken=)[^&\s"'#]+/gi, `$1${HIDDEN}`],
  // Also as a proxy may write the path.
  [/(\bshared(?:\/|%2f)+reports(?:\/|%2f)+)[^/?\s"'#]+/gi, `$1${HIDDEN}`],
  // 256 bits as base64url, such as a share link's token.
  [/(?<![A-Za-z0-9_-])(?=[A-Z0-9_-]*[a-z])(?=[a-z0-9_-]*[A-Z])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g, HIDDEN],
  [/(\bbearer\s+)\S+/gi, `$1${HIDDEN}`],
];
/** An e-mail address, or a password in front of a host. */
const ADDRESS = /[^\s@"'<>()[\]{},;:=/]{1,64}(?:@|%40)[^\s@"'<>()[\]{},;:=/?#]{1,255}/gi;
/** The example in the messages about a server's address. */
const EXAMPLE = 'password@host';

/** A text without anything that looks like a credential or an e-mail address. */
export const scrub = (text: string): string =>
  PATTERNS.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text).replace(
    ADDRESS,
    (found) => (found === EXAMPLE ? found : HIDDEN),
  );

export type { Logger } from 'pino';

/** Field names whose values are never written, one or two levels deep. */
const SECRET_FIELDS = [
  'authorization',
  'token',
  'idToken',
  'secret',
  'password',
  'dataKey',
  'signingKey',
  'email',
  'candidateEmail',
  'subject',
  'body',
  'payload',
  'personal',
];

interface Failure {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly cause?: unknown;
}

const describeFailure = (error: unknown, depth = 0): unknown => {
  if (typeof error !== 'object' || error === null) return scrub(String(error));
  const { name, code, message, stack, cause } = error as Failure;
  return {
    type: typeof name === 'string' ? name : 'Error',
    ...(typeof code === 'string' && { code }),
    message: scrub(typeof message === 'string' ? message : ''),
    ...(typeof stack === 'string' && { stack: scrub(stack) }),
    ...(cause !== undefined && depth < 3 && { cause: describeFailure(cause, depth + 1) }),
  };
};

/** RFC 3339 in pino's form; written once for all lines of a millisecond. */
const timestamps = (): (() => string) => {
  let of = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== of) {
      of = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
};

const FLUSH_MS = 250;
/** The first may only wait for a write that was under way. */
const LAST_FLUSHES = 2;

/** Lines are gathered for a moment, so that no request waits for the reader; the last ones are written at exit. */
const standardOutput = (): DestinationStream => {
  const stream = destination({ dest: 1, sync: false, minLength: 16_384, maxWrite: 65_536 });
  // The reader of the log may end first; the service continues.
  stream.on('error', () => undefined);
  process.on('exit', () => stream.flushSync());
  // The stream's own `periodicFlush` writes even where there is nothing, which keeps an idle process awake.
  let timer: NodeJS.Timeout | null = null;
  let left = 0;
  const flushSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      left--;
      stream.flush();
    }, FLUSH_MS).unref();
  };
  // After each write, the one that a flush began too.
  stream.on('drain', () => {
    if (left > 0) flushSoon();
  });
  return {
    write: (line) => {
      stream.write(line);
      left = LAST_FLUSHES;
      flushSoon();
    },
  };
};

/**
 * Structured logs, one JSON object a line, on standard output. Secrets and personal data are kept out twice: fields
 * by name, and anything in an error's text that looks like a token or an address.
 */
export const createLogger = (level: LogLevel, stream: DestinationStream = standardOutput()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: timestamps(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeFailure(error) },
      redact: {
        paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]),
        censor: '[redacted]',
      },
    },
    stream,
  );

/**
 * The same log, for lines whose fields are all the service's own: looking for secrets takes several times as long as
 * writing a line, and a line is written for each request.
 */
export const withoutSecrets = (logger: Logger): Logger => logger.child({}, { redact: [] });

/** The framework's messages in our log: those about modules and routes at debug level. */
export class FrameworkLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(scrub(String(message)));
  }

  debug(message: unknown): void {
    this.logger.debug(scrub(String(message)));
  }

  verbose(message: unknown): void {
    this.logger.trace(scrub(String(message)));
  }

  warn(message: unknown): void {
    this.logger.warn(scrub(String(message)));
  }

  error(message: unknown): void {
    if (message instanceof Error) this.logger.error({ err: message }, 'The framework reports a fault.');
    else this.logger.error(scrub(String(message)));
  }

  fatal(message: unknown): void {
    this.error(message);
  }
}
