import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from './api-error.js';
import { EdgeRequest } from './edge-messages.js';

/** Where connections may leave HTTP for WebSocket. */
export interface UpgradeMount {
  /** Whether a request's target, as it was sent, is this place. */
  readonly takes: (target: string) => boolean;
  /** Called for each request to leave: it takes the connection over or refuses. */
  readonly handler: (upgrade: Upgrade) => void;
}

/** A request to leave HTTP, with the connection that it came on. */
export interface Upgrade {
  readonly request: EdgeRequest;
  readonly socket: Socket;
  /** What the client has sent behind the request already. */
  readonly head: Buffer;
  /** Has the application's route of this path answer with the error, and closes the connection. */
  refuse(error: ApiError): ServerResponse;
}

const refusals = new WeakMap<IncomingMessage, ApiError>();

/** For the route at an `UpgradeMount`: why the upgrade is refused; `null` where the request did not ask for one. */
export const refusalOf = (request: IncomingMessage): ApiError | null => refusals.get(request) ?? null;

/** Remembers it for the route. */
export const rememberRefusal = (request: IncomingMessage, error: ApiError): void =>
  void refusals.set(request, error);

interface MaybeAnswering {
  readonly _httpMessage?: { readonly headersSent?: boolean } | null;
}

/** The answer that a connection is still waited on for, if there is one. */
export const answerUnderWay = (socket: Socket): { readonly headersSent?: boolean } | null =>
  (socket as MaybeAnswering)._httpMessage ?? null;

/**
 * Whether a request asks for WebSocket in a way in which HTTP can be left: with nothing of HTTP before it or in it
 * that is still to be answered or read.
 */
export const asksForWebSocket = (request: IncomingMessage): boolean => {
  const { method, headers, httpVersion, socket } = request;
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    namesItsHost(request) &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    (headers['content-length'] ?? '0') === '0' &&
    headers['transfer-encoding'] === undefined &&
    answerUnderWay(socket) === null
  );
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

/**
 * Requests of which only those leave HTTP for which `leaves` holds. Node takes a request out of HTTP where this
 * property holds once its headers are read, whatever protocol it asks for: clients that offer HTTP/2 on the side
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

/** So long a refused client has to read its answer and go. */
const LINGER_MS = 1_000;

/** Ends a connection so that the client can still read what was sent, whatever it goes on sending itself. */
export const endGently = (socket: Socket): void => {
  const last = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(last));
  socket.resume();
  socket.end();
};
