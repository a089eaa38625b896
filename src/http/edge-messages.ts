import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { readRequestIds, type RequestIds } from './headers.js';

const REQUEST_ID = 'x-request-id';

/** A request as the edge receives it. */
export class EdgeRequest extends IncomingMessage {
  private readIds: RequestIds | undefined;

  get ids(): RequestIds {
    return (this.readIds ??= readRequestIds(this.headers[REQUEST_ID]));
  }
}

/** The same for code that knows only Node's own kind of request. */
export const requestIdsOf = (request: IncomingMessage): RequestIds =>
  request instanceof EdgeRequest ? request.ids : readRequestIds(undefined);

/** Whether the client has gone in the middle of its request: no fault, and there is nobody to answer. */
export const hasLeft = (request: IncomingMessage): boolean =>
  !request.complete && (request.destroyed || request.socket.destroyed || request.errored !== null);

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * An answer. What all answers carry is added as the head is written, in one go with the rest:
 * node:http takes several times as long over headers that are set one by one.
 */
export class EdgeResponse extends ServerResponse<EdgeRequest> {
  /** Headers beside the request's id: names in lower case; an answer's own header of the same name goes before. */
  edgeHeaders: Readonly<Record<string, string>> = {};

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
const listed = (
  given: OutgoingHttpHeaders = {},
  edge: Readonly<Record<string, string>>,
  requestId: string,
) => {
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
