import { randomUUID } from 'node:crypto';
import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

const REQUEST_ID = 'x-request-id';
const ECHOED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** What a request is known by. */
export interface RequestIds {
  /** What its answer carries: the caller's `X-Request-Id` if it can be echoed, else `correlationId`. */
  readonly requestId: string;
  /** Our own, which events keep: a caller may have written anything into its own, such as a name. */
  readonly correlationId: string;
}

/** Reads `X-Request-Id`. */
export const readRequestIds = (header: string | readonly string[] | undefined): RequestIds => {
  const correlationId = randomUUID();
  const echoed = typeof header === 'string' && ECHOED_ID.test(header);
  return { requestId: echoed ? header : correlationId, correlationId };
};

/** A request as the edge receives it. */
export class EdgeRequest extends IncomingMessage {
  private readIds: RequestIds | undefined;

  get ids(): RequestIds {
    return (this.readIds ??= readRequestIds(this.headers[REQUEST_ID]));
  }
}

/**
 * Requests of which only those leave HTTP for which `leaves` holds. Node takes a request out of HTTP if its `upgrade`
 * holds once its headers are read, whatever protocol it asks for: clients that offer HTTP/2 on the side
 * would never be answered. Decided once, since Node asks again with every part of a body.
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
 * Whether a request names one host, as RFC 9112 has it; before HTTP/1.1 it may name none. Of several Node keeps the
 * first, and a proxy in front may have read another one.
 */
export const namesItsHost = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
};

/** The same for code that knows only Node's own kind of request. */
export const requestIdsOf = (request: IncomingMessage): RequestIds =>
  request instanceof EdgeRequest ? request.ids : readRequestIds(undefined);

/** Whether the client has gone in the middle of its request: no fault, and there is no connection to answer on. */
export const hasLeft = (request: IncomingMessage): boolean =>
  !request.complete && (request.destroyed || request.socket.destroyed || request.errored !== null);

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
/** Names in lower case. */
type EdgeHeaders = Readonly<Record<string, string>>;

/** Answers are data for the caller alone: nothing may run, frame, guess at or keep them. */
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
  /** Callers come over https: browsers are told to stay there. */
  readonly secure: boolean;
}

/** Headers for browsers on every answer of the server; names in lower case. */
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

  /** The headers of a request's answer; they answer a preflight completely. */
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

/**
 * An answer. What all answers carry is added as the head is written, in one go with the rest:
 * node:http takes several times as long over headers that are set one by one.
 */
export class EdgeResponse extends ServerResponse<EdgeRequest> {
  /** Headers beside the request's id; an answer's own header of the same name goes before. */
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
   * The answers of reads are sent at the end of a turn of the event loop, one right after the other. Sent one by one,
   * each wakes the process that reads it, which takes as long as all else that a read needs. A command's answer does
   * not wait: views are folded in the same turn.
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
    // The answer's own headers were set one by one, or come as a list of names and values: so do the edge's.
    const own = new Set(namesOf(given));
    for (const [name, value] of Object.entries({ ...this.edgeHeaders, [REQUEST_ID]: id })) {
      if (!own.has(name) && !this.hasHeader(name)) this.setHeader(name, value);
    }
    return given;
  }
}

/**
 * The headers of an answer and those of the edge that it does not name itself, however it writes a name: of two policies
 * a browser would obey both. A list of names and values, which costs node:http less than an object of as many.
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
