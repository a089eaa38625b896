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
