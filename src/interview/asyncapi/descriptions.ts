import {
  CLOSE,
  type CloseCode,
  type ErrorCode,
} from '../../../packages/interview-client/src/protocol/codes.js';
import {
  type ClientMessage,
  type ClientMessageOf,
  MAX_ACTIVITIES,
  MAX_FRAME_BYTES,
  MAX_TEXT_BYTES,
  PROTOCOL,
  type ServerMessage,
  type ServerMessageOf,
} from '../../../packages/interview-client/src/protocol/messages.js';

/** Meanings of the protocol's messages and codes, for the AsyncAPI document. Clients do not receive these texts. */

/** A message's meaning, and examples of it without their `type`. */
export interface Description<Message = object> {
  readonly summary: string;
  readonly examples: readonly [Omit<Message, 'type'>, ...Omit<Message, 'type'>[]];
}

const QUESTION_ID = '0197f0a4-6c1e-7b55-9d3a-1f2e3d4c5b6a';
const ANSWER = 'I moved the parser behind its own interface and wrote two failing tests first.';
const USUAL_LIMITS = {
  maxFrameBytes: MAX_FRAME_BYTES,
  maxTextBytes: MAX_TEXT_BYTES,
  idleMs: 45_000,
  resumeMs: 120_000,
  maxDurationMs: 3_600_000,
};

/** The clients' messages by `type`. */
export const clientDescriptions: {
  readonly [Type in ClientMessage['type']]: Description<ClientMessageOf<Type>>;
} = {
  'client.ready': {
    summary:
      'The first message, within 10 s. `resumeFromSeq` is the highest `seq` that the client has seen, default 0. `deviceId` names the device, so that the server detects a change.',
    examples: [{ protocol: PROTOCOL }, { protocol: PROTOCOL, resumeFromSeq: 7, deviceId: 'laptop-1' }],
  },
  'message.text': {
    summary:
      'The answer to the question of that turn: typed or, with `source` `speech`, recognised by the client. If the turn is closed already, it is recorded as a late answer. A blank text is refused with `bad_message`.',
    examples: [
      { id: 'a1', turn: 1, text: ANSWER },
      { id: 'a2', turn: 2, text: 'It took a day.', source: 'speech' },
    ],
  },
  'turn.commit': {
    summary:
      'Ends the spoken answer of that turn, with or without silence. If there was no speech, its answer is empty.',
    examples: [{ id: 'c1', turn: 3 }],
  },
  'turn.skip': {
    summary:
      'The candidate does not answer the question of that turn: the turn is closed without an answer, whatever was said in it, and the next question comes. A turn that is closed already stays as it is.',
    examples: [{ id: 's1', turn: 3 }],
  },
  'question.repeat': {
    summary:
      'Speaks the open question of that turn again, from its beginning. No effect if it is being spoken, if the turn is closed, or if the client speaks. With an `id` it is answered by `ack`. It is not recorded.',
    examples: [{ turn: 2 }, { id: 'r1', turn: 2 }],
  },
  activity: {
    summary: `Up to ${MAX_ACTIVITIES} events of the candidate’s work, each as in the body of \`POST /trial-sessions/{trialSessionId}/activity\`; accepted or refused as a whole.`,
    examples: [
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
    ],
  },
  'playback.progress': {
    summary:
      'How many milliseconds of the question’s speech have been played. Sent during playback. Before the turn’s question was sent, it is refused with `bad_message`.',
    examples: [{ turn: 1, playedMs: 1_500 }],
  },
  interrupt: {
    summary:
      'The candidate interrupts the question of that turn: the speech stops and is recorded as heard up to `playedMs`.',
    examples: [{ id: 'i1', turn: 2, playedMs: 900 }],
  },
  'session.end': { summary: 'Ends the interview and the trial session now.', examples: [{ id: 'x1' }] },
  ping: { summary: 'The server answers `pong`.', examples: [{}] },
};

/** The server's messages by `type`. */
export const serverDescriptions: {
  readonly [Type in ServerMessage['type']]: Description<ServerMessageOf<Type>>;
} = {
  'session.ready': {
    summary:
      'Answers `client.ready`: the last `seq` of the facts and of the candidate’s audio, which side recognises and speaks, whether audio is recorded, the limits, when the session expires, and the language that the interview is held in, such as `de`, for the client’s voice and recogniser (left out by services that do not know it).',
    examples: [
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
    ],
  },
  'session.limits': {
    summary:
      'Staff changed the candidate’s time: the limits and the expiry of `session.ready` are these from now on.',
    examples: [
      {
        limits: { ...USUAL_LIMITS, resumeMs: 180_000, maxDurationMs: 5_400_000 },
        expiresAt: '2026-01-05T11:30:00.000Z',
      },
    ],
  },
  question: {
    summary:
      'A fact: this question and its turn are open now. `text` is the question alone; `preface` is spoken and shown before it. It is question `number` `of` the planned ones: a follow-up and a clarification have the number of their planned question, the closing question has none.',
    examples: [
      {
        seq: 5,
        turn: 1,
        questionId: QUESTION_ID,
        kind: 'planned',
        text: 'What did you do so that it works?',
      },
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
    ],
  },
  'transcript.final': {
    summary:
      'A fact: the recorded answer to that question, recognised by either side. A second one for a turn is a late answer.',
    examples: [{ seq: 6, turn: 1, questionId: QUESTION_ID, text: ANSWER, source: 'typed' }],
  },
  'turn.skipped': {
    summary: 'A fact: the turn is closed without an answer, because the candidate skipped its question.',
    examples: [{ seq: 7, turn: 2, questionId: QUESTION_ID }],
  },
  interrupted: {
    summary: 'A fact: the question’s speech was interrupted after `playedMs`.',
    examples: [{ seq: 8, turn: 2, playedMs: 900 }],
  },
  'session.completed': {
    summary:
      'The last fact: the interview and the trial session are over. `reason` is `finished` (the closing question was answered), `ended` (by a request) or `time_limit`. A REST read with the header `Consistency-Token: <consistencyToken>` shows the session `completed`. The server then closes with 1000.',
    examples: [{ seq: 21, reason: 'finished', consistencyToken: 'MWY4Yjc0YzFbIjAxOTdmMGE0IiwiMDAwMDIxIl0' }],
  },
  ack: {
    summary:
      'The effect of the client’s message with this `id` is durable. The client can discard the message.',
    examples: [{ id: 'a1' }],
  },
  'audio.ack': {
    summary:
      'The candidate’s audio up to this `seq` is durable. The client keeps later frames, to send them again.',
    examples: [{ lastAudioSeq: 412 }],
  },
  'interviewer.started': {
    summary: 'The interviewer’s speech of that turn begins. Its audio frames follow.',
    examples: [{ turn: 2 }],
  },
  'interviewer.done': { summary: 'All of that speech was sent, or it was stopped.', examples: [{ turn: 2 }] },
  'speech.started': { summary: 'The server detected speech in the candidate’s audio.', examples: [{}] },
  'speech.stopped': { summary: 'The server detected silence after the candidate’s speech.', examples: [{}] },
  'transcript.partial': {
    summary: 'The transcript of the answer so far. It is for display and never recorded.',
    examples: [{ turn: 3, text: 'I moved the' }],
  },
  'transcript.pending': {
    summary:
      'The server turns the speech of that turn into text now. It ends with `transcript.final`, `turn.skipped`, `transcript.none`, the error `transcription_failed`, or with `speech.started` if the candidate speaks on.',
    examples: [{ turn: 3 }],
  },
  'transcript.none': {
    summary: 'There were no words in the speech of that turn. The turn stays open.',
    examples: [{ turn: 3 }],
  },
  flow: {
    summary: '`pause`: send no audio until `resume`. Audio that was sent already is not lost.',
    examples: [{ state: 'pause' }, { state: 'resume' }],
  },
  go_away: {
    summary:
      'The server will close the connection in `deadlineMs` milliseconds, because the service stops or the token expires. Connect again with a fresh token and resume.',
    examples: [{ deadlineMs: 60_000 }],
  },
  pong: { summary: 'Answers `ping`.', examples: [{}] },
  error: {
    summary:
      'An error: a code for programs, a sentence for people, and the `id` of the message that caused it, if there is one. `fatal`: the server closes the connection right after it.',
    examples: [
      {
        code: 'bad_message',
        error: 'turn is missing: it must be a whole number from 1 to 65535.',
        fatal: false,
        id: 'a1',
      },
      { code: 'superseded', error: 'A newer connection has taken over this interview.', fatal: true },
    ],
  },
};

interface ClosingCode {
  readonly code: CloseCode;
  readonly meaning: string;
  /** `resume`: connect again and resume; `fresh token`: the same, with a new token; `stop`: do not connect again. */
  readonly then: 'resume' | 'fresh token' | 'stop';
}

/** Closing codes by their names in `CLOSE`. */
export const closings: Readonly<Record<keyof typeof CLOSE, ClosingCode>> = {
  ended: {
    code: CLOSE.ended,
    meaning: 'The interview is over. The server has sent `session.completed`.',
    then: 'stop',
  },
  restart: {
    code: CLOSE.restart,
    meaning: 'The process stops. Another process continues the interview.',
    then: 'resume',
  },
  tooBig: { code: CLOSE.tooBig, meaning: 'A frame was larger than `maxFrameBytes`.', then: 'stop' },
  badMessage: {
    code: CLOSE.badMessage,
    meaning: 'The tenth bad message in a minute, or anything before `client.ready`.',
    then: 'stop',
  },
  tokenExpired: {
    code: CLOSE.tokenExpired,
    meaning: 'The token has expired. The server sent `go_away` 60 s before.',
    then: 'fresh token',
  },
  idle: {
    code: CLOSE.idle,
    meaning: 'No `client.ready` in 10 s, or no frame or pong in 45 s.',
    then: 'resume',
  },
  superseded: { code: CLOSE.superseded, meaning: 'A newer connection has replaced this one.', then: 'stop' },
  sessionOver: {
    code: CLOSE.sessionOver,
    meaning: 'The trial session has ended or is full, or the candidate was erased.',
    then: 'stop',
  },
  tooMuchAudio: {
    code: CLOSE.tooMuchAudio,
    meaning: 'A turn’s audio exceeds 1.2 times the time since its question by more than 10 s.',
    then: 'stop',
  },
  tooManyMessages: {
    code: CLOSE.tooManyMessages,
    meaning:
      'More than 100 text frames in a second, or 10,000 frames of any kind in 10 s on all of the caller’s connections.',
    then: 'stop',
  },
  fault: { code: CLOSE.fault, meaning: 'A fault of the service, which has recorded it.', then: 'resume' },
};

interface ErrorMeaning {
  readonly meaning: string;
  /** The closing code that follows; `null`: the error is not fatal, and the connection stays open. */
  readonly closes: CloseCode | null;
}

/** Codes of `error` frames. */
export const errors: Readonly<Record<ErrorCode, ErrorMeaning>> = {
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
