import type { ServerMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import type { Stored } from '../../core/event.js';
import { storedBytes } from './budget.js';
import type { AnswerSource, EndReason, InterviewEvent, QuestionKind, Waited } from './events.js';
import { EMPTY_IDS, hasId, type IdSet, withIds } from './id-set.js';
import { type MessageIds, NO_MESSAGES, withMessage } from './message-ids.js';

/** How long an open turn waits for a connection that dropped, in milliseconds, without accommodations. */
export const RESUME_MS = 120_000;

export interface Answer {
  readonly text: string;
  readonly source: AnswerSource;
  readonly at: string;
}

/** A question with its answer. Texts are empty if they are unreadable. */
export interface Question {
  /** From 1, without a gap. */
  readonly turn: number;
  readonly questionId: string;
  readonly kind: QuestionKind;
  /** What is said before it; `null`: nothing. */
  readonly preface: string | null;
  readonly text: string;
  readonly dimensionIds: readonly string[];
  /** Its index in the plan; of a follow-up or clarification that of the question before it; `null`: none. */
  readonly planned: number | null;
  readonly askedAt: string;
  /** `null`: the turn is open, or was skipped. */
  readonly answer: Answer | null;
  /** The candidate chose not to answer. */
  readonly skipped: boolean;
  readonly lateAnswers: number;
  /** How much of its speech was heard when the candidate interrupted it, in milliseconds; `null`: never interrupted. */
  readonly interruptedAtMs: number | null;
}

/** The newest connection. */
export interface Connection {
  readonly connectionId: string;
  /** The process that holds or held it, by the name of its lease. */
  readonly host: string;
  /** Counts the interview's connections, from 1. */
  readonly ordinal: number;
  /** What the client calls its device; `null`: it named none, or that can no longer be read. */
  readonly deviceId: string | null;
  /** False once it is known to have dropped. */
  readonly open: boolean;
}

/** A fact as the socket sends it. Its `seq` is the event's sequence number. */
export type Fact = ServerMessageOf<'question' | 'transcript.final' | 'turn.skipped' | 'interrupted'>;

/** A session's interview, from its first connection on. */
export interface Interview {
  readonly connection: Connection;
  /** All connections of the interview: none connects twice. */
  readonly connectionIds: IdSet;
  /** The audio of the newest connection is kept, and its client was informed of it. */
  readonly recorded: boolean;
  /** `recorded` is true of every connection since the open turn's question. Without an open turn it has no meaning. */
  readonly keepsOpenTurn: boolean;
  readonly questions: readonly Question[];
  /** By the clock of the process that asked first; `null` before the first question. */
  readonly endsAt: string | null;
  /**
   * Measured time since the first question, in milliseconds, and when it was recorded: `at` is empty before the
   * question.
   */
  readonly elapsed: { readonly ms: number; readonly at: string };
  /** How long the interview had taken when its newest question was asked, in milliseconds. */
  readonly askedMs: number;
  /** The last audio frame that belongs to a closed turn. */
  readonly lastAudioSeq: number;
  /** The open turn's wait on connections that have ended, in milliseconds. */
  readonly waitedMs: number;
  /** Superseded connections whose end is not recorded yet. */
  readonly superseded: readonly string[];
  /** Turns whose speech stays in the vault once they are closed. */
  readonly keptTurns: readonly number[];
  readonly messageIds: MessageIds;
  readonly facts: readonly Fact[];
  /** What the candidate's answers take up, in bytes of the log. */
  readonly bytes: number;
  /** `null` until the interview's end is recorded. A withdrawal of the session records none. */
  readonly endReason: EndReason | null;
}

/** A question as it is spoken, with what is said before it. */
export const spokenText = ({ preface, text }: Pick<Question, 'preface' | 'text'>): string =>
  preface === null ? text : `${preface} ${text}`;

/** Whether a question was answered or skipped. */
export const isClosedTurn = ({ answer, skipped }: Question): boolean => answer !== null || skipped;

/** The question of the turn that waits for an answer; `null`: none does. */
export const openQuestion = (interview: Interview | null): Question | null => {
  const last = interview?.questions.at(-1);
  return last && !isClosedTurn(last) ? last : null;
};

const EMPTY: Omit<Interview, 'connection' | 'recorded' | 'keepsOpenTurn'> = {
  connectionIds: EMPTY_IDS,
  questions: [],
  endsAt: null,
  elapsed: { ms: 0, at: '' },
  askedMs: 0,
  lastAudioSeq: 0,
  waitedMs: 0,
  superseded: [],
  keptTurns: [],
  messageIds: NO_MESSAGES,
  facts: [],
  bytes: 0,
  endReason: null,
};

/** The interview after one more event; `null` until the first connection. */
export const evolveInterview = (
  before: Interview | null,
  event: Stored<InterviewEvent>,
): Interview | null => {
  if (event.type === 'interview.connected') {
    const { connectionId, host, ordinal, recorded, superseded } = event.data;
    const deviceId = event.personal?.deviceId ?? null;
    const connection = { connectionId, host, ordinal, deviceId, open: true };
    const interview = before ?? EMPTY;
    const { connectionIds } = interview;
    return {
      ...interview,
      connection,
      superseded: superseded === null ? interview.superseded : [...interview.superseded, superseded],
      connectionIds: hasId(connectionIds, connectionId)
        ? connectionIds
        : withIds(connectionIds, [connectionId]),
      recorded,
      keepsOpenTurn: recorded && (before === null || before.keepsOpenTurn),
    };
  }
  if (before === null) return null;
  const at = event.metadata.recordedAt;
  const seq = event.data.sequenceNumber;
  switch (event.type) {
    case 'interview.disconnected': {
      const { connectionId, waited, elapsedMs } = event.data;
      const interview = { ...before, waitedMs: waitedAfter(before, waited) };
      if (before.connection.connectionId === connectionId)
        return {
          ...interview,
          connection: { ...before.connection, open: false },
          elapsed: elapsedAfter(before, elapsedMs, at),
        };
      return { ...interview, superseded: before.superseded.filter((one) => one !== connectionId) };
    }
    case 'interview.question_asked': {
      const { turn, questionId, kind, dimensionIds, planned, planSize, endsAt, elapsedMs } = event.data;
      const text = event.personal?.text ?? '';
      const preface = event.personal?.preface ?? null;
      const question: Question = {
        turn,
        questionId,
        kind,
        preface,
        text,
        dimensionIds,
        planned,
        askedAt: at,
        answer: null,
        skipped: false,
        lateAnswers: 0,
        interruptedAtMs: null,
      };
      return {
        ...before,
        endsAt,
        askedMs: elapsedMs,
        waitedMs: 0,
        keepsOpenTurn: before.recorded,
        elapsed: elapsedAfter(before, elapsedMs, at),
        questions: [...before.questions, question],
        facts: [
          ...before.facts,
          {
            ...{ type: 'question', seq, turn, questionId, kind, text },
            ...(preface !== null && { preface }),
            ...(planned !== null && planSize !== undefined && { number: planned + 1, of: planSize }),
          },
        ],
      };
    }
    case 'interview.answer_recorded': {
      const { turn, questionId, source, late, lastAudioSeq, voice, elapsedMs } = event.data;
      const text = event.personal?.text ?? '';
      const id = event.personal?.messageId ?? null;
      return {
        ...before,
        elapsed: elapsedAfter(before, elapsedMs, at),
        keptTurns: voice?.kept === true && !late ? [...before.keptTurns, turn] : before.keptTurns,
        lastAudioSeq: Math.max(before.lastAudioSeq, lastAudioSeq),
        bytes: before.bytes + storedBytes(text),
        messageIds:
          id === null
            ? before.messageIds
            : withMessage(before.messageIds, id, { type: 'message.text', turn, source, text }),
        questions: changed(before.questions, turn, (question) =>
          late
            ? { ...question, lateAnswers: question.lateAnswers + 1 }
            : { ...question, answer: { text, source, at } },
        ),
        facts: [...before.facts, { type: 'transcript.final', seq, turn, questionId, text, source }],
      };
    }
    case 'interview.turn_skipped': {
      const { turn, questionId, lastAudioSeq, voice, elapsedMs } = event.data;
      const id = event.personal?.messageId ?? null;
      return {
        ...before,
        elapsed: elapsedAfter(before, elapsedMs, at),
        keptTurns: voice?.kept === true ? [...before.keptTurns, turn] : before.keptTurns,
        lastAudioSeq: Math.max(before.lastAudioSeq, lastAudioSeq),
        messageIds:
          id === null ? before.messageIds : withMessage(before.messageIds, id, { type: 'turn.skip', turn }),
        questions: changed(before.questions, turn, (question) => ({ ...question, skipped: true })),
        facts: [...before.facts, { type: 'turn.skipped', seq, turn, questionId }],
      };
    }
    case 'interview.interrupted': {
      const { turn, playedMs } = event.data;
      const id = event.personal?.messageId ?? null;
      return {
        ...before,
        messageIds:
          id === null ? before.messageIds : withMessage(before.messageIds, id, { type: 'interrupt', turn }),
        questions: changed(before.questions, turn, (question) => ({
          ...question,
          interruptedAtMs: playedMs,
        })),
        facts: [...before.facts, { type: 'interrupted', seq, turn, playedMs }],
      };
    }
    case 'interview.ended':
      return { ...before, endReason: event.data.reason };
    case 'trial.interrupted':
      return { ...before, connection: { ...before.connection, open: false } };
    case 'trial.resumed':
      return before;
  }
};

/** The greater of the two measures, with the time of its event. The interview's clock continues from it. */
const elapsedAfter = ({ elapsed }: Interview, ms: number | null, at: string): Interview['elapsed'] =>
  ms !== null && (elapsed.at === '' || ms > elapsed.ms) ? { ms, at } : elapsed;

const changed = (
  questions: readonly Question[],
  turn: number,
  change: (question: Question) => Question,
): readonly Question[] => questions.map((question) => (question.turn === turn ? change(question) : question));

/** The open turn's total wait, in milliseconds, with one more part of it. */
const waitedAfter = (interview: Interview, waited: Waited | null): number => {
  if (waited === null || waited.turn !== openQuestion(interview)?.turn) return interview.waitedMs;
  return waited.ms + (waited.anew ? 0 : interview.waitedMs);
};
