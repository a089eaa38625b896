/** Codes by which a connection is closed. What each means, and what the client does: docs/interview-socket.md. */
export const CLOSE = {
  ended: 1000,
  restart: 1001,
  tooBig: 1009,
  badMessage: 4400,
  tokenExpired: 4401,
  idle: 4408,
  superseded: 4409,
  sessionOver: 4410,
  tooMuchAudio: 4413,
  tooManyMessages: 4429,
  fault: 4500,
} as const;
export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE];

/** Codes of `error` frames. */
export const ERROR_CODES = [
  'bad_message',
  'audio_gap',
  'unavailable',
  'rate_limited',
  'session_full',
  'id_reused',
  'validation_failed',
  'transcription_failed',
  'speech_failed',
  'token_expired',
  'idle',
  'superseded',
  'session_over',
  'too_much_audio',
  'too_many_messages',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];
