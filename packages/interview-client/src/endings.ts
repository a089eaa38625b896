import { CLOSE } from './protocol/messages.js';

/** Why a client has ended for good. */
export type EndedBy =
  /** The interview is over. */
  | 'completed'
  /** The session ended otherwise, or `url` said so. */
  | 'session_over'
  /** A newer connection of the same session has taken its place. */
  | 'superseded'
  /** The service takes this client's messages for a fault. */
  | 'refused'
  /** No connection for too long, whatever the reason: a browser cannot read an HTTP refusal. */
  | 'unreachable'
  /** `close()` was called. */
  | 'closed';

/** What a closing code asks of a client: nothing more, or another connection. */
export const endOf = (code: number): { readonly by: EndedBy; readonly sentence: string } | null => {
  switch (code) {
    case CLOSE.ended:
      return { by: 'session_over', sentence: 'The service has closed the interview.' };
    case CLOSE.sessionOver:
      return { by: 'session_over', sentence: 'The trial session has ended.' };
    case CLOSE.superseded:
      return { by: 'superseded', sentence: 'The interview goes on on another connection.' };
    case CLOSE.badMessage:
    case CLOSE.tooBig:
      return { by: 'refused', sentence: 'The service could not read what this client sent.' };
    case CLOSE.tooMuchAudio:
    case CLOSE.tooManyMessages:
      return { by: 'refused', sentence: 'The service stopped this client, which sent more than it may.' };
    case FORBIDDEN:
    case NOT_FOUND:
      return { by: 'refused', sentence: 'The service refuses this client.' };
    default:
      return null;
  }
};

/** As HTTP's statuses, from whatever stands before the service. */
const FORBIDDEN = 4403;
const NOT_FOUND = 4404;

export interface BackOff {
  /** Before the second try, in milliseconds, give or take a half; the first is made at once. */
  readonly firstMs: number;
  readonly mostMs: number;
}

/** @param failures tries in a row that came to nothing @param random from 0 to 1 */
export const pauseBefore = ({ firstMs, mostMs }: BackOff, failures: number, random: number): number =>
  failures === 0 ? 0 : Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (0.5 + random);
