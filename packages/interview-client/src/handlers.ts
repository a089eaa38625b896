import type { AudioFrame } from './protocol/audio-frame.js';
import type { ServerMessage, ServerMessageOf } from './protocol/messages.js';

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

export type ClientState =
  | { readonly name: 'connecting' | 'ready' | 'reconnecting' }
  /** For good. The sentence is for people. */
  | { readonly name: 'ended'; readonly by: EndedBy; readonly sentence: string };

/** What did not go well and ends nothing. */
export interface Problem {
  /**
   * The service's own (`ERROR_CODES`), or `audio_full`: more audio waits than may, the newest was not taken; or
   * `audio_lost`: the service no longer has audio that it had acknowledged.
   */
  readonly code: string;
  readonly sentence: string;
}

/** Of a message that records something. It comes once, whatever the connection does meanwhile. */
export type Receipt =
  | { readonly acknowledged: true }
  /** Refused; or, `ended`, the client ended before an answer came: it may have been recorded or not. */
  | { readonly acknowledged: false; readonly ended: boolean; readonly sentence: string };

/** Of the moment: shown or not, never waited for. */
export type Moment = Extract<
  ServerMessage,
  {
    type:
      | 'interviewer.started'
      | 'interviewer.done'
      | 'speech.started'
      | 'speech.stopped'
      | 'transcript.partial'
      | 'flow'
      | 'go_away';
  }
>;

/**
 * What the application hears, by name. `question`, `transcript`, `interrupted` and `completed` are facts: each comes
 * exactly once and in order, whatever the connection does.
 */
export interface InterviewHandlers {
  readonly state?: (state: ClientState) => void;
  /** At every connection: who transcribes and who speaks, and the limits. */
  readonly session?: (session: ServerMessageOf<'session.ready'>) => void;
  readonly question?: (question: ServerMessageOf<'question'>) => void;
  readonly transcript?: (transcript: ServerMessageOf<'transcript.final'>) => void;
  readonly interrupted?: (interrupted: ServerMessageOf<'interrupted'>) => void;
  readonly completed?: (completed: ServerMessageOf<'session.completed'>) => void;
  /** The interviewer's speech, to be played in this order. It is never repeated. */
  readonly speech?: (frame: AudioFrame) => void;
  readonly moment?: (moment: Moment) => void;
  readonly problem?: (problem: Problem) => void;
}
