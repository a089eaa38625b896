import type { LoggerService } from '@nestjs/common';
import { write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino, symbols } from 'pino';
import { hasCode } from '../core/errors.js';
import type { LogLevel } from './variables.js';

const HIDDEN = '[redacted]';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // A user and a password in a URL, which may hold signs that no e-mail address has. Not our example.
  [/(:\/\/)(?!user:password@host)[^\s/?#"]*@/g, `$1${HIDDEN}@`],
  // Tokens of three base64url parts.
  [/(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, HIDDEN],
  [/(\btoken=)[^&\s"'#]+/gi, `$1${HIDDEN}`],
  // The token in a shared report's path, also with the slashes escaped, as a proxy may write it.
  [/((?:\b|%2f)shared(?:\/|%2f)+reports(?:\/|%2f)+)[^/?\s"'#]+/gi, `$1${HIDDEN}`],
  // A member's subject or address in a path, but not a member's id, which reveals nothing.
  [
    /((?:\b|%2f)members(?:\/|%2f)+)(?![:{]|[0-9a-f]{8}-[0-9a-f-]{27}(?![^/?\s"'#]))[^/?\s"'#]+/gi,
    `$1${HIDDEN}`,
  ],
  // 256 bits as base64url, such as a share link's token.
  [/(?<![A-Za-z0-9_-])(?=[A-Z0-9_-]*[a-z])(?=[a-z0-9_-]*[A-Z])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g, HIDDEN],
  [/(\bbearer\s+)\S+/gi, `$1${HIDDEN}`],
];
/** An e-mail address. */
const ADDRESS = /[^\s@"'<>()[\]{},;:=/]{1,64}(?:@|%40)[^\s@"'<>()[\]{},;:=/?#]{1,255}/gi;
/** Examples in messages about settings, which are not hidden. */
const EXAMPLES: readonly string[] = ['password@host', 'jobs@example.org'];

/** Hides everything in a text that looks like a credential or an e-mail address. */
export const scrub = (text: string): string =>
  PATTERNS.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text).replace(
    ADDRESS,
    (found) => (EXAMPLES.includes(found) ? found : HIDDEN),
  );

export type { Logger } from 'pino';

/** Names of fields whose values are never written, up to two levels deep. */
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

/** Makes times in pino's form, RFC 3339. The text is made once for all lines of a millisecond. */
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

/** How many characters of lines may wait for the log's reader. Further lines are lost. */
const MAX_WAITING = 16 * 1_024 * 1_024;
const RETRY_MS = 100;
/** Longest wait for the log's reader at exit, in milliseconds. */
const LAST_MS = 1_000;
const NOTHING = Buffer.alloc(0);

const linesIn = (text: string | Buffer): number => text.toString().split('\n').length - 1;

/**
 * Writes lines to a file or pipe, without a wait for its reader. Whatever happens there, the process continues: lines
 * that cannot be written, or wait beyond the limit, are lost, and a line says how many.
 */
export class LineOutput {
  #waiting = '';
  /** Taken from `#waiting`, and not yet written. */
  #bytes: Buffer = NOTHING;
  #isWriting = false;
  #retry: NodeJS.Timeout | null = null;
  #lost = 0;
  /** How many of `#lost` the line in `#bytes` names; 0: there is no such line. */
  #named = 0;
  #isEnded = false;

  /** @param fd its writes must not block: see `standardOutput` */
  constructor(
    private readonly fd: number,
    private readonly max = MAX_WAITING,
  ) {}

  write(lines: string): void {
    if (this.#waiting.length + lines.length > this.max) this.#lost += linesIn(lines);
    else this.#waiting += lines;
    if (!this.#isWriting && this.#retry === null) this.#next();
  }

  /**
   * Writes what waits, for a second at most. Call it at exit: nothing is written afterwards, since the number of the
   * file may then be another file's.
   */
  flush(): void {
    this.#isEnded = true;
    if (this.#isWriting) this.#bytes = NOTHING;
    const until = performance.now() + LAST_MS;
    for (let bytes = this.#take(); bytes.byteLength > 0;) {
      try {
        bytes = bytes.subarray(writeSync(this.fd, bytes));
      } catch (error) {
        if (!hasCode(error, 'EAGAIN') || performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS / 10);
      }
    }
  }

  #take(): Buffer {
    if (this.#bytes.byteLength === 0) {
      this.#named = this.#lost;
      this.#bytes = Buffer.from((this.#lost === 0 ? '' : lossLine(this.#lost)) + this.#waiting);
      this.#waiting = '';
    }
    return this.#bytes;
  }

  #next(): void {
    if (this.#isEnded) return;
    const bytes = this.#take();
    if (bytes.byteLength === 0) return;
    this.#isWriting = true;
    write(this.fd, bytes, (error, written) => {
      this.#isWriting = false;
      if (hasCode(error, 'EAGAIN')) {
        this.#retry = setTimeout(() => {
          this.#retry = null;
          this.#next();
        }, RETRY_MS).unref();
        return;
      }
      this.#lost += error ? linesIn(bytes) - Math.min(this.#named, 1) : -this.#named;
      this.#named = 0;
      this.#bytes = error ? NOTHING : bytes.subarray(written);
      // After an error the next line is the next try.
      if (!error) this.#next();
    });
  }
}

const lossLine = (lost: number): string => {
  const msg = 'Lines of the log could not be written, and are lost.';
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lost, msg })}\n`;
};

const FLUSH_MS = 250;
/** How many characters of lines are gathered before they are written. */
const GATHERED = 16_384;

/** Gathers lines for a moment, so that no request waits for the log's reader. The last ones are written at exit. */
const standardOutput = (): DestinationStream => {
  // Node makes a pipe or terminal non-blocking when it makes its stream. A blocking write would hold up the exit.
  const output = new LineOutput(process.stdout.fd);
  let lines = '';
  let timer: NodeJS.Timeout | null = null;
  const handOver = (): void => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.on('exit', () => {
    handOver();
    output.flush();
  });
  return {
    write: (line) => {
      lines += line;
      if (lines.length >= GATHERED) handOver();
      timer ??= setTimeout(() => {
        timer = null;
        handOver();
      }, FLUSH_MS).unref();
    },
  };
};

/**
 * Structured logs, one JSON object a line, on standard output. Secrets and personal data are hidden in two ways: fields
 * by their name, and everything in an error's text that looks like a token or an address.
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

/** An answered request. It contains no secret. */
export interface AnsweredRequest {
  /** Consists of `[A-Za-z0-9._-]`. */
  readonly requestId: string;
  readonly correlationId: string;
  readonly method: string;
  /** The pattern, never a path. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/** The parts of pino from which its lines are made. */
type Lines = Readonly<Record<symbol, unknown>>;

/**
 * Writes a line for each answered request, in pino's form. pino itself looks for secrets and serialisers in each field,
 * which takes as long as all guards of a request.
 */
export const answeredLines = (logger: Logger): ((request: AnsweredRequest) => void) => {
  const lines = logger as unknown as Lines;
  const stream = lines[symbols.streamSym] as DestinationStream;
  const time = lines[symbols.timeSym] as () => string;
  return ({ requestId, correlationId, method, route, status, durationMs }) => {
    if (!logger.isLevelEnabled('info')) return;
    stream.write(
      `{"level":"info"${time()},"requestId":"${requestId}","correlationId":"${correlationId}",` +
        `"method":"${method}","route":"${route}","status":${status},"durationMs":${durationMs},"msg":"answered"}\n`,
    );
  };
};

/** Writes the framework's messages into our log, those about modules and routes at debug level. */
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
