import { ERROR_CODES } from './codes.js';
import {
  bytes,
  code,
  exactly,
  type Fields,
  flag,
  instant,
  list,
  object,
  type ObjectOf,
  oneOf,
  optional,
  text,
  uuid,
  visible,
  whole,
} from './fields.js';

/**
 * Every message of the interview's socket, declared once: types, parser and the AsyncAPI document (/asyncapi.json)
 * follow from here, and docs/interview-socket.md is tested against it. The meaning of each message is described there, not
 * here, so that a page does not load the descriptions with the client.
 */

/** The protocol’s name, which `client.ready` and the subprotocol carry. */
export const PROTOCOL = 'interview.v1';

/** Largest frame, in bytes, in either direction. */
export const MAX_FRAME_BYTES = 32 * 1024;
/** Longest name of a language, in characters. */
const MAX_LANGUAGE = 35;
/** Largest text of an answer, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 16 * 1024;
/** The largest JSON form of such a text: the service sends it back in one frame, beside other fields. */
export const MAX_TEXT_AS_JSON = MAX_FRAME_BYTES - 512;
/** Most activities of one message. */
export const MAX_ACTIVITIES = 100;

/** A message: its fields beside its `type`. */
export type Declarations = Readonly<Record<string, { readonly fields: Fields }>>;

const MAX = Number.MAX_SAFE_INTEGER;
const id = text(64);
const LAST_TURN = 65_535;
const turn = whole(1, LAST_TURN);
const playedMs = whole(0, 0xffff_ffff);
const source = oneOf('AnswerSource', 'typed', 'speech', 'transcribed');
const seq = whole(1, MAX);
const errorCode = code(64, 'ErrorCode', ERROR_CODES);

/** What clients send, by `type`. */
export const clientMessages = {
  'client.ready': {
    fields: {
      protocol: exactly(PROTOCOL),
      resumeFromSeq: optional(whole(0, MAX)),
      deviceId: optional(text(128)),
    },
  },
  'message.text': {
    fields: {
      id,
      turn,
      text: visible(bytes(MAX_TEXT_BYTES, MAX_TEXT_AS_JSON)),
      source: optional(oneOf('ClientAnswerSource', 'typed', 'speech')),
    },
  },
  'turn.commit': { fields: { id, turn } },
  'turn.skip': { fields: { id, turn } },
  'question.repeat': { fields: { id: optional(id), turn } },
  activity: { fields: { id, events: list(MAX_ACTIVITIES) } },
  'playback.progress': { fields: { turn, playedMs } },
  interrupt: { fields: { id, turn, playedMs } },
  'session.end': { fields: { id } },
  ping: { fields: {} },
} as const satisfies Declarations;

const side = oneOf('Side', 'server', 'client');
const limits = object('ConnectionLimits', {
  maxFrameBytes: whole(1, MAX),
  maxTextBytes: whole(1, MAX),
  idleMs: whole(1, MAX),
  resumeMs: whole(1, MAX),
  maxDurationMs: whole(1, MAX),
});
/** What the server sends, by `type`. Those with a `seq` are facts: they are sent again after a resume. */
export const serverMessages = {
  'session.ready': {
    fields: {
      connectionId: uuid,
      lastSeq: whole(0, MAX),
      lastAudioSeq: whole(0, 0xffff_ffff),
      audio: object('AudioSettings', { transcription: side, speech: side, recorded: flag }),
      limits,
      expiresAt: instant,
      language: optional(text(MAX_LANGUAGE)),
    },
  },
  'session.limits': { fields: { limits, expiresAt: instant } },
  question: {
    fields: {
      seq,
      turn,
      questionId: uuid,
      kind: oneOf('QuestionKind', 'planned', 'follow_up', 'clarification', 'closing'),
      text: bytes(MAX_FRAME_BYTES),
      preface: optional(bytes(MAX_FRAME_BYTES)),
      number: optional(whole(1, LAST_TURN)),
      of: optional(whole(1, LAST_TURN)),
    },
  },
  'transcript.final': { fields: { seq, turn, questionId: uuid, text: bytes(MAX_FRAME_BYTES), source } },
  'turn.skipped': { fields: { seq, turn, questionId: uuid } },
  interrupted: { fields: { seq, turn, playedMs } },
  'session.completed': {
    fields: {
      seq,
      reason: oneOf('EndReason', 'finished', 'ended', 'time_limit'),
      consistencyToken: text(1_024),
    },
  },
  ack: { fields: { id } },
  'audio.ack': { fields: { lastAudioSeq: whole(0, 0xffff_ffff) } },
  'interviewer.started': { fields: { turn } },
  'interviewer.done': { fields: { turn } },
  'speech.started': { fields: {} },
  'speech.stopped': { fields: {} },
  'transcript.partial': { fields: { turn, text: bytes(MAX_FRAME_BYTES) } },
  'transcript.pending': { fields: { turn } },
  'transcript.none': { fields: { turn } },
  flow: { fields: { state: oneOf('FlowState', 'pause', 'resume') } },
  go_away: { fields: { deadlineMs: whole(0, MAX) } },
  pong: { fields: {} },
  error: { fields: { code: errorCode, error: text(1_000), fatal: flag, id: optional(id) } },
} as const satisfies Declarations;

type MessageOf<M extends Declarations> = {
  [T in keyof M]: { readonly type: T } & ObjectOf<M[T]['fields']>;
}[keyof M];

export type ClientMessage = MessageOf<typeof clientMessages>;
export type ServerMessage = MessageOf<typeof serverMessages>;
export type ClientMessageOf<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;
export type ServerMessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;
