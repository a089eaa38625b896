import type { LoggerService } from '@nestjs/common';
import { destination, type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.js';
import { scrub } from './scrub.js';

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

/** RFC 3339 as pino wants it; written once for all lines of a millisecond. */
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

/** Lines are gathered for a moment, so that no request waits for whoever reads them; the last ones go out at exit. */
const standardOutput = (): DestinationStream => {
  const stream = destination({
    dest: 1,
    sync: false,
    minLength: 16_384,
    maxWrite: 65_536,
    periodicFlush: 250,
  });
  // Whoever reads the log may go away first; the service goes on without it.
  stream.on('error', () => undefined);
  process.on('exit', () => stream.flushSync());
  return stream;
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

/** What the framework has to say, in our log: its own chatter about modules and routes is for debugging. */
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
