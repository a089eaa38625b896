import { randomUUID } from 'node:crypto';
import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

const REQUEST_ID = 'x-request-id';
const ECHOED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The ids of a request. */
export interface RequestIds {
  /** The id in the answer: the caller's `X-Request-Id` if it is well formed, else `correlationId`. */
  readonly requestId: string;
  /** Our own id, which is stored in events: the caller's could contain anything, such as a name. */
  readonly correlationId: string;
}

/** Reads `X-Request-Id`. */
export const readRequestIds = (header: string | readonly string[] | undefined): RequestIds => {
  const correlationId = randomUUID();
  const echoed = typeof header === 'string' && ECHOED_ID.test(header);
  return { requestId: echoed ? header : correlationId, correlationId };
};

/** A request that the edge server receives. */
export class EdgeRequest extends IncomingMessage {
  private readIds: RequestIds | undefined;

  get ids(): RequestIds {
    return (this.readIds ??= readRequestIds(this.headers[REQUEST_ID]));
  }
}

/**
 * A class of requests of which only those with `leaves` leave HTTP. Node detaches the connection of every request whose
 * `upgrade` is true after its headers, for any protocol, so clients that offer HTTP/2 would get no answer. `leaves` is
 * called once, since Node reads `upgrade` again with every part of a body.
 */
export const leavingRequests = (leaves: (request: EdgeRequest) => boolean): typeof EdgeRequest =>
  class extends EdgeRequest {
    private asked = false;
    private decided: boolean | null = null;

    get upgrade(): boolean {
      if (this.method === 'CONNECT') return this.asked;
      this.decided ??= this.asked && leaves(this);
      return this.decided;
    }

    set upgrade(asked: boolean | null) {
      this.asked = asked === true;
    }
  };

/**
 * Whether a request has one `Host` header, as RFC 9112 requires; before HTTP/1.1 it may have none. If there are
 * several, Node uses the first, and a proxy in front may have used another.
 */
export const namesItsHost = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
};

/** The ids of a request that is typed as Node's own class. */
export const requestIdsOf = (request: IncomingMessage): RequestIds =>
  request instanceof EdgeRequest ? request.ids : readRequestIds(undefined);

/** Whether the client has disconnected before the end of its request. That is no fault, and it cannot be answered. */
export const hasLeft = (request: IncomingMessage): boolean =>
  !request.complete && (request.destroyed || request.socket.destroyed || request.errored !== null);

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
/** Headers; names in lower case. */
type EdgeHeaders = Readonly<Record<string, string>>;

/** Headers of all answers. They forbid to cache, frame, sniff or execute an answer, which is data for the caller. */
const ALWAYS: EdgeHeaders = {
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
  'Authorization, Content-Type, Consistency-Token, Idempotency-Key, If-Match, If-None-Match, Search-Text, X-Request-Id, Range, If-Range';
const PREFLIGHT_SECONDS = '600';

export interface BrowserHeaderOptions {
  readonly allowedOrigins: readonly string[];
  /** The service is reached over https: answers have `Strict-Transport-Security`. */
  readonly secure: boolean;
}

/** The headers for browsers that all answers of the server have. */
export class BrowserHeaders {
  private readonly origins: ReadonlySet<string>;
  private readonly always: EdgeHeaders;

  constructor(options: BrowserHeaderOptions) {
    this.origins = new Set(options.allowedOrigins);
    this.always = {
      ...ALWAYS,
      ...(options.secure && { 'strict-transport-security': 'max-age=31536000' }),
      ...(this.origins.size > 0 && { vary: 'Origin' }),
    };
  }

  /** The headers of a request's answer. A preflight needs no others. */
  headersFor(request: IncomingMessage): EdgeHeaders {
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

  /** Whether the request is a CORS preflight of an allowed origin. */
  isPreflight({ method, headers }: IncomingMessage): boolean {
    return (
      method === 'OPTIONS' &&
      headers['access-control-request-method'] !== undefined &&
      headers.origin !== undefined &&
      this.origins.has(headers.origin)
    );
  }
}

/**
 * An answer of the edge server. The headers of all answers are added when the head is written, in one call with the
 * others: node:http is several times slower if headers are set one by one.
 */
export class EdgeResponse extends ServerResponse<EdgeRequest> {
  /** Headers beside the request's id. The answer's own header of the same name replaces one of these. */
  edgeHeaders: EdgeHeaders = {};

  override writeHead(status: number, message?: string, headers?: Headers): this;
  override writeHead(status: number, headers?: Headers): this;
  override writeHead(status: number, first?: string | Headers, second?: Headers): this {
    const message = typeof first === 'string' ? first : undefined;
    const headers = this.withEdgeHeaders(typeof first === 'string' ? second : first);
    return message === undefined
      ? super.writeHead(status, headers)
      : super.writeHead(status, message, headers);
  }

  /**
   * Answers of reads are sent together at the end of a turn of the event loop. If each were sent at once, each would
   * wake the receiving process, which takes as long as the rest of a read. A command's answer is sent at once: views
   * are folded in the same turn.
   */
  override end(callback?: () => void): this;
  override end(chunk: unknown, callback?: () => void): this;
  override end(chunk: unknown, encoding: BufferEncoding, callback?: () => void): this;
  override end(...given: unknown[]): this {
    const rest = given as [unknown, BufferEncoding, () => void];
    if (this.req.method !== 'GET') return super.end(...rest);
    setImmediate(() => super.end(...rest));
    return this;
  }

  private withEdgeHeaders(given: Headers | undefined): Headers | undefined {
    const id = this.req.ids.requestId;
    if (!Array.isArray(given) && this.getHeaderNames().length === 0)
      return listed(given, this.edgeHeaders, id);
    // The answer's headers were set one by one, or are given as a list: the edge's are set one by one as well.
    const own = new Set(namesOf(given));
    for (const [name, value] of Object.entries({ ...this.edgeHeaders, [REQUEST_ID]: id })) {
      if (!own.has(name) && !this.hasHeader(name)) this.setHeader(name, value);
    }
    return given;
  }
}

/**
 * The answer's headers, and the edge's headers that the answer does not have itself. Names are compared without case,
 * since a browser would enforce both of two policies. The result is a list of names and values, which is faster for
 * node:http than an object.
 */
const listed = (given: OutgoingHttpHeaders = {}, edge: EdgeHeaders, requestId: string) => {
  const list: OutgoingHttpHeader[] = [];
  const own: string[] = [];
  for (const name in given) {
    const value = given[name];
    if (value === undefined) continue;
    own.push(name.toLowerCase());
    list.push(name, value);
  }
  for (const name in edge) if (!own.includes(name)) list.push(name, edge[name] ?? '');
  if (!own.includes(REQUEST_ID)) list.push(REQUEST_ID, requestId);
  return list;
};

const namesOf = (headers: Headers = {}): string[] => {
  const names = Array.isArray(headers) ? headers.filter((_, at) => at % 2 === 0) : Object.keys(headers);
  return names.map((name) => String(name).toLowerCase());
};
