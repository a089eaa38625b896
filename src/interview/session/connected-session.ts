import { v7 as uuidV7 } from 'uuid';
import { CLOSE, type ErrorCode } from '../../../packages/interview-client/src/protocol/codes.js';
import type { Fields } from '../../../packages/interview-client/src/protocol/fields.js';
import { clientMessages } from '../../../packages/interview-client/src/protocol/messages.js';
import type { Snapshot } from '../../core/aggregate.js';
import type { Refusal } from '../../core/decider.js';
import { type Position, START } from '../../core/event-store.js';
import type { Handled } from '../../core/handle.js';
import { PersonErased } from '../../core/vault/port.js';
import { hasId } from '../../domain/session/id-set.js';
import { idReused } from '../../domain/session/interview-decider.js';
import type { Interview } from '../../domain/session/interview-state.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import { type MessageContent, recordedUnder } from '../../domain/session/message-ids.js';
import type { TrialState, Trial } from '../../domain/session/state.js';
import { reasonOf } from '../../engine/errors.js';
import type { RateLimits } from '../../http/rate-limits.js';
import { DEFAULT_LANGUAGE, interviewLanguage, type Language } from '../../languages/languages.js';
import type { AudioOf } from '../../vault/port.js';
import type { Interviewer } from '../interviewer/interviewer.js';
import type { InterviewHost } from '../watch/host.js';
import type { Decide, SessionContext } from './commands.js';
import type { InterviewCloser, InterviewCloserOptions } from './interview-closer.js';
import type { ConversationMessage, ClientChannel, AdmittedCaller } from './port.js';
import type { SessionFeed } from './session-feed.js';
import { isUnavailable, retryUnavailable } from './store-retries.js';
import { audioOf } from './stored-speech.js';

/** What all interviews of a process share. */
export interface InterviewServices extends InterviewCloserOptions {
  readonly closer: InterviewCloser;
  readonly interviewer: Interviewer;
  readonly host: Pick<InterviewHost, 'begin'>;
  readonly feed: SessionFeed;
  /** Returns a position's consistency token. */
  readonly tokenOf: (position: Position) => string;
  readonly limits: Pick<RateLimits, 'batchOfActivity'>;
  /** How long a disconnected client may take to come back, in milliseconds, without accommodations. */
  readonly resumeMs?: number;
}

interface SessionEvents {
  /** The session has changed and has not ended. */
  readonly onMoved: () => void;
  /** The connection is about to be closed: the session has ended, or continues elsewhere. */
  readonly onOver: () => void;
}

/** A message that records something. */
type RecordedMessage = Extract<ConversationMessage, { readonly id: string }>;

/** Attempts if other writers cause conflicts. */
const MAX_TRIES = 5;

/**
 * The session on one connection: keeps its latest state, records what the client does, and sends the client what is
 * recorded. All parts of a conversation share it. Order of calls: `carryOut` to record the connection; after
 * `session.ready` is sent, `begin`; at the end `leave`. Recordings may run at the same time: each is decided on the
 * state after the one before it.
 */
export class ConnectedSession {
  readonly connectionId = uuidV7();
  readonly context: SessionContext;
  /** The address of the session's audio. */
  readonly audioOf: AudioOf;
  private readonly abort = new AbortController();
  private trial: Trial | null = null;
  /** Position of the state. */
  private position = START;
  /** `seq` of the last fact that the client was sent. */
  private sentSeq: number;
  /** See `isOver`. */
  private ended = false;
  /** `begin` was called: facts are sent. */
  private begun = false;
  /** Ids of messages that are acknowledged when the session ends; see `acknowledgeAtEnd`. */
  private readonly endRequests = new Set<string>();
  /** The message that is being recorded; `null`: none is. */
  private recording: RecordedMessage | null = null;

  /** @param seenSeq `seq` of the last fact that the client has seen on earlier connections */
  constructor(
    readonly services: InterviewServices,
    readonly admitted: AdmittedCaller,
    readonly channel: ClientChannel,
    private seenSeq: number,
    private readonly events: SessionEvents,
  ) {
    this.context = { session: admitted.session, correlationId: admitted.ids.correlationId };
    this.audioOf = audioOf(admitted.session);
    this.sentSeq = seenSeq;
  }

  /** The interview as of the latest state; `null` until the first connection is recorded. */
  get interview(): Interview | null {
    return this.trial?.interview ?? null;
  }

  /** The latest state that was read or recorded; `null`: none yet. */
  get state(): Trial | null {
    return this.trial;
  }

  /** The language that the interview is held in. */
  get language(): Language {
    return interviewLanguage(this.trial?.language ?? DEFAULT_LANGUAGE);
  }

  /** Aborts when the connection ends. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Whether the connection has ended. A method, since TypeScript would narrow a property across an `await`. */
  isLeft(): boolean {
    return this.signal.aborted;
  }

  /** Whether the session has ended or a newer connection has superseded this one: then it records and sends no more. */
  get isOver(): boolean {
    return this.ended;
  }

  /** Whether this connection sends a turn's question to the client. */
  sendsQuestion(turn: number): boolean {
    const asked = this.interview?.facts.find((fact) => fact.type === 'question' && fact.turn === turn);
    return asked !== undefined && asked.seq > this.seenSeq;
  }

  /** Repeats an idempotent action while a store is unavailable. @throws see `retryUnavailable` of the module */
  retryUnavailable<T>(attempt: () => Promise<T>): Promise<T> {
    return retryUnavailable(attempt, this.signal);
  }

  /**
   * Appends the events that `decide` returns.
   * @returns the refusal; `null`: it is recorded, or `isOver`
   * @throws {Unavailable} a store is unavailable for too long
   */
  record(by: 'candidate' | 'system', decide: Decide): Promise<Refusal | null> {
    return this.carryOut(() => this.services.commands.record(this.context, by, decide));
  }

  /**
   * Carries out a recording step. Repeats it while a store is unavailable or other writers cause conflicts.
   * @returns the refusal; `null`: it is recorded, or `isOver`
   * @throws {Unavailable} a store is unavailable for too long
   */
  async carryOut(step: () => Promise<Handled<TrialState>>): Promise<Refusal | null> {
    for (let tries = 1; !this.ended; tries++) {
      const handled = await this.retryUnavailable(step);
      if (handled.kind === 'done') {
        this.adopt(handled);
        return null;
      }
      const { code } = handled.refusal;
      if (code === 'erased') {
        this.closeAsOver();
        return null;
      }
      if (code !== 'conflict' && code !== 'session_ended') return handled.refusal;
      await this.refresh();
      if (tries === MAX_TRIES) return this.isOver ? null : handled.refusal;
    }
    return null;
  }

  /** Reads the state again, which other processes may have changed. */
  async refresh(): Promise<void> {
    this.adopt(await this.retryUnavailable(() => this.services.commands.read(this.admitted.session)));
  }

  /** Refuses a message if its id was used for a different one. @returns whether it was refused */
  refusesReusedId(message: ConversationMessage): boolean {
    const isReused = isRecorded(message) && this.recordedUnder(message) === 'other';
    if (isReused) this.answer(message.id, idReused().refusal);
    return isReused;
  }

  /**
   * Records a message and answers it: by `ack` once the record is durable, else by the refusal.
   * @param record returns the refusal; `null`: it is recorded, or `isOver`
   * @throws what `record` throws
   */
  async answerTo(message: RecordedMessage, record: () => Promise<Refusal | null>): Promise<void> {
    this.recording = message;
    const refusal = await record();
    this.recording = null;
    this.answer(message.id, refusal);
  }

  /** Answers a message by `ack`, unless `isOver`. */
  acknowledge(id: string): void {
    if (this.ended) return;
    this.endRequests.delete(id);
    this.channel.send({ type: 'ack', id });
  }

  /** Answers a message by an `error` that is not fatal, unless `isOver`. */
  refuse(id: string, code: ErrorCode, sentence: string): void {
    if (this.ended) return;
    this.endRequests.delete(id);
    this.channel.report(code, sentence, id);
  }

  /** Acknowledges a message when the session is completed, if no `acknowledge` or `refuse` comes before. */
  acknowledgeAtEnd(id: string): void {
    this.endRequests.add(id);
  }

  /** Starts sending facts to the client: first those that it has missed. */
  begin(): void {
    this.begun = true;
    // A client may claim facts that do not exist yet.
    this.seenSeq = Math.min(this.seenSeq, this.trial?.lastSequenceNumber ?? 0);
    this.sentSeq = this.seenSeq;
    this.adopt({ state: this.trial, position: this.position });
  }

  /** Aborts `signal`: the connection has ended, or is about to be closed. */
  leave(): void {
    this.abort.abort();
  }

  /** Closes the connection because of an error, and logs it unless the candidate is erased. Ignored if `isLeft`. */
  readonly fail = (error: unknown): void => {
    if (this.isLeft()) return;
    if (error instanceof PersonErased) {
      this.channel.close(CLOSE.sessionOver, SESSION_OVER);
      return;
    }
    const { log } = this.services;
    const fields = { reason: reasonOf(error), correlationId: this.context.correlationId };
    if (isUnavailable(error))
      log.warn(fields, 'An interview’s connection was closed: a store is unavailable.');
    else log.error(fields, 'An interview’s connection failed.');
    const sentence = 'The service cannot continue this connection. Connect again.';
    this.channel.close(CLOSE.fault, { code: 'internal', sentence });
  };

  /** Adopts a state and sends the client its new facts; ignores a state older than the known one. */
  private adopt({ state, position }: Pick<Snapshot<TrialState>, 'state' | 'position'>): void {
    if (this.ended || state === null) return;
    if (this.trial && state.lastSequenceNumber < this.trial.lastSequenceNumber) return;
    this.trial = state;
    this.position = position;
    const { connectionId, channel } = this;
    const { interview } = state;
    const isOurs = interview?.connection.connectionId === connectionId;
    if (interview && !isOurs && hasId(interview.connectionIds, connectionId)) {
      // The newer connection sends the client all facts; this one would repeat them.
      this.end();
      channel.close(CLOSE.superseded, SUPERSEDED);
      return;
    }
    if (isOurs && !interview.connection.open && !this.isLeft()) {
      // Another process has declared this one dead and recorded the connection's end: the client must connect again.
      this.end();
      channel.close(CLOSE.restart);
      return;
    }
    if (this.begun) this.sendFacts();
    if (isClosed(state)) this.sendEnd(state);
    else if (this.begun) this.events.onMoved();
  }

  private answer(id: string, refusal: Refusal | null): void {
    if (refusal === null) this.acknowledge(id);
    else this.refuse(id, CODES[refusal.code] ?? 'unavailable', refusal.message);
  }

  private recordedUnder(message: RecordedMessage): ReturnType<typeof recordedUnder> {
    const { interview } = this;
    return interview ? recordedUnder(interview.messageIds, message.id, contentOf(message)) : 'nothing';
  }

  /** Sends what was recorded since the last fact that the client was sent. */
  private sendFacts(): void {
    for (const fact of this.interview?.facts ?? []) {
      if (fact.seq <= this.sentSeq) continue;
      this.channel.send(fact);
      this.sentSeq = fact.seq;
    }
  }

  /** Sends the client the end of the session and the acknowledgements that wait for it, and closes. */
  private sendEnd({ status, lastSequenceNumber, interview }: Trial): void {
    // Before `begin`, `session.completed` would come without the facts before it.
    if (status !== 'completed' || !this.begun) {
      this.closeAsOver();
      return;
    }
    this.channel.send({
      type: 'session.completed',
      seq: lastSequenceNumber,
      reason: interview?.endReason ?? 'ended',
      consistencyToken: this.services.tokenOf(this.position),
    });
    // The state may already contain the message that is being recorded. After the closing it would get no `ack`.
    const { recording } = this;
    if (recording !== null && this.recordedUnder(recording) === 'same') this.endRequests.add(recording.id);
    for (const id of this.endRequests) this.channel.send({ type: 'ack', id });
    this.end();
    this.channel.close(CLOSE.ended);
  }

  private closeAsOver(): void {
    this.end();
    this.channel.close(CLOSE.sessionOver, SESSION_OVER);
  }

  private end(): void {
    this.ended = true;
    this.events.onOver();
  }
}

/** Whether a message records something: the declaration of such a message requires an `id`. */
const isRecorded = (message: ConversationMessage): message is RecordedMessage => {
  const fields: Fields = clientMessages[message.type].fields;
  return fields['id']?.optional === false;
};

const contentOf = (message: RecordedMessage): MessageContent =>
  message.type === 'message.text' ? { ...message, source: message.source ?? 'typed' } : message;

const CODES: Readonly<Record<string, ErrorCode | undefined>> = {
  session_full: 'session_full',
  idempotency_key_reused: 'id_reused',
  // The turn was never asked.
  not_found: 'bad_message',
};

const SESSION_OVER = { code: 'session_over', sentence: 'This session is over.' } as const;
const SUPERSEDED = {
  code: 'superseded',
  sentence: 'A newer connection has taken over this interview.',
} as const;
