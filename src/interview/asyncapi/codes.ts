import { type ErrorCode as HttpErrorCode, statusOf } from '../../api/http/api-error.js';
import { CLOSE, type ErrorCode } from '../../../packages/interview-client/src/protocol/messages.js';

/** What a closing code means, and what the client does then. */
export interface Closing {
  readonly code: number;
  readonly meaning: string;
  /** `resume`: connect again and resume; `fresh token`: likewise, with a new one; `stop`: it would be refused again. */
  readonly then: 'resume' | 'fresh token' | 'stop';
}

/** By the names in `CLOSE`: a code without a meaning does not compile. */
const MEANINGS: Readonly<Record<keyof typeof CLOSE, Omit<Closing, 'code'>>> = {
  ended: { meaning: 'The interview is over; `session.completed` came before.', then: 'stop' },
  restart: { meaning: 'The process stops; another one, or the next, goes on.', then: 'resume' },
  tooBig: { meaning: 'A frame was larger than `maxFrameBytes`.', then: 'stop' },
  badMessage: {
    meaning: 'The tenth bad message in a minute, or anything before `client.ready`.',
    then: 'stop',
  },
  tokenExpired: { meaning: 'The token has expired; `go_away` came 60 s before.', then: 'fresh token' },
  idle: { meaning: 'No `client.ready` in 10 s, or no frame or pong in 45 s.', then: 'resume' },
  superseded: { meaning: 'A newer connection has taken the interview over.', then: 'stop' },
  sessionOver: {
    meaning: 'The trial session has ended or is full, or the candidate was erased.',
    then: 'stop',
  },
  tooMuchAudio: {
    meaning: 'A turn’s audio exceeds 1.2 times the time since its question by more than 10 s.',
    then: 'stop',
  },
  tooManyMessages: {
    meaning:
      'More than 100 text frames in a second, or 10,000 frames of any kind in 10 s on all of the caller’s connections.',
    then: 'stop',
  },
  fault: { meaning: 'A fault of the service, which has recorded it.', then: 'resume' },
};

export const closings: readonly Closing[] = Object.entries(CLOSE).map(([name, code]) => ({
  code,
  ...MEANINGS[name as keyof typeof CLOSE],
}));

/** What an `error` frame's code means. */
export interface ErrorMeaning {
  readonly meaning: string;
  /** The closing code that follows; `null`: not fatal, the connection goes on. */
  readonly closes: number | null;
}

export const errorMeanings: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  bad_message: {
    meaning:
      'Not JSON, an unknown type, a missing or wrong field, a turn that was never asked, or a bad binary frame: nothing came of it. Fatal, with 4400, from the tenth in a minute on and before `client.ready`.',
    closes: null,
  },
  audio_gap: {
    meaning: 'An audio frame skips some before it and was not taken; `audio.ack` says where to go on.',
    closes: null,
  },
  unavailable: {
    meaning: 'The message could not be recorded now. Send it again, with the same `id`.',
    closes: null,
  },
  rate_limited: {
    meaning:
      'More activity came in a minute than may, by the socket and by REST together: nothing of the message was recorded. Send it again later, with the same `id`; the sentence says when.',
    closes: null,
  },
  session_full: {
    meaning:
      'The session holds as much as it may; the message was not recorded. Fatal, with 4410, where it takes no connection any more.',
    closes: null,
  },
  id_reused: {
    meaning:
      'The `id` was used for another message of this session, perhaps before the client started anew: nothing of this one was recorded. Send it under a new `id`.',
    closes: null,
  },
  validation_failed: {
    meaning: 'An event in the message is wrong: none of them was recorded.',
    closes: null,
  },
  transcription_failed: {
    meaning: 'The spoken answer could not be transcribed now. Its audio is safe; the candidate may type it.',
    closes: null,
  },
  speech_failed: { meaning: 'The question could not be spoken; its text stands.', closes: null },
  token_expired: { meaning: 'The token has expired.', closes: CLOSE.tokenExpired },
  idle: { meaning: 'Nothing has come from the client for too long.', closes: CLOSE.idle },
  superseded: { meaning: 'A newer connection has taken the interview over.', closes: CLOSE.superseded },
  session_over: { meaning: 'The session has ended.', closes: CLOSE.sessionOver },
  too_much_audio: {
    meaning: 'More audio came than can have been spoken since the question.',
    closes: CLOSE.tooMuchAudio,
  },
  too_many_messages: {
    meaning:
      'More than 100 text frames came in a second, or 10,000 frames of any kind in 10 s on all of the caller’s connections.',
    closes: CLOSE.tooManyMessages,
  },
  internal: { meaning: 'A fault of the service.', closes: CLOSE.fault },
};

/** How the upgrade is answered where it is refused, with the error body that every path has. */
export interface Refusal {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly meaning: string;
}

const REFUSED: readonly Omit<Refusal, 'status'>[] = [
  {
    code: 'validation_failed',
    meaning: 'The handshake is wrong, or offers subprotocols of which `interview.v1` is none.',
  },
  {
    code: 'missing_token',
    meaning:
      'The query has no `token`, or one that is malformed. The `Authorization` header does not count here.',
  },
  { code: 'invalid_token', meaning: 'The token does not pass verification.' },
  {
    code: 'forbidden',
    meaning: 'The `Origin` is not among `ALLOWED_ORIGINS`. None at all, as from a program, is allowed.',
  },
  { code: 'not_found', meaning: 'There is no such session, or it is not the caller’s: one answer.' },
  { code: 'not_started', meaning: 'The session has not been started.' },
  { code: 'session_ended', meaning: 'The session has ended.' },
  {
    code: 'rate_limited',
    meaning: 'Too many connections in a minute, or ten open at once; `Retry-After` says when to try again.',
  },
  {
    code: 'unavailable',
    meaning: 'The service stops or cannot reach its data; `Retry-After` says when to try again.',
  },
];

export const refusals: readonly Refusal[] = REFUSED.map(({ code, meaning }) => ({
  status: statusOf(code),
  code,
  meaning,
}));
