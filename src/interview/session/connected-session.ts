import { v7 as uuidV7 } from 'uuid';
import { DEFAULT_LANGUAGE, interviewLanguage, type Language } from '../../languages/languages.js';
import type { Snapshot } from '../../core/aggregate.js';
import type { Refusal } from '../../core/decider.js';
import { type Position, START } from '../../core/event-store.js';
import type { Handled } from '../../core/handle.js';
import { PersonErased } from '../../core/vault/port.js';
import type { TrialState, Trial } from '../../domain/session/state.js';
import type { Interview } from '../../domain/session/interview-state.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import { hasId } from '../../domain/session/seen-ids.js';
import { reasonOf } from '../../engine/errors.js';
import type { RateLimits } from '../../http/rate-limits.js';
import type { AudioOf } from '../../vault/port.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import type { Interviewer } from '../interviewer/interviewer.js';
import type { InterviewHost } from '../watch/host.js';
import type { Closing, ClosingOptions } from './closing.js';
import type { Decide, SessionContext } from './commands.js';
import { isAway, persistently } from './patience.js';
import type { Line, Visitor } from './port.js';
import { audioOf } from './stored-speech.js';

/** What all interviews of a process share. */
export interface InterviewServices extends ClosingOptions {
  readonly closing: Closing;
  readonly interviewer: Interviewer;
  readonly host: Pick<InterviewHost, 'begin'>;
  /** The consistency token of a position. */
  readonly tokenOf: (position: Position) => string;
  readonly limits: Pick<RateLimits, 'batchOfActivity'>;
}

interface SessionEvents {
  /** The session has changed and has not ended. */
  readonly onMoved: () => void;
  /** The connection is closed; `completed`: acknowledge the candidate's messages that ended the session. */
  readonly onOver: (completed: boolean) => void;
}

/** Attempts while other writers cause conflicts. */
const TRIES = 5;

/**
 * The session on one connection: its latest state, what this connection records in it, and which facts the client has
 * been sent. All parts of a conversation share it.
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
  private sentSeq: number;
  private ended = false;
  private begun = false;

  /** @param seenSeq `seq` of the last fact that the client has seen on earlier connections */
  constructor(
    readonly services: InterviewServices,
    readonly visitor: Visitor,
    readonly line: Line,
    private seenSeq: number,
    private readonly events: SessionEvents,
  ) {
    this.context = { session: visitor.session, correlationId: visitor.ids.correlationId };
    this.audioOf = audioOf(visitor.session);
    this.sentSeq = seenSeq;
  }

  get interview(): Interview | null {
    return this.trial?.interview ?? null;
  }

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

  /** The session has ended, or another connection has superseded this one. */
  get isOver(): boolean {
    return this.ended;
  }

  /** Whether this connection sends a turn's question to the client. */
  tellsOf(turn: number): boolean {
    const asked = this.interview?.facts.find((fact) => fact.type === 'question' && fact.turn === turn);
    return asked !== undefined && asked.seq > this.seenSeq;
  }

  /** Repeats an idempotent action while a store is unavailable. @throws a store's error that lasts */
  persistently<T>(attempt: () => Promise<T>): Promise<T> {
    return persistently(attempt, this.signal);
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
      const handled = await this.persistently(step);
      if (handled.kind === 'done') {
        this.adopt(handled);
        return null;
      }
      const { code } = handled.refusal;
      if (code === 'erased') {
        this.leaveSession();
        return null;
      }
      if (code !== 'conflict' && code !== 'session_ended') return handled.refusal;
      await this.refresh();
      if (tries === TRIES) return this.isOver ? null : handled.refusal;
    }
    return null;
  }

  /** Reads what other processes have written. */
  async refresh(): Promise<void> {
    this.adopt(await this.persistently(() => this.services.commands.read(this.visitor.session)));
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
      this.line.close(CLOSE.sessionOver, SESSION_OVER);
      return;
    }
    const { log } = this.services;
    const fields = { reason: reasonOf(error), correlationId: this.context.correlationId };
    if (isAway(error)) log.warn(fields, 'An interview’s connection was closed: a store is unavailable.');
    else log.error(fields, 'An interview’s connection failed.');
    const sentence = 'The service cannot continue this connection. Connect again.';
    this.line.close(CLOSE.fault, { code: 'internal', sentence });
  };

  /** Adopts a state and sends the client its new facts; ignores a state older than the known one. */
  private adopt({ state, position }: Pick<Snapshot<TrialState>, 'state' | 'position'>): void {
    if (this.ended || state === null) return;
    if (this.trial && state.lastSequenceNumber < this.trial.lastSequenceNumber) return;
    this.trial = state;
    this.position = position;
    const { connectionId, line } = this;
    const { interview } = state;
    const isOurs = interview?.connection.connectionId === connectionId;
    if (interview && !isOurs && hasId(interview.connectionIds, connectionId)) {
      // The newer connection sends the client everything; this one would repeat it.
      this.end(false);
      line.close(CLOSE.superseded, SUPERSEDED);
      return;
    }
    if (isOurs && !interview.connection.open && !this.isLeft()) {
      // Another process took this one for dead and handles the session: the client connects again.
      this.end(false);
      line.close(CLOSE.restart);
      return;
    }
    if (this.begun) this.tell();
    if (isClosed(state)) this.acknowledgeEnd(state);
    else if (this.begun) this.events.onMoved();
  }

  private tell(): void {
    for (const fact of this.interview?.facts ?? []) {
      if (fact.seq <= this.sentSeq) continue;
      this.line.send(fact);
      this.sentSeq = fact.seq;
    }
  }

  private acknowledgeEnd({ status, lastSequenceNumber, interview }: Trial): void {
    // Before `begin`, the client would miss the facts before the end.
    if (status !== 'completed' || !this.begun) {
      this.leaveSession();
      return;
    }
    this.line.send({
      type: 'session.completed',
      seq: lastSequenceNumber,
      reason: interview?.endReason ?? 'ended',
      consistencyToken: this.services.tokenOf(this.position),
    });
    this.end(true);
    this.line.close(CLOSE.ended);
  }

  private leaveSession(): void {
    this.end(false);
    this.line.close(CLOSE.sessionOver, SESSION_OVER);
  }

  private end(completed: boolean): void {
    this.ended = true;
    this.events.onOver(completed);
  }
}

const SESSION_OVER = { code: 'session_over', sentence: 'This session is over.' } as const;
const SUPERSEDED = {
  code: 'superseded',
  sentence: 'A newer connection has taken over this interview.',
} as const;
