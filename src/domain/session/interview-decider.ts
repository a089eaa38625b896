import { accept, type Decision, refuse, type Refused } from '../../core/decider.js';
import { asksAgain } from './answers.js';
import { MAX_SESSION_EVENTS, storedBytes } from './budget.js';
import { completion, notStarted, type SessionCode, sessionEnded } from './decider.js';
import type {
  AnswerSource,
  AskedBy,
  EndReason,
  IdentityCheck,
  QuestionKind,
  TrialEvent,
  Waited,
} from './events.js';
import { hasId } from './id-set.js';
import { type Interview, isClosedTurn, openQuestion } from './interview-state.js';
import { isClosed, mayFollow } from './lifecycle.js';
import { recordedUnder } from './message-ids.js';
import { hasEnded, sessionEvent, type Trial, type TrialState } from './state.js';

/** Maximum bytes of the log for a candidate's answers in one interview, beside the session's activities. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Turns are counted in 16 bits on the wire. */
export const LAST_TURN = 65_535;

/** A running session with its interview, once a client has connected. */
export type Interviewing = Trial & { readonly interview: Interview };

export interface Connect {
  readonly connectionId: string;
  /** The process that holds the connection, by the name of its lease. */
  readonly host: string;
  readonly identity: IdentityCheck;
  /** By the organisation's setting the audio is kept, and the client was informed of it. */
  readonly recorded: boolean;
  /** What the client calls its device; `null`: it names none. */
  readonly deviceId: string | null;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly now: string;
}

/** The session, if it can be interviewed now. A session that has started has a stream. */
export const running = (state: TrialState, now: string): Trial | Refused => {
  if (state === null || state.status === 'invited') return notStarted();
  return hasEnded(state, now) ? sessionEnded() : state;
};

/** Gives the interview to a new connection: the former one records nothing more. */
export const connect = (state: TrialState, input: Connect): Decision<TrialEvent> => {
  const session = running(state, input.now);
  if ('kind' in session) return session;
  const former = session.interview?.connection ?? null;
  if (former?.connectionId === input.connectionId) return accept();
  // An earlier attempt was stored although its answer was lost, and a newer connection has followed.
  if (session.interview && hasId(session.interview.connectionIds, input.connectionId)) return superseded();
  if (session.lastSequenceNumber >= MAX_SESSION_EVENTS)
    return refuse<SessionCode>(
      'session_full',
      'This session holds as much as it can: no connection is opened any more.',
    );
  const resumed = sessionEvent(session, 'trial.resumed', {});
  const resumes = mayFollow(session, 'trial.resumed');
  const { connectionId, host, identity, recorded, deviceId } = input;
  const known = former?.deviceId ?? null;
  const connected = sessionEvent(
    session,
    'interview.connected',
    {
      connectionId,
      ordinal: (former?.ordinal ?? 0) + 1,
      host,
      identity,
      recorded,
      superseded: former?.open ? former.connectionId : null,
      sameDevice: known === null || deviceId === null ? null : known === deviceId,
    },
    { deviceId },
    resumes ? 1 : 0,
  );
  return accept(...(resumes ? [resumed, connected] : [connected]));
};

export interface Disconnect {
  readonly connectionId: string;
  /** The closing code; `null`: the process that held the connection was lost. */
  readonly code: number | null;
  /** The open turn's wait on this connection; `null`: no turn is open, or the process was lost. */
  readonly waited: Waited | null;
  /** Milliseconds since the first question; `null` before it, or if the process was lost. */
  readonly elapsedMs: number | null;
}

/** Records that a connection ended, unless that is recorded already. */
export const disconnect = (state: TrialState, input: Disconnect): Decision<TrialEvent> => {
  if (state === null || isClosed(state)) return accept();
  const { connection, superseded = [] } = state.interview ?? {};
  const { connectionId } = input;
  const isOpen =
    connection?.connectionId === connectionId ? connection.open : superseded.includes(connectionId);
  if (!isOpen) return accept();
  return accept(sessionEvent(state, 'interview.disconnected', { ...input }));
};

/** Records that the connection has been lost for `RESUME_MS`, unless the client has reconnected or that is recorded. */
export const interrupt = (
  state: TrialState,
  { connectionId }: { readonly connectionId: string },
): Decision<TrialEvent> => {
  if (state === null || !mayFollow(state, 'trial.interrupted')) return accept();
  if (state.interview?.connection.connectionId !== connectionId) return accept();
  return accept(sessionEvent(state, 'trial.interrupted', { connectionId }));
};

export interface Ask {
  readonly connectionId: string;
  readonly questionId: string;
  readonly kind: QuestionKind;
  /** What is said before the question; `null`: nothing. */
  readonly preface: string | null;
  readonly text: string;
  readonly dimensionIds: readonly string[];
  /** Its index in the plan; of a follow-up or clarification that of the question before it; `null`: none. */
  readonly planned: number | null;
  /** How many questions are planned. */
  readonly planSize: number;
  readonly askedBy: AskedBy;
  /** When the interview ends if this is its first question. */
  readonly endsAt: string;
  /** Milliseconds since the first question. */
  readonly elapsedMs: number;
}

/** Opens the next turn. While one is open, nothing changes. Once the session is full, it is refused. */
export const ask = (state: TrialState, input: Ask): Decision<TrialEvent> => {
  const session = held(state, input.connectionId);
  if ('kind' in session) return session;
  const { interview } = session;
  if (openQuestion(interview)) return accept();
  const turn = (interview.questions.at(-1)?.turn ?? 0) + 1;
  if (turn > LAST_TURN || isFull(session, 0))
    return refuse<SessionCode>('session_full', 'This interview has as many turns as it can have.');
  const { questionId, kind, preface, text, dimensionIds, planned, planSize, askedBy, elapsedMs } = input;
  const endsAt = interview.endsAt ?? input.endsAt;
  return accept(
    sessionEvent(
      session,
      'interview.question_asked',
      { turn, questionId, kind, dimensionIds, planned, askedBy, endsAt, elapsedMs, planSize },
      { text, ...(preface !== null && { preface }) },
    ),
  );
};

export interface RecordAnswer {
  /** `null`: the service closes the turn itself. */
  readonly connectionId: string | null;
  /** The id of the lost connection that the answer came on: nothing is recorded if a newer one has replaced it. */
  readonly goneConnectionId?: string;
  readonly turn: number;
  readonly text: string;
  readonly source: AnswerSource;
  /** The id of the client's message or of a late spoken answer; `null`: the turn was closed by its speech. */
  readonly messageId: string | null;
  /** From the end of the question to the start of the answer, in milliseconds; `null`: no start was seen. */
  readonly gapMs: number | null;
  /** The candidate's last audio frame of all turns up to this one. */
  readonly lastAudioSeq: number;
  /** The speech of the turn that the vault has, and whether it stays there; `null`: there is none. */
  readonly voice: { readonly durationMs: number; readonly kept: boolean } | null;
  /** The service that transcribed it; `null`: the client did, or the answer was typed. */
  readonly transcriber: string | null;
  /** Milliseconds since the first question. */
  readonly elapsedMs: number;
}

/**
 * Answers an open turn. A message to a closed turn is kept as a late answer; speech of a turn that has been closed
 * meanwhile changes nothing.
 */
export const recordAnswer = (state: TrialState, input: RecordAnswer): Decision<TrialEvent> => {
  const session = held(state, input.connectionId);
  if ('kind' in session) return session;
  const { interview } = session;
  const { messageId, turn, goneConnectionId, source, text } = input;
  if (goneConnectionId !== undefined && interview.connection.connectionId !== goneConnectionId)
    return accept();
  if (messageId !== null) {
    const content = { type: 'message.text', turn, source, text } as const;
    const recorded = recordedUnder(interview.messageIds, messageId, content);
    if (recorded !== 'nothing') return recorded === 'same' ? accept() : idReused();
  }
  const question = interview.questions.find((one) => one.turn === turn);
  if (!question) return refuse('not_found', `There is no question of turn ${turn}.`);
  const late = isClosedTurn(question);
  if (late && messageId === null) return accept();
  if (late && isFull(session, storedBytes(text)))
    return refuse<SessionCode>('session_full', 'This interview holds as many late answers as it can.');
  const { lastAudioSeq, voice, transcriber, elapsedMs } = input;
  const { questionId } = question;
  const gapMs = late ? null : input.gapMs;
  // A late message has no speech of its own.
  const ofSpeech = !late || source === 'transcribed' ? { voice, transcriber } : NOT_SPOKEN;
  const heard = { ...ofSpeech, lastAudioSeq: late ? interview.lastAudioSeq : lastAudioSeq };
  return accept(
    sessionEvent(
      session,
      'interview.answer_recorded',
      {
        ...{ turn, questionId, source, late, gapMs, ...heard, elapsedMs },
        ...(text.trim() !== '' && asksAgain(text) && ({ asksAgain: true } as const)),
      },
      { text, messageId },
    ),
  );
};

const NOT_SPOKEN = { voice: null, transcriber: null };

export interface Skip {
  readonly connectionId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly lastAudioSeq: number;
  readonly voice: RecordAnswer['voice'];
  /** Milliseconds since the first question. */
  readonly elapsedMs: number;
}

/** Closes an open turn without an answer; a turn that is closed already stays as it is. */
export const skip = (state: TrialState, input: Skip): Decision<TrialEvent> => {
  const { connectionId, messageId, ...skipped } = input;
  const session = held(state, connectionId);
  if ('kind' in session) return session;
  const { turn } = input;
  const recorded = recordedUnder(session.interview.messageIds, messageId, { type: 'turn.skip', turn });
  if (recorded !== 'nothing') return recorded === 'same' ? accept() : idReused();
  const question = session.interview.questions.find((one) => one.turn === turn);
  if (!question) return refuse('not_found', `There is no question of turn ${turn}.`);
  if (isClosedTurn(question)) return accept();
  const { questionId } = question;
  return accept(sessionEvent(session, 'interview.turn_skipped', { ...skipped, questionId }, { messageId }));
};

export interface CutOff {
  readonly connectionId: string;
  readonly turn: number;
  /** Milliseconds of the speech that were heard, as the client reports it. */
  readonly playedMs: number;
  /** Milliseconds of it that were sent. */
  readonly sentMs: number;
  readonly messageId: string;
}

/** Records how much of the interviewer's speech was heard. Only the first interruption of a turn counts. */
export const cutOff = (state: TrialState, input: CutOff): Decision<TrialEvent> => {
  const session = held(state, input.connectionId);
  if ('kind' in session) return session;
  const { messageId, turn, sentMs } = input;
  const recorded = recordedUnder(session.interview.messageIds, messageId, { type: 'interrupt', turn });
  if (recorded !== 'nothing') return recorded === 'same' ? accept() : idReused();
  const question = session.interview.questions.find((one) => one.turn === turn);
  if (!question) return refuse('not_found', `There is no question of turn ${turn}.`);
  if (question.interruptedAtMs !== null) return accept();
  const playedMs = Math.min(input.playedMs, sentMs);
  return accept(
    sessionEvent(
      session,
      'interview.interrupted',
      { turn, questionId: question.questionId, playedMs, sentMs },
      { messageId },
    ),
  );
};

/** Ends the interview, and the session with it. If it has ended already, nothing changes. */
export const finish = (
  state: TrialState,
  input: { readonly reason: EndReason; readonly evaluationId: string; readonly now: string },
): Decision<TrialEvent> => {
  if (state === null || !mayFollow(state, 'trial.completed')) return accept();
  return accept<TrialEvent>(...completion(state, input.reason, input));
};

/** The running session, if the connection still holds the interview. @param connectionId `null`: any connection */
const held = (state: TrialState, connectionId: string | null): Interviewing | Refused => {
  if (state === null || isClosed(state)) return sessionEnded();
  const { interview } = state;
  if (interview === null)
    return refuse<SessionCode>('not_started', 'This session’s interview has not begun.');
  if (connectionId === null) return { ...state, interview };
  const { connection } = interview;
  if (connection.connectionId !== connectionId) return superseded();
  // Another process found the connection lost and closed its turn: the client must connect again.
  if (!connection.open) return refuse('conflict', 'This connection was taken for lost: connect again.');
  return { ...state, interview };
};

/** @param bytes that one more answer would take up */
const isFull = ({ interview, lastSequenceNumber }: Interviewing, bytes: number): boolean =>
  interview.bytes + bytes > MAX_ANSWER_BYTES || lastSequenceNumber >= MAX_SESSION_EVENTS;

/**
 * The refusal of an id that was used for another message, as of an Idempotency-Key: an acknowledgement would lose the
 * message silently.
 */
export const idReused = (): Refused =>
  refuse('idempotency_key_reused', 'This id was used for another message of the session: use a new one.');
const superseded = (): Refused => refuse('conflict', 'A newer connection has taken this interview over.');
