import {
  type ClientMessage,
  MAX_ACTIVITIES,
  MAX_FRAME_BYTES,
  MAX_TEXT_BYTES,
  PROTOCOL,
  type ServerMessage,
} from '../../../packages/interview-client/src/protocol/messages.js';
import { MAX_DURATION_MS, RESUME_MS } from '../../domain/session/interview-state.js';

/** What a message means, for those who write clients; docs/interview-socket.md says the same words. */
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
      'The first message, within 10 s. `resumeFromSeq` is the highest `seq` that the client has seen, 0 where it is left out; `deviceId` names the device, so that a change of it is known.',
    examples: [
      { type: 'client.ready', protocol: PROTOCOL },
      { type: 'client.ready', protocol: PROTOCOL, resumeFromSeq: 7, deviceId: 'laptop-1' },
    ],
  },
  'message.text': {
    summary:
      'The answer to the question of that turn, typed or, with `source` `speech`, recognised by the client. To a turn that is closed already it is kept as a late answer to that one. A blank text is no answer and refused by `bad_message`.',
    examples: [
      { type: 'message.text', id: 'a1', turn: 1, text: ANSWER },
      { type: 'message.text', id: 'a2', turn: 2, text: 'It took a day.', source: 'speech' },
    ],
  },
  'turn.commit': {
    summary:
      'The spoken answer of that turn ends here, whether or not silence has shown it. Where nothing was said, the turn is skipped: its answer is empty.',
    examples: [{ type: 'turn.commit', id: 'c1', turn: 3 }],
  },
  activity: {
    summary: `Up to ${MAX_ACTIVITIES} events of the candidate’s work, each as in the body of \`POST /trial-sessions/{id}/activity\`; taken or refused whole.`,
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
      'So many milliseconds of the speech of that turn’s question have been played; sent while it plays. Before a turn’s question was sent, it is refused by `bad_message`.',
    examples: [{ type: 'playback.progress', turn: 1, playedMs: 1_500 }],
  },
  interrupt: {
    summary:
      'The candidate cuts the question of that turn off: the speech stops, and is recorded as heard up to `playedMs`.',
    examples: [{ type: 'interrupt', id: 'i1', turn: 2, playedMs: 900 }],
  },
  'session.end': {
    summary: 'Ends the interview now, and the trial session with it.',
    examples: [{ type: 'session.end', id: 'x1' }],
  },
  ping: { summary: 'Answered by `pong`.', examples: [{ type: 'ping' }] },
};

export const serverDescriptions: Descriptions<ServerMessage> = {
  'session.ready': {
    summary:
      'Answers `client.ready`: how far the facts and the candidate’s audio go, who recognises and speaks, whether audio is kept, the limits, and when the session expires.',
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
    summary: 'A fact: this question is open now, and the turn with it.',
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
      'A fact: the answer to that question as it is recorded, whoever recognised it. A second one of a turn is a late answer.',
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
    summary: 'A fact: the question’s speech was cut off, and heard so far.',
    examples: [{ type: 'interrupted', seq: 8, turn: 2, playedMs: 900 }],
  },
  'session.completed': {
    summary:
      'The last fact: the interview and the trial session are over, because the closing question was answered (`finished`), somebody ended it (`ended`) or its time was up (`time_limit`). A REST read with the header `Consistency-Token: <consistencyToken>` shows the session `completed`. Closing with 1000 follows.',
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
    summary: 'What the client’s message with this `id` caused is durable. The client may forget the message.',
    examples: [{ type: 'ack', id: 'a1' }],
  },
  'audio.ack': {
    summary:
      'The candidate’s audio up to this `seq` is durable. Until then the client keeps its frames, to send them again.',
    examples: [{ type: 'audio.ack', lastAudioSeq: 412 }],
  },
  'interviewer.started': {
    summary: 'The interviewer’s speech of that turn begins: its audio frames follow.',
    examples: [{ type: 'interviewer.started', turn: 2 }],
  },
  'interviewer.done': {
    summary: 'All of that speech has been sent, or it was stopped.',
    examples: [{ type: 'interviewer.done', turn: 2 }],
  },
  'speech.started': {
    summary: 'The candidate’s voice was heard in the audio.',
    examples: [{ type: 'speech.started' }],
  },
  'speech.stopped': {
    summary: 'The candidate’s voice has fallen silent.',
    examples: [{ type: 'speech.stopped' }],
  },
  'transcript.partial': {
    summary: 'What has been understood of the answer so far. It is shown, never recorded.',
    examples: [{ type: 'transcript.partial', turn: 3, text: 'I moved the' }],
  },
  flow: {
    summary: '`pause`: send no audio until `resume`. What was sent already is not lost.',
    examples: [
      { type: 'flow', state: 'pause' },
      { type: 'flow', state: 'resume' },
    ],
  },
  go_away: {
    summary:
      'The connection will be closed in so many milliseconds, because the service stops or the token expires: connect anew, with a fresh token, and resume.',
    examples: [{ type: 'go_away', deadlineMs: 60_000 }],
  },
  pong: { summary: 'Answers `ping`.', examples: [{ type: 'pong' }] },
  error: {
    summary:
      'Something is wrong: a code for programs and a sentence for people, with the `id` of the message to blame where there is one. `fatal`: the connection is closed right after it.',
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
