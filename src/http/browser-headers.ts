import type { IncomingMessage } from 'node:http';

type Headers = Readonly<Record<string, string>>;

/** Answers are data for the caller alone: nothing may run, frame, guess at or keep them. */
const ALWAYS: Headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
};

const EXPOSED =
  'ETag, Location, Consistency-Token, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, Accept-Ranges, Content-Range';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Consistency-Token, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, Range, If-Range';
const PREFLIGHT_SECONDS = '600';

export interface BrowserHeaderOptions {
  readonly allowedOrigins: readonly string[];
  /** Callers come over https: browsers are told to stay there. */
  readonly secure: boolean;
}

/** Headers for browsers on every answer of the server; names in lower case. */
export class BrowserHeaders {
  private readonly origins: ReadonlySet<string>;
  private readonly always: Headers;

  constructor(options: BrowserHeaderOptions) {
    this.origins = new Set(options.allowedOrigins);
    this.always = {
      ...ALWAYS,
      ...(options.secure && { 'strict-transport-security': 'max-age=31536000' }),
      ...(this.origins.size > 0 && { vary: 'Origin' }),
    };
  }

  /** The headers of a request's answer; they answer a preflight completely. */
  of(request: IncomingMessage): Headers {
    const { origin } = request.headers;
    if (origin === undefined || !this.origins.has(origin)) return this.always;
    const allowed = { ...this.always, 'access-control-allow-origin': origin };
    if (!this.isPreflight(request)) return { ...allowed, 'access-control-expose-headers': EXPOSED };
    return {
      ...allowed,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS,
    };
  }

  /** Whether a browser of an allowed origin asks beforehand what it may send. */
  isPreflight({ method, headers }: IncomingMessage): boolean {
    return (
      method === 'OPTIONS' &&
      headers['access-control-request-method'] !== undefined &&
      headers.origin !== undefined &&
      this.origins.has(headers.origin)
    );
  }
}
