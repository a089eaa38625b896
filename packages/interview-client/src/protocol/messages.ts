import { ERROR_CODES, errors } from './codes.js';
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
 * follow from here, and docs/interview-socket.md is tested against it.
 */

export const PROTOCOL = 'interview.v1';

/** Largest frame, in bytes, in either direction. */
export const MAX_FRAME_BYTES = 32 * 1024;
/** Longest name of a language, in characters. */
const MAX_LANGUAGE = 35;
/** Largest text of an answer, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 16 * 1024;
/** The same as it is written in a frame: it comes back in one, with other fields beside it. */
export const MAX_TEXT_AS_JSON = MAX_FRAME_BYTES - 512;
export const MAX_ACTIVITIES = 100;

/** A message: its fields, what it means, and examples, each without its `type`. */
export interface Declaration<F extends Fields = Fields> {
  readonly fields: F;
  readonly summary: string;
  readonly examples: readonly ObjectOf<F>[];
}
export type Declarations = Readonly<Record<string, Declaration>>;

const message = <F extends Fields>(
  fields: F,
  summary: string,
  ...examples: readonly [ObjectOf<F>, ...ObjectOf<F>[]]
): Declaration<F> => ({ fields, summary, examples });

const MOST = Number.MAX_SAFE_INTEGER;
const QUESTION_ID = '0197f0a4-6c1e-7b55-9d3a-1f2e3d4c5b6a';
const ANSWER = 'I moved the parser behind its own interface and wrote two failing tests first.';

const id = text(64);
const LAST_TURN = 65_535;
const turn = whole(1, LAST_TURN);
const playedMs = whole(0, 0xffff_ffff);
const source = oneOf('AnswerSource', 'typed', 'speech', 'transcribed');
const seq = whole(1, MOST);
const errorCode = code(
  64,
  'ErrorCode',
  ERROR_CODES,
  `${ERROR_CODES.map((one) => `\`${one}\`: ${errors[one].meaning}`).join('\n\n')}\n\nNew codes can be added: rely on \`fatal\`.`,
);

/** What clients send, by `type`. */
export const clientMessages = {
  'client.ready': message(
    {
      protocol: exactly(PROTOCOL),
      resumeFromSeq: optional(whole(0, MOST)),
      deviceId: optional(text(128)),
    },
    'The first message, within 10 s. `resumeFromSeq` is the highest `seq` that the client has seen, default 0. `deviceId` names the device, so that the server detects a change.',
    { protocol: PROTOCOL },
    { protocol: PROTOCOL, resumeFromSeq: 7, deviceId: 'laptop-1' },
  ),
  'message.text': message(
    {
      id,
      turn,
      text: visible(bytes(MAX_TEXT_BYTES, MAX_TEXT_AS_JSON)),
      source: optional(oneOf('ClientAnswerSource', 'typed', 'speech')),
    },
    'The answer to the question of that turn: typed or, with `source` `speech`, recognised by the client. If the turn is closed already, it is recorded as a late answer. A blank text is refused with `bad_message`.',
    { id: 'a1', turn: 1, text: ANSWER },
    { id: 'a2', turn: 2, text: 'It took a day.', source: 'speech' },
  ),
  'turn.commit': message(
    { id, turn },
    'Ends the spoken answer of that turn, with or without silence. If there was no speech, its answer is empty.',
    { id: 'c1', turn: 3 },
  ),
  'turn.skip': message(
    { id, turn },
    'The candidate does not answer the question of that turn: the turn is closed without an answer, whatever was said in it, and the next question comes. A turn that is closed already stays as it is.',
    { id: 's1', turn: 3 },
  ),
  'question.repeat': message(
    { id: optional(id), turn },
    'Speaks the open question of that turn again, from its beginning. No effect if it is being spoken, if the turn is closed, or if the client speaks. With an `id` it is answered by `ack`. It is not recorded.',
    { turn: 2 },
    { id: 'r1', turn: 2 },
  ),
  activity: message(
    { id, events: list(MAX_ACTIVITIES) },
    `Up to ${MAX_ACTIVITIES} events of the candidate’s work, each as in the body of \`POST /trial-sessions/{trialSessionId}/activity\`; accepted or refused as a whole.`,
    {
      id: 'w1',
      events: [
        {
          clientEventId: 'e1',
          eventType: 'page.hidden',
          occurredAt: '2026-01-05T10:02:30.000Z',
          payload: {},
        },
      ],
    },
  ),
  'playback.progress': message(
    { turn, playedMs },
    'How many milliseconds of the question’s speech have been played. Sent during playback. Before the turn’s question was sent, it is refused with `bad_message`.',
    { turn: 1, playedMs: 1_500 },
  ),
  interrupt: message(
    { id, turn, playedMs },
    'The candidate interrupts the question of that turn: the speech stops and is recorded as heard up to `playedMs`.',
    { id: 'i1', turn: 2, playedMs: 900 },
  ),
  'session.end': message({ id }, 'Ends the interview and the trial session now.', { id: 'x1' }),
  ping: message({}, 'The server answers `pong`.', {}),
} as const satisfies Declarations;

const side = oneOf('Side', 'server', 'client');
const limits = object('ConnectionLimits', {
  maxFrameBytes: whole(1, MOST),
  maxTextBytes: whole(1, MOST),
  idleMs: whole(1, MOST),
  resumeMs: whole(1, MOST),
  maxDurationMs: whole(1, MOST),
});
const USUAL_LIMITS = {
  maxFrameBytes: MAX_FRAME_BYTES,
  maxTextBytes: MAX_TEXT_BYTES,
  idleMs: 45_000,
  resumeMs: 120_000,
  maxDurationMs: 3_600_000,
};

/** What the server sends, by `type`. Those with a `seq` are facts: they are sent again after a resume. */
export const serverMessages = {
  'session.ready': message(
    {
      connectionId: uuid,
      lastSeq: whole(0, MOST),
      lastAudioSeq: whole(0, 0xffff_ffff),
      audio: object('AudioSettings', { transcription: side, speech: side, recorded: flag }),
      limits,
      expiresAt: instant,
      language: optional(text(MAX_LANGUAGE)),
    },
    'Answers `client.ready`: the last `seq` of the facts and of the candidate’s audio, which side recognises and speaks, whether audio is recorded, the limits, when the session expires, and the language that the interview is held in, such as `de`, for the client’s voice and recogniser (left out by services that do not know it).',
    {
      connectionId: '0197f0a4-5a00-7c11-8e21-0a1b2c3d4e5f',
      lastSeq: 7,
      lastAudioSeq: 412,
      audio: { transcription: 'server', speech: 'client', recorded: false },
      limits: USUAL_LIMITS,
      expiresAt: '2026-01-05T11:00:00.000Z',
    },
    {
      connectionId: '0197f0a4-5a00-7c11-8e21-0a1b2c3d4e5f',
      lastSeq: 7,
      lastAudioSeq: 412,
      audio: { transcription: 'server', speech: 'client', recorded: false },
      limits: USUAL_LIMITS,
      expiresAt: '2026-01-05T11:00:00.000Z',
      language: 'de',
    },
  ),
  'session.limits': message(
    { limits, expiresAt: instant },
    'Staff changed the candidate’s time: the limits and the expiry of `session.ready` are these from now on.',
    {
      limits: { ...USUAL_LIMITS, resumeMs: 180_000, maxDurationMs: 5_400_000 },
      expiresAt: '2026-01-05T11:30:00.000Z',
    },
  ),
  question: message(
    {
      seq,
      turn,
      questionId: uuid,
      kind: oneOf('QuestionKind', 'planned', 'follow_up', 'clarification', 'closing'),
      text: bytes(MAX_FRAME_BYTES),
      preface: optional(bytes(MAX_FRAME_BYTES)),
      number: optional(whole(1, LAST_TURN)),
      of: optional(whole(1, LAST_TURN)),
    },
    'A fact: this question and its turn are open now. `text` is the question alone; `preface` is spoken and shown before it. It is question `number` `of` the planned ones: a follow-up and a clarification have the number of their planned question, the closing question has none.',
    { seq: 5, turn: 1, questionId: QUESTION_ID, kind: 'planned', text: 'What did you do so that it works?' },
    {
      seq: 5,
      turn: 1,
      questionId: QUESTION_ID,
      kind: 'planned',
      preface: 'Hello. I ask you a few questions about your work.',
      text: 'What did you do so that it works?',
      number: 1,
      of: 4,
    },
  ),
  'transcript.final': message(
    { seq, turn, questionId: uuid, text: bytes(MAX_FRAME_BYTES), source },
    'A fact: the recorded answer to that question, recognised by either side. A second one for a turn is a late answer.',
    { seq: 6, turn: 1, questionId: QUESTION_ID, text: ANSWER, source: 'typed' },
  ),
  'turn.skipped': message(
    { seq, turn, questionId: uuid },
    'A fact: the turn is closed without an answer, because the candidate skipped its question.',
    { seq: 7, turn: 2, questionId: QUESTION_ID },
  ),
  interrupted: message(
    { seq, turn, playedMs },
    'A fact: the question’s speech was interrupted after `playedMs`.',
    { seq: 8, turn: 2, playedMs: 900 },
  ),
  'session.completed': message(
    {
      seq,
      reason: oneOf('EndReason', 'finished', 'ended', 'time_limit'),
      consistencyToken: text(1_024),
    },
    'The last fact: the interview and the trial session are over. `reason` is `finished` (the closing question was answered), `ended` (by a request) or `time_limit`. A REST read with the header `Consistency-Token: <consistencyToken>` shows the session `completed`. The server then closes with 1000.',
    { seq: 21, reason: 'finished', consistencyToken: 'MWY4Yjc0YzFbIjAxOTdmMGE0IiwiMDAwMDIxIl0' },
  ),
  ack: message(
    { id },
    'The effect of the client’s message with this `id` is durable. The client can discard the message.',
    { id: 'a1' },
  ),
  'audio.ack': message(
    { lastAudioSeq: whole(0, 0xffff_ffff) },
    'The candidate’s audio up to this `seq` is durable. The client keeps later frames, to send them again.',
    { lastAudioSeq: 412 },
  ),
  'interviewer.started': message(
    { turn },
    'The interviewer’s speech of that turn begins. Its audio frames follow.',
    { turn: 2 },
  ),
  'interviewer.done': message({ turn }, 'All of that speech was sent, or it was stopped.', { turn: 2 }),
  'speech.started': message({}, 'The server detected speech in the candidate’s audio.', {}),
  'speech.stopped': message({}, 'The server detected silence after the candidate’s speech.', {}),
  'transcript.partial': message(
    { turn, text: bytes(MAX_FRAME_BYTES) },
    'The transcript of the answer so far. It is for display and never recorded.',
    { turn: 3, text: 'I moved the' },
  ),
  'transcript.pending': message(
    { turn },
    'The server turns the speech of that turn into text now. It ends with `transcript.final`, `turn.skipped`, `transcript.none`, the error `transcription_failed`, or with `speech.started` if the candidate speaks on.',
    { turn: 3 },
  ),
  'transcript.none': message(
    { turn },
    'There were no words in the speech of that turn. The turn stays open.',
    { turn: 3 },
  ),
  flow: message(
    { state: oneOf('FlowState', 'pause', 'resume') },
    '`pause`: send no audio until `resume`. Audio that was sent already is not lost.',
    { state: 'pause' },
    { state: 'resume' },
  ),
  go_away: message(
    { deadlineMs: whole(0, MOST) },
    'The server will close the connection in `deadlineMs` milliseconds, because the service stops or the token expires. Connect again with a fresh token and resume.',
    { deadlineMs: 60_000 },
  ),
  pong: message({}, 'Answers `ping`.', {}),
  error: message(
    { code: errorCode, error: text(1_000), fatal: flag, id: optional(id) },
    'An error: a code for programs, a sentence for people, and the `id` of the message that caused it, if there is one. `fatal`: the server closes the connection right after it.',
    {
      code: 'bad_message',
      error: 'turn is missing: it must be a whole number from 1 to 65535.',
      fatal: false,
      id: 'a1',
    },
    { code: 'superseded', error: 'A newer connection has taken over this interview.', fatal: true },
  ),
} as const satisfies Declarations;

type MessageOf<M extends Declarations> = {
  [T in keyof M]: { readonly type: T } & ObjectOf<M[T]['fields']>;
}[keyof M];

export type ClientMessage = MessageOf<typeof clientMessages>;
export type ServerMessage = MessageOf<typeof serverMessages>;
export type ClientMessageOf<T extends ClientMessage['type']> = Extract<ClientMessage, { type: T }>;
export type ServerMessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;
