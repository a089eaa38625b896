import type { IncomingHttpHeaders } from 'node:http';
import { PROTOCOL } from '../../../packages/interview-client/src/protocol/messages.js';
import { ApiError, validationFailed } from '../../api/http/api-error.js';

const KEY = /^[A-Za-z0-9+/]{22}==$/;
/** The one version there is: drafts before it name the page's origin in another header. */
const VERSION = '13';
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** What is wrong with the headers of WebSocket's handshake, in our words; `null` where nothing is. */
export const handshakeProblem = (headers: IncomingHttpHeaders): ApiError | null => {
  if (headers['sec-websocket-version'] !== VERSION) {
    const problem = wrong('Sec-WebSocket-Version', `must be ${VERSION}`);
    return new ApiError(problem.code, problem.message, {
      details: problem.details ?? [],
      headers: { 'Sec-WebSocket-Version': VERSION },
    });
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? ''))
    return wrong('Sec-WebSocket-Key', 'must be 16 random bytes in base64');
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  const readable = offered.every((name) => NAME.test(name)) && new Set(offered).size === offered.length;
  if (!readable) return wrong('Sec-WebSocket-Protocol', 'must list different names with commas between');
  // Let in without one of those that it offered, a browser's client would fail for a reason that nobody tells it.
  if (offered.length > 0 && !offered.includes(PROTOCOL))
    return wrong('Sec-WebSocket-Protocol', `must offer ${PROTOCOL} where it offers any`);
  return null;
};

const wrong = (path: string, must: string): ApiError =>
  validationFailed([{ path, rule: 'handshake', message: `${path} ${must}.` }]);

/** The socket's route as the server framework writes it. */
export const SOCKET_ROUTE = 'interrogation/:id/socket';

const TARGET = /^\/interrogation\/([^/?#]+)\/socket(?:\?([^#]*))?$/;

/** What a request's target says. */
export interface SocketAddress {
  readonly sessionId: string;
  /** `null` where there is none, or more than one. */
  readonly token: string | null;
}

/**
 * Reads a request's target; `null` where it is none of the socket's. The token is taken as it stands, since none of its
 * characters need encoding: in any other writing it would not be found and hidden where a target is printed.
 */
export const readSocketAddress = (target: string): SocketAddress | null => {
  const [, id, query = ''] = TARGET.exec(target) ?? [];
  const sessionId = id === undefined ? null : decoded(id);
  if (sessionId === null) return null;
  const tokens = query.split('&').filter((one) => one === 'token' || one.startsWith('token='));
  return { sessionId, token: tokens.length === 1 ? (tokens[0]?.slice('token='.length) ?? null) : null };
};

const decoded = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};
