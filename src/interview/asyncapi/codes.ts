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
  ended: { meaning: 'The interview is over. The server has sent `session.completed`.', then: 'stop' },
  restart: { meaning: 'The process stops. Another process continues the interview.', then: 'resume' },
  tooBig: { meaning: 'A frame was larger than `maxFrameBytes`.', then: 'stop' },
  badMessage: {
    meaning: 'The tenth bad message in a minute, or anything before `client.ready`.',
    then: 'stop',
  },
  tokenExpired: {
    meaning: 'The token has expired. The server sent `go_away` 60 s before.',
    then: 'fresh token',
  },
  idle: { meaning: 'No `client.ready` in 10 s, or no frame or pong in 45 s.', then: 'resume' },
  superseded: { meaning: 'A newer connection has replaced this one.', then: 'stop' },
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
      'Not JSON, an unknown type, a missing or wrong field, a turn that was never asked, or a bad binary frame. The message had no effect. Fatal, with 4400, from the tenth in a minute on and before `client.ready`.',
    closes: null,
  },
  audio_gap: {
    meaning:
      'An audio frame came after a gap and was refused. `audio.ack` has the position to continue from.',
    closes: null,
  },
  unavailable: {
    meaning: 'The message could not be recorded now. Send it again, with the same `id`.',
    closes: null,
  },
  rate_limited: {
    meaning:
      'The activity of a minute exceeds the limit, by socket and REST together. Nothing of the message was recorded. Send it again later, with the same `id`. The sentence names the time.',
    closes: null,
  },
  session_full: {
    meaning:
      'The session is full. The message was not recorded. Fatal, with 4410, if the session accepts no more connections.',
    closes: null,
  },
  id_reused: {
    meaning:
      'The `id` was used for another message of this session, perhaps before the client restarted. Nothing of this message was recorded. Send it with a new `id`.',
    closes: null,
  },
  validation_failed: {
    meaning: 'An event in the message is invalid. None of its events was recorded.',
    closes: null,
  },
  transcription_failed: {
    meaning:
      'The spoken answer could not be transcribed now. Its audio is kept. The candidate can type the answer.',
    closes: null,
  },
  speech_failed: { meaning: 'The question’s speech failed. Its text is valid.', closes: null },
  token_expired: { meaning: 'The token has expired.', closes: CLOSE.tokenExpired },
  idle: { meaning: 'The client has sent nothing for too long.', closes: CLOSE.idle },
  superseded: { meaning: 'A newer connection has replaced this one.', closes: CLOSE.superseded },
  session_over: { meaning: 'The session has ended.', closes: CLOSE.sessionOver },
  too_much_audio: {
    meaning: 'The client sent more audio than the time since the question allows.',
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
    meaning: 'The handshake is invalid, or offers subprotocols without `interview.v1`.',
  },
  {
    code: 'missing_token',
    meaning: 'The query has no `token`, or a malformed one. The `Authorization` header is ignored here.',
  },
  { code: 'invalid_token', meaning: 'The token does not pass verification.' },
  {
    code: 'forbidden',
    meaning:
      'The `Origin` is not in `ALLOWED_ORIGINS`. A request without `Origin`, as from a program, is allowed.',
  },
  { code: 'not_found', meaning: 'The session does not exist or is not the caller’s.' },
  { code: 'not_started', meaning: 'The session has not been started.' },
  { code: 'session_ended', meaning: 'The session has ended.' },
  {
    code: 'rate_limited',
    meaning: 'Too many connections in a minute, or ten open at once. `Retry-After` has the time to wait.',
  },
  {
    code: 'unavailable',
    meaning: 'The service stops or cannot reach its data. `Retry-After` has the time to wait.',
  },
];

export const refusals: readonly Refusal[] = REFUSED.map(({ code, meaning }) => ({
  status: statusOf(code),
  code,
  meaning,
}));
