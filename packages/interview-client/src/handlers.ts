import type { AudioFrame } from './protocol/audio-frame.js';
import type { ServerMessage, ServerMessageOf } from './protocol/messages.js';

/** Why a client has ended for good. */
export type EndedBy =
  /** The interview is over. */
  | 'completed'
  /** The session ended in another way, or `url` answered `null`. */
  | 'session_over'
  /** A newer connection of the same session replaced it. */
  | 'superseded'
  /** The service rejects this client's messages, or the client. */
  | 'refused'
  /** No connection for too long; the reason is unknown, since a browser cannot read an HTTP refusal. */
  | 'unreachable'
  /** `close()` was called. */
  | 'closed';

export type ClientState =
  /** `connecting` until the first connection is ready; `reconnecting` after the loss of one, until the next is. */
  | { readonly name: 'connecting' | 'ready' | 'reconnecting' }
  /** For good. The sentence is for people. */
  | { readonly name: 'ended'; readonly by: EndedBy; readonly sentence: string };

/** A failure that does not end the client. The sentence is for people. */
export interface Problem {
  /**
   * The service's code (`ERROR_CODES`); `audio_full`: too much audio waits, and the newest was rejected; or `audio_lost`:
   * the service no longer has audio that it had acknowledged.
   */
  readonly code: string;
  readonly sentence: string;
}

/** The answer to a message that records something. It comes once, across connections. */
export type Receipt =
  | { readonly acknowledged: true }
  /**
   * `code` is the service's (`ERROR_CODES`), or one of: `session_ended`, the session ended before the message was
   * recorded; `outbox_full`, too much text waits for a connection; `ended`, the client ended before an answer came.
   * `ended` is true with this last code alone: the message may have been recorded. Else it was not.
   */
  | {
      readonly acknowledged: false;
      readonly ended: boolean;
      readonly code: string;
      readonly sentence: string;
    };

/** A message for display only, which is never sent again. */
export type Moment = Exclude<
  ServerMessage,
  { seq: number } | { type: 'session.ready' | 'session.limits' | 'ack' | 'audio.ack' | 'pong' | 'error' }
>;

/**
 * The application's handlers. `question`, `transcript`, `skipped`, `interrupted` and `completed` are facts: each comes
 * exactly once and in order, across connections. Any handler may be left out, `state`, `moment` and `problem` too: what it
 * would receive is ignored. If one throws, the connection stays open, and the error is thrown outside of the client.
 */
export interface InterviewHandlers {
  /** At `start`, and at each change after it. */
  readonly state?: (state: ClientState) => void;
  /** At every connection, and when staff change the limits: which side transcribes and speaks, and the limits. */
  readonly session?: (session: ServerMessageOf<'session.ready'>) => void;
  readonly question?: (question: ServerMessageOf<'question'>) => void;
  readonly transcript?: (transcript: ServerMessageOf<'transcript.final'>) => void;
  /** The turn is closed without an answer. */
  readonly skipped?: (skipped: ServerMessageOf<'turn.skipped'>) => void;
  readonly interrupted?: (interrupted: ServerMessageOf<'interrupted'>) => void;
  readonly completed?: (completed: ServerMessageOf<'session.completed'>) => void;
  /** The interviewer's speech, to be played in this order. It is never repeated. */
  readonly speech?: (frame: AudioFrame) => void;
  readonly moment?: (moment: Moment) => void;
  readonly problem?: (problem: Problem) => void;
}
