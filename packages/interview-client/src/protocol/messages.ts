import {
  bytes,
  type Fields,
  flag,
  instant,
  list,
  object,
  type ObjectOf,
  oneOf,
  optional,
  text,
  visible,
  whole,
} from './fields.js';

/**
 * Every message of the interview's socket, as data: from here come the types, the parser and the description for
 * those who write clients (/asyncapi.json). Its meaning stands in docs/interview-socket.md.
 */

export const PROTOCOL = 'interview.v1';

/** Largest frame, in bytes, in either direction. */
export const MAX_FRAME_BYTES = 32 * 1024;
/** Largest text of an answer, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 16 * 1024;
/** The same as it is written in a frame: it comes back in one, with other fields beside it. */
const MAX_TEXT_AS_JSON = MAX_FRAME_BYTES - 512;
export const MAX_ACTIVITIES = 100;

const MOST = Number.MAX_SAFE_INTEGER;
const id = text(64);
const turn = whole(1, 65_535);
const playedMs = whole(0, 0xffff_ffff);
const source = oneOf('typed', 'speech', 'transcribed');
const seq = whole(1, MOST);

/** What clients send, by `type`. */
export const clientMessages = {
  'client.ready': {
    protocol: oneOf(PROTOCOL),
    resumeFromSeq: optional(whole(0, MOST)),
    deviceId: optional(text(128)),
  },
  'message.text': {
    id,
    turn,
    text: visible(bytes(MAX_TEXT_BYTES, MAX_TEXT_AS_JSON)),
    source: optional(oneOf('typed', 'speech')),
  },
  'turn.commit': { id, turn },
  activity: { id, events: list(MAX_ACTIVITIES) },
  'playback.progress': { turn, playedMs },
  interrupt: { id, turn, playedMs },
  'session.end': { id },
  ping: {},
} as const satisfies Readonly<Record<string, Fields>>;

const side = oneOf('server', 'client');

/** What the server sends, by `type`. Those with a `seq` are facts: they are sent again after a resume. */
export const serverMessages = {
  'session.ready': {
    connectionId: text(64),
    lastSeq: whole(0, MOST),
    lastAudioSeq: whole(0, 0xffff_ffff),
    audio: object({ transcription: side, speech: side, recorded: flag }),
    limits: object({
      maxFrameBytes: whole(1, MOST),
      maxTextBytes: whole(1, MOST),
      idleMs: whole(1, MOST),
      resumeMs: whole(1, MOST),
      maxDurationMs: whole(1, MOST),
    }),
    expiresAt: instant,
  },
  question: {
    seq,
    turn,
    questionId: text(64),
    kind: oneOf('planned', 'follow_up', 'clarification', 'closing'),
    text: bytes(MAX_FRAME_BYTES),
  },
  'transcript.final': { seq, turn, questionId: text(64), text: bytes(MAX_FRAME_BYTES), source },
  interrupted: { seq, turn, playedMs },
  'session.completed': {
    seq,
    reason: oneOf('finished', 'ended', 'time_limit'),
    consistencyToken: text(1_024),
  },
  ack: { id },
  'audio.ack': { lastAudioSeq: whole(0, 0xffff_ffff) },
  'interviewer.started': { turn },
  'interviewer.done': { turn },
  'speech.started': {},
  'speech.stopped': {},
  'transcript.partial': { turn, text: bytes(MAX_FRAME_BYTES) },
  flow: { state: oneOf('pause', 'resume') },
  go_away: { deadlineMs: whole(0, MOST) },
  pong: {},
  error: { code: text(64), error: text(1_000), fatal: flag, id: optional(id) },
} as const satisfies Readonly<Record<string, Fields>>;

type MessageOf<M extends Readonly<Record<string, Fields>>> = {
  [T in keyof M]: { readonly type: T } & ObjectOf<M[T]>;
}[keyof M];

export type ClientMessage = MessageOf<typeof clientMessages>;
export type ServerMessage = MessageOf<typeof serverMessages>;
export type ClientMessageOf<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;
export type ServerMessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;

/** Closing codes beside 1000 (ended), 1001 (restart) and 1009 (a frame is too big). */
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

/** Codes of `error` frames. All but those marked are fatal: the connection is closed after them. */
export const ERROR_CODES = [
  /** Not fatal, up to the tenth in a minute. */
  'bad_message',
  /** Not fatal. */
  'audio_gap',
  /** Not fatal: the message could not be recorded now, or not at all; `id` says which. */
  'unavailable',
  'rate_limited',
  'session_full',
  'id_reused',
  'validation_failed',
  'transcription_failed',
  'speech_failed',
  /** Fatal. */
  'token_expired',
  'idle',
  'superseded',
  'session_over',
  'too_much_audio',
  'too_many_messages',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];
