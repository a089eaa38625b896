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
/** A client that reads nothing of its answer for this long is disconnected. */
const STALLED_MS = 30_000;
const CHECK_CONNECTIONS_MS = 1_000;
/** Limit of a request's line and headers together. It limits ID tokens too, which may contain many groups. */
export const MAX_HEADER_BYTES = 16 * 1024;
const LIVE_PATH = '/health/live';

/**
 * The HTTP server in front of the application. It listens before anything else is opened, so that a second service on
 * the port fails at once; until `open` it answers 503. `EdgeResponse` adds the headers of all answers, so that answers
 * of the framework have them too. Order of calls: `listen`, `mountUpgrades`, `open`, and `drain` at the end.
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
    /** Counts what waits to be sent in the process. */
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
      // `dispatch` refuses it, with our error body.
      requireHostHeader: false,
    });
    this.http = http as Server;
    const dispatch = (request: EdgeRequest, response: EdgeResponse) => this.dispatch(request, response);
    http.on('request', dispatch);
    http.on('checkExpectation', dispatch);
    http.on('upgrade', (request: EdgeRequest, socket: Socket, head: Buffer) =>
      this.handOver(request, socket, head),
    );
    // No path has the method CONNECT. Without a listener Node would close the connection without an answer.
    http.on('connect', (request: EdgeRequest, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      this.answerAndEnd(request, socket);
    });
    http.on('clientError', refuseConnection);
    // 'timeout': nothing was received or sent for so long. Destroy the connection, unless an answer is being made.
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

  /** Sets the one place where connections may leave HTTP, from `open` on. */
  mountUpgrades(mount: UpgradeMount): void {
    this.upgrades = mount;
  }

  /** @throws a system error, such as `EADDRINUSE` */
  listen(host: string, port: number): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.http.once('error', reject);
      this.http.listen({ host, port }, () => {
        this.http.off('error', reject);
        resolve(this.http.address() as AddressInfo);
      });
    });
  }

  /** Passes requests to the application from now on. */
  open(application: RequestListener): void {
    this.application = application;
  }

  /**
   * Accepts no more connections, and resolves once all are closed. Requests in flight, and those that arrive meanwhile
   * on open connections, are answered and their connections closed. Connections that have left HTTP must be closed by
   * the code that took them over. All that are still open after `graceMs` are cut.
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
    // Browsers open connections in advance. Node counts one that has sent nothing yet as busy.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Whether the request becomes a WebSocket. Any other is answered over HTTP, whatever upgrade it offers. */
  private leavesHttp(request: EdgeRequest): boolean {
    const takes = this.application !== null && this.upgrades?.takes(request.url ?? '/') === true;
    return takes && asksForWebSocket(request);
  }

  /** Passes a connection to the code that mounted the upgrades. */
  private handOver(request: EdgeRequest, socket: Socket, head: Buffer): void {
    // The connection may break before it is taken over, and Node has removed its own listener.
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

  /** Answers requests that need no application, and passes all others to it. */
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
    // The process is live while it waits for its stores: a restart would not help.
    else if (request.url === LIVE_PATH) sendJson(request, response, 200, { status: 'live' });
    else sendRaw(request, response, starting());
  }
}

/** Answers a request that does not reach the application. */
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

/** Answers bytes that are not a valid HTTP request, on the bare connection, and ends that. */
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
