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
  /** The consistency token of a position. */
  readonly tokenOf: (position: Position) => string;
  readonly limits: Pick<RateLimits, 'batchOfActivity'>;
  /** How long an open turn waits for a connection that dropped, in milliseconds, without accommodations. */
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

/** Attempts while other writers cause conflicts. */
const MAX_TRIES = 5;

/**
 * The session on one connection: its latest state, what this connection records in it, and what the client is told of
 * that. All parts of a conversation share it. First the connection is recorded (`carryOut`), then the client is sent
 * `session.ready`, then `begin` sends the facts; `leave` ends all waiting. Recordings may run at the same time: the
 * later one is decided on the state after the earlier.
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
  /** As `isOver`. */
  private ended = false;
  /** Facts are sent from `begin` on. */
  private begun = false;
  /** Ids of messages that ask for the end, to acknowledge when it has come. */
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

  /** The latest state that is known; `null` until the first one is read or recorded. */
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

  /** The connection has ended. A method, since it changes while something is awaited. */
  isLeft(): boolean {
    return this.signal.aborted;
  }

  /** The session has ended, or another connection has superseded this one: nothing further is recorded or sent here. */
  get isOver(): boolean {
    return this.ended;
  }

  /** Whether this connection sends a turn's question to the client. */
  sendsQuestion(turn: number): boolean {
    const asked = this.interview?.facts.find((fact) => fact.type === 'question' && fact.turn === turn);
    return asked !== undefined && asked.seq > this.seenSeq;
  }

  /** Repeats an idempotent action while a store is unavailable. @throws a store's error that lasts */
  retryUnavailable<T>(attempt: () => Promise<T>): Promise<T> {
    return retryUnavailable(attempt, this.signal);
  }

  /** Appends what `decide` answers. See `carryOut`. */
  record(by: 'candidate' | 'system', decide: Decide): Promise<Refusal | null> {
    return this.carryOut(() => this.services.commands.record(this.context, by, decide));
  }

  /**
   * Carries out a recording step, again while a store is unavailable or other writers cause conflicts.
   * @returns the refusal; `null`: it is recorded, or the session is over here
   * @throws a store's error that lasts
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

  /** Reads what other processes have written. */
  async refresh(): Promise<void> {
    this.adopt(await this.retryUnavailable(() => this.services.commands.read(this.admitted.session)));
  }

  /** Refuses a message whose id was used for another before. @returns whether it did */
  refusesReusedId(message: ConversationMessage): boolean {
    const isReused = isRecorded(message) && this.recordedUnder(message) === 'other';
    if (isReused) this.answer(message.id, idReused().refusal);
    return isReused;
  }

  /**
   * Records what a message asks for and answers it: by `ack` once that is durable, else by the refusal.
   * @param record answers the refusal; `null`: it is recorded, or the session is over here
   * @throws what `record` throws
   */
  async answerTo(message: RecordedMessage, record: () => Promise<Refusal | null>): Promise<void> {
    this.recording = message;
    const refusal = await record();
    this.recording = null;
    this.answer(message.id, refusal);
  }

  /** Answers a message by `ack`, unless the session is over here. */
  acknowledge(id: string): void {
    if (this.ended) return;
    this.endRequests.delete(id);
    this.channel.send({ type: 'ack', id });
  }

  /** Answers a message by an `error` that is not fatal, unless the session is over here. */
  refuse(id: string, code: ErrorCode, sentence: string): void {
    if (this.ended) return;
    this.endRequests.delete(id);
    this.channel.report(code, sentence, id);
  }

  /**
   * A message asks for an end that may take a while: if the session is completed meanwhile, it is acknowledged then.
   */
  acknowledgeAtEnd(id: string): void {
    this.endRequests.add(id);
  }

  /** Starts sending facts to the client: first those that it has missed. */
  begin(): void {
    this.begun = true;
    // A client cannot have seen facts that do not exist yet.
    this.seenSeq = Math.min(this.seenSeq, this.trial?.lastSequenceNumber ?? 0);
    this.sentSeq = this.seenSeq;
    this.adopt({ state: this.trial, position: this.position });
  }

  /** The connection is gone, or is of no more use: `signal` aborts. */
  leave(): void {
    this.abort.abort();
  }

  /** Closes the connection because of an error. */
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
      // The newer connection sends the client everything; this one would repeat it.
      this.end();
      channel.close(CLOSE.superseded, SUPERSEDED);
      return;
    }
    if (isOurs && !interview.connection.open && !this.isLeft()) {
      // Another process has counted this one as dead and handles the session: the client connects again.
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

  /** Tells the client that the session has ended, acknowledges the messages that have led to it, and closes. */
  private sendEnd({ status, lastSequenceNumber, interview }: Trial): void {
    // Before `begin`, the client would miss the facts before the end.
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
    // The message that is being recorded may be recorded already: after the end it would get no `ack`.
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
