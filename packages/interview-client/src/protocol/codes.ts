/** The codes by which a connection is closed, and those of `error` frames: what each means, and what the client does. */

interface Closing {
  readonly code: number;
  readonly meaning: string;
  /** `resume`: connect again and resume; `fresh token`: the same, with a new one; `stop`: it would be refused again. */
  readonly then: 'resume' | 'fresh token' | 'stop';
}

/** Closing codes by their names in `CLOSE`. */
export const closings = {
  ended: {
    code: 1000,
    meaning: 'The interview is over. The server has sent `session.completed`.',
    then: 'stop',
  },
  restart: {
    code: 1001,
    meaning: 'The process stops. Another process continues the interview.',
    then: 'resume',
  },
  tooBig: { code: 1009, meaning: 'A frame was larger than `maxFrameBytes`.', then: 'stop' },
  badMessage: {
    code: 4400,
    meaning: 'The tenth bad message in a minute, or anything before `client.ready`.',
    then: 'stop',
  },
  tokenExpired: {
    code: 4401,
    meaning: 'The token has expired. The server sent `go_away` 60 s before.',
    then: 'fresh token',
  },
  idle: { code: 4408, meaning: 'No `client.ready` in 10 s, or no frame or pong in 45 s.', then: 'resume' },
  superseded: { code: 4409, meaning: 'A newer connection has replaced this one.', then: 'stop' },
  sessionOver: {
    code: 4410,
    meaning: 'The trial session has ended or is full, or the candidate was erased.',
    then: 'stop',
  },
  tooMuchAudio: {
    code: 4413,
    meaning: 'A turn’s audio exceeds 1.2 times the time since its question by more than 10 s.',
    then: 'stop',
  },
  tooManyMessages: {
    code: 4429,
    meaning:
      'More than 100 text frames in a second, or 10,000 frames of any kind in 10 s on all of the caller’s connections.',
    then: 'stop',
  },
  fault: { code: 4500, meaning: 'A fault of the service, which has recorded it.', then: 'resume' },
} as const satisfies Readonly<Record<string, Closing>>;

type Codes = { readonly [Name in keyof typeof closings]: (typeof closings)[Name]['code'] };

/** The closing code of each name. */
export const CLOSE = Object.fromEntries(
  Object.entries(closings).map(([name, { code }]) => [name, code]),
) as Codes;
export type CloseCode = Codes[keyof Codes];

interface ErrorMeaning {
  readonly meaning: string;
  /** The closing code that follows; `null`: not fatal, the connection goes on. */
  readonly closes: CloseCode | null;
}

/** Codes of `error` frames. */
export const errors = {
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
} as const satisfies Readonly<Record<string, ErrorMeaning>>;
export type ErrorCode = keyof typeof errors;

export const ERROR_CODES = Object.keys(errors) as readonly ErrorCode[];
