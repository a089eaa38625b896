import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ApiError, errorBody, validationFailed } from './api-error.js';
import {
  BrowserHeaders,
  type BrowserHeaderOptions,
  EdgeRequest,
  EdgeResponse,
  leavingRequests,
  namesItsHost,
  readRequestIds,
} from './edge-messages.js';
import { Sending } from './sending.js';
import { starting, tooLarge } from './to-api-error.js';
import {
  answerUnderWay,
  asksForWebSocket,
  endGently,
  rememberRefusal,
  type UpgradeMount,
} from './upgrade.js';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
/** A client that takes nothing of its answer for this long is disconnected. */
const STALLED_MS = 30_000;
const CHECK_CONNECTIONS_MS = 1_000;
/** Limit of a request's line and headers together, and so of an ID token, which may name many groups. */
export const MAX_HEADER_BYTES = 16 * 1024;
const LIVE_PATH = '/health/live';

/**
 * The HTTP server in front of everything. It listens before anything else is opened, so that a second service on the
 * port ends at once; until `open` it answers 503. Headers that every answer has are added by its own kind of response,
 * so that the framework's own answers have them too. Order: `listen`, `mountUpgrades`, `open`, and `drain` at the end.
 */
export class EdgeServer {
  /** Its requests are `EdgeRequest`s, its responses `EdgeResponse`s. */
  readonly http: Server;
  private readonly headers: BrowserHeaders;
  private upgrades: UpgradeMount | null = null;
  private application: RequestListener | null = null;
  private draining = false;
  private readonly sockets = new Set<Socket>();

  constructor(
    options: BrowserHeaderOptions,
    /** What waits to be sent, in all of the process. */
    readonly sending = new Sending(),
    stalledMs = STALLED_MS,
  ) {
    this.headers = new BrowserHeaders(options);
    const http = createServer<typeof EdgeRequest, typeof EdgeResponse>({
      IncomingMessage: leavingRequests((request) => this.leavesHttp(request)),
      ServerResponse: EdgeResponse,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Refused below, in our own words.
      requireHostHeader: false,
    });
    this.http = http as Server;
    const dispatch = (request: EdgeRequest, response: EdgeResponse) => this.dispatch(request, response);
    http.on('request', dispatch);
    http.on('checkExpectation', dispatch);
    http.on('upgrade', (request: EdgeRequest, socket: Socket, head: Buffer) =>
      this.handOver(request, socket, head),
    );
    // Without a listener Node closes the connection unanswered; no path here has this method.
    http.on('connect', (request: EdgeRequest, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      this.answerAndEnd(request, socket);
    });
    http.on('clientError', refuseConnection);
    // Nothing has moved for so long, in the middle of a write either.
    http.setTimeout(stalledMs);
    http.on('timeout', (socket: Socket) => {
      if (answerUnderWay(socket) === null || socket.writableLength > 0) socket.destroy();
    });
    http.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Whether `drain` was called. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** Names the one place where connections leave HTTP. Until `open`, and anywhere else, they stay. */
  mountUpgrades(mount: UpgradeMount): void {
    this.upgrades = mount;
  }

  /** @throws an error of the system, such as `EADDRINUSE` */
  listen(host: string, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.http.once('error', reject);
      this.http.listen({ host, port }, () => {
        this.http.off('error', reject);
        resolve(this.http.address() as AddressInfo);
      });
    });
  }

  /** From now on requests reach the application. */
  open(application: RequestListener): void {
    this.application = application;
  }

  /**
   * Accepts no more connections, lets requests in flight finish, and ends those that have not after `graceMs`.
   * Requests that arrive meanwhile on open connections are served, and their connection closed. Connections that have
   * left HTTP are closed by the code that took them over; those still open after `graceMs` are cut.
   */
  async drain(graceMs: number): Promise<void> {
    this.draining = true;
    if (!this.http.listening) return;
    const closed = new Promise((resolve) => this.http.close(resolve));
    const idle = setInterval(() => this.closeIdle(), 50);
    const last = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, graceMs);
    this.closeIdle();
    await closed;
    clearInterval(idle);
    clearTimeout(last);
  }

  private closeIdle(): void {
    this.http.closeIdleConnections();
    // Node takes a connection on which nothing has come yet, as browsers open in advance, for a busy one.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Whether the request becomes a WebSocket: all others stay requests, whatever they ask to upgrade to. */
  private leavesHttp(request: EdgeRequest): boolean {
    const takes = this.application !== null && this.upgrades?.takes(request.url ?? '/') === true;
    return takes && asksForWebSocket(request);
  }

  /** Hands a connection to the code that mounted the upgrades. */
  private handOver(request: EdgeRequest, socket: Socket, head: Buffer): void {
    // A connection may break before it is taken over; Node itself listens no more.
    socket.on('error', () => socket.destroy());
    const refuse = (error: ApiError): EdgeResponse => {
      rememberRefusal(request, error);
      return this.answerAndEnd(request, socket);
    };
    this.upgrades?.handler({ request, socket, head, refuse });
  }

  /** Answers a request whose connection Node has detached, and closes it. */
  private answerAndEnd(request: EdgeRequest, socket: Socket): EdgeResponse {
    const response = new EdgeResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => {
      response.detachSocket(socket);
      endGently(socket);
    });
    this.dispatch(request, response);
    return response;
  }

  /** Answers what needs no application, and hands all else to it. */
  private dispatch(request: EdgeRequest, response: EdgeResponse): void {
    const headers = this.headers.headersFor(request);
    response.edgeHeaders = this.draining ? { ...headers, connection: 'close' } : headers;
    if (this.headers.isPreflight(request)) {
      response.writeHead(204).end();
      return;
    }
    if (!namesItsHost(request)) {
      sendRaw(request, response, wrongHost());
      return;
    }
    if (this.application) this.application(request, response);
    // Live while it waits for its stores, however long: a restart would not help.
    else if (request.url === LIVE_PATH) sendJson(request, response, 200, { status: 'live' });
    else sendRaw(request, response, starting());
  }
}

/** Answers a request that never reached the application. */
const sendRaw = (request: EdgeRequest, response: EdgeResponse, error: ApiError): void =>
  sendJson(request, response, error.status, errorBody(error, request.ids.requestId), error.headers);

const sendJson = (
  request: EdgeRequest,
  response: EdgeResponse,
  status: number,
  content: object,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const body = JSON.stringify(content);
  response
    .writeHead(status, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    .end(body);
  request.resume();
};

const CONNECTION_FAULTS: Readonly<Record<string, () => ApiError>> = {
  HPE_HEADER_OVERFLOW: () =>
    new ApiError(
      'too_large',
      `The request line and headers are larger than ${MAX_HEADER_BYTES / 1024} KiB. If the ID token is too long, leave claims such as groups out of it.`,
    ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: tooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    validationFailed([{ path: '', rule: 'timeout', message: 'The request was not sent in time.' }]),
};

const notHttp = (): ApiError =>
  validationFailed([{ path: '', rule: 'http', message: 'This is not a valid HTTP request.' }]);

const wrongHost = (): ApiError =>
  validationFailed([{ path: 'Host', rule: 'single', message: 'A request must have one Host header.' }]);

/** What could not even be read as a request: answered on the bare connection, which then ends. */
const refuseConnection = (fault: Error & { readonly code?: string }, socket: Socket): void => {
  const answering = answerUnderWay(socket)?.headersSent === true;
  if (fault.code === 'ECONNRESET' || !socket.writable || answering) {
    socket.destroy();
    return;
  }
  const error = (CONNECTION_FAULTS[fault.code ?? ''] ?? notHttp)();
  const { requestId } = readRequestIds(undefined);
  const body = JSON.stringify(errorBody(error, requestId));
  socket.end(
    [
      `HTTP/1.1 ${error.status} Refused`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};
