import {
  type ClientMessage,
  MAX_ACTIVITIES,
  MAX_FRAME_BYTES,
  MAX_TEXT_BYTES,
  PROTOCOL,
  type ServerMessage,
} from '../../../packages/interview-client/src/protocol/messages.js';
import { MAX_DURATION_MS, RESUME_MS } from '../../domain/session/interview-state.js';

/** The meaning of a message, for authors of clients. docs/interview-socket.md has the same text. */
export interface Description<Message> {
  readonly summary: string;
  readonly examples: readonly [Message, ...Message[]];
}

/** One for each message: a message without one does not compile. */
export type Descriptions<Message extends { readonly type: string }> = {
  readonly [Type in Message['type']]: Description<Extract<Message, { type: Type }>>;
};

const QUESTION_ID = '0197f0a4-6c1e-7b55-9d3a-1f2e3d4c5b6a';
const ANSWER = 'I moved the parser behind its own interface and wrote two failing tests first.';

export const clientDescriptions: Descriptions<ClientMessage> = {
  'client.ready': {
    summary:
      'The first message, within 10 s. `resumeFromSeq` is the highest `seq` that the client has seen, default 0. `deviceId` names the device, so that the server detects a change.',
    examples: [
      { type: 'client.ready', protocol: PROTOCOL },
      { type: 'client.ready', protocol: PROTOCOL, resumeFromSeq: 7, deviceId: 'laptop-1' },
    ],
  },
  'message.text': {
    summary:
      'The answer to the question of that turn: typed or, with `source` `speech`, recognised by the client. If the turn is closed already, it is recorded as a late answer. A blank text is refused with `bad_message`.',
    examples: [
      { type: 'message.text', id: 'a1', turn: 1, text: ANSWER },
      { type: 'message.text', id: 'a2', turn: 2, text: 'It took a day.', source: 'speech' },
    ],
  },
  'turn.commit': {
    summary:
      'Ends the spoken answer of that turn, with or without silence. If there was no speech, the turn is skipped: its answer is empty.',
    examples: [{ type: 'turn.commit', id: 'c1', turn: 3 }],
  },
  activity: {
    summary: `Up to ${MAX_ACTIVITIES} events of the candidate’s work, each as in the body of \`POST /trial-sessions/{id}/activity\`; accepted or refused as a whole.`,
    examples: [
      {
        type: 'activity',
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
    examples: [{ type: 'playback.progress', turn: 1, playedMs: 1_500 }],
  },
  interrupt: {
    summary:
      'The candidate interrupts the question of that turn: the speech stops and is recorded as heard up to `playedMs`.',
    examples: [{ type: 'interrupt', id: 'i1', turn: 2, playedMs: 900 }],
  },
  'session.end': {
    summary: 'Ends the interview and the trial session now.',
    examples: [{ type: 'session.end', id: 'x1' }],
  },
  ping: { summary: 'The server answers `pong`.', examples: [{ type: 'ping' }] },
};

export const serverDescriptions: Descriptions<ServerMessage> = {
  'session.ready': {
    summary:
      'Answers `client.ready`: the last `seq` of the facts and of the candidate’s audio, which side recognises and speaks, whether audio is recorded, the limits, and when the session expires.',
    examples: [
      {
        type: 'session.ready',
        connectionId: '0197f0a4-5a00-7c11-8e21-0a1b2c3d4e5f',
        lastSeq: 7,
        lastAudioSeq: 412,
        audio: { transcription: 'server', speech: 'client', recorded: false },
        limits: {
          maxFrameBytes: MAX_FRAME_BYTES,
          maxTextBytes: MAX_TEXT_BYTES,
          idleMs: 45_000,
          resumeMs: RESUME_MS,
          maxDurationMs: MAX_DURATION_MS,
        },
        expiresAt: '2026-01-05T11:00:00.000Z',
      },
    ],
  },
  question: {
    summary: 'A fact: this question and its turn are open now.',
    examples: [
      {
        type: 'question',
        seq: 5,
        turn: 1,
        questionId: QUESTION_ID,
        kind: 'planned',
        text: 'What did you do so that it works?',
      },
    ],
  },
  'transcript.final': {
    summary:
      'A fact: the recorded answer to that question, recognised by either side. A second one for a turn is a late answer.',
    examples: [
      {
        type: 'transcript.final',
        seq: 6,
        turn: 1,
        questionId: QUESTION_ID,
        text: ANSWER,
        source: 'typed',
      },
    ],
  },
  interrupted: {
    summary: 'A fact: the question’s speech was interrupted after `playedMs`.',
    examples: [{ type: 'interrupted', seq: 8, turn: 2, playedMs: 900 }],
  },
  'session.completed': {
    summary:
      'The last fact: the interview and the trial session are over. `reason` is `finished` (the closing question was answered), `ended` (by a request) or `time_limit`. A REST read with the header `Consistency-Token: <consistencyToken>` shows the session `completed`. The server then closes with 1000.',
    examples: [
      {
        type: 'session.completed',
        seq: 21,
        reason: 'finished',
        consistencyToken: 'MWY4Yjc0YzFbIjAxOTdmMGE0IiwiMDAwMDIxIl0',
      },
    ],
  },
  ack: {
    summary:
      'The effect of the client’s message with this `id` is durable. The client can discard the message.',
    examples: [{ type: 'ack', id: 'a1' }],
  },
  'audio.ack': {
    summary:
      'The candidate’s audio up to this `seq` is durable. The client keeps later frames, to send them again.',
    examples: [{ type: 'audio.ack', lastAudioSeq: 412 }],
  },
  'interviewer.started': {
    summary: 'The interviewer’s speech of that turn begins. Its audio frames follow.',
    examples: [{ type: 'interviewer.started', turn: 2 }],
  },
  'interviewer.done': {
    summary: 'All of that speech was sent, or it was stopped.',
    examples: [{ type: 'interviewer.done', turn: 2 }],
  },
  'speech.started': {
    summary: 'The server detected speech in the candidate’s audio.',
    examples: [{ type: 'speech.started' }],
  },
  'speech.stopped': {
    summary: 'The server detected silence after the candidate’s speech.',
    examples: [{ type: 'speech.stopped' }],
  },
  'transcript.partial': {
    summary: 'The transcript of the answer so far. It is for display and never recorded.',
    examples: [{ type: 'transcript.partial', turn: 3, text: 'I moved the' }],
  },
  flow: {
    summary: '`pause`: send no audio until `resume`. Audio that was sent already is not lost.',
    examples: [
      { type: 'flow', state: 'pause' },
      { type: 'flow', state: 'resume' },
    ],
  },
  go_away: {
    summary:
      'The server will close the connection in `deadlineMs` milliseconds, because the service stops or the token expires. Connect again with a fresh token and resume.',
    examples: [{ type: 'go_away', deadlineMs: 60_000 }],
  },
  pong: { summary: 'Answers `ping`.', examples: [{ type: 'pong' }] },
  error: {
    summary:
      'An error: a code for programs, a sentence for people, and the `id` of the message that caused it, if there is one. `fatal`: the server closes the connection right after it.',
    examples: [
      {
        type: 'error',
        code: 'bad_message',
        error: 'turn is missing: it must be a whole number from 1 to 65535.',
        fatal: false,
        id: 'a1',
      },
      {
        type: 'error',
        code: 'superseded',
        error: 'A newer connection has taken this interview over.',
        fatal: true,
      },
    ],
  },
};
