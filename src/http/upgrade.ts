import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from './api-error.js';
import { type EdgeRequest, namesItsHost } from './edge-messages.js';

/** Where connections may leave HTTP for WebSocket. */
export interface UpgradeMount {
  /** Whether a request's target is this place. @param target as it was sent */
  readonly takes: (target: string) => boolean;
  /** Called for each request for an upgrade: takes the connection over, or refuses. */
  readonly handler: (upgrade: Upgrade) => void;
}

/** A request for an upgrade, with its connection. */
export interface Upgrade {
  readonly request: EdgeRequest;
  readonly socket: Socket;
  /** Bytes that the client has already sent after the request. */
  readonly head: Buffer;
  /** Lets the application's route at this path answer with the error, and closes the connection. */
  refuse(error: ApiError): ServerResponse;
}

const refusals = new WeakMap<IncomingMessage, ApiError>();

/**
 * Why a request's upgrade is refused, for the route at an `UpgradeMount`; `null`: it is not a request for an upgrade.
 */
export const refusalOf = (request: IncomingMessage): ApiError | null => refusals.get(request) ?? null;

/** Stores why an upgrade is refused, for `refusalOf`. */
export const rememberRefusal = (request: IncomingMessage, error: ApiError): void =>
  void refusals.set(request, error);

interface MaybeAnswering {
  readonly _httpMessage?: { readonly headersSent?: boolean } | null;
}

/** The answer on a connection that is not completely sent; `null`: there is none. */
export const answerUnderWay = (socket: Socket): { readonly headersSent?: boolean } | null =>
  (socket as MaybeAnswering)._httpMessage ?? null;

/**
 * Whether a request is for WebSocket and its connection can leave HTTP: the request has no body, and no earlier request
 * on the connection is still being answered.
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

/** How long a refused client may take to read the answer and close. */
const LINGER_MS = 1_000;

/** Ends a connection so that the client can still read what was sent, even if it continues to send. */
export const endGently = (socket: Socket): void => {
  const last = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(last));
  socket.resume();
  socket.end();
};
