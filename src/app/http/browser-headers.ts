import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers are data for the caller alone: nothing may run, frame, guess at or keep them. */
const ALWAYS: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

const EXPOSED =
  'ETag, Location, Consistency-Token, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Consistency-Token, Idempotency-Key, If-Match, If-None-Match, X-Request-Id';
const PREFLIGHT_SECONDS = '600';

export interface BrowserHeaderOptions {
  readonly allowedOrigins: readonly string[];
  /** Callers come over https: browsers are told to stay there. */
  readonly secure: boolean;
}

/** Writes what browsers need to know to every answer of the server, whoever makes it. */
export class BrowserHeaders {
  private readonly origins: ReadonlySet<string>;
  private readonly always: readonly (readonly [string, string])[];

  constructor(options: BrowserHeaderOptions) {
    this.origins = new Set(options.allowedOrigins);
    this.always = [
      ...ALWAYS,
      ...(options.secure ? ([['Strict-Transport-Security', 'max-age=31536000']] as const) : []),
      ...(this.origins.size > 0 ? ([['Vary', 'Origin']] as const) : []),
    ];
  }

  /** @returns true where the request was a preflight, which is answered then */
  write(request: IncomingMessage, response: ServerResponse): boolean {
    for (const [name, value] of this.always) response.setHeader(name, value);
    const { origin } = request.headers;
    if (origin === undefined || !this.origins.has(origin)) return false;
    response.setHeader('Access-Control-Allow-Origin', origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      response.setHeader('Access-Control-Expose-Headers', EXPOSED);
      return false;
    }
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.statusCode = 204;
    response.end();
    return true;
  }
}
