import { DEFAULT_LANGUAGE, interviewLanguage, type Language } from '../../languages/languages.js';
import type { Refusal } from '../../core/decider.js';
import type { Snapshot } from '../../core/aggregate.js';
import type { Handled } from '../../core/handle.js';
import { START } from '../../core/event-store.js';
import type { TrialState, Trial } from '../../domain/session/state.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import { hasId } from '../../domain/session/seen-ids.js';
import {
  MAX_FRAME_BYTES,
  MAX_TEXT_BYTES,
  type ServerMessageOf,
} from '../../../packages/interview-client/src/protocol/messages.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { type Interview, RESUME_MS } from '../../domain/session/interview-state.js';
import { endOfTime, maxDurationMs } from '../../domain/session/time-limit.js';
import { persistently } from './patience.js';
import { IDLE_MS } from './port.js';
import type { ConnectionScope } from './services.js';
import type { Speech } from '../../clients/speech.js';

interface TrackerEvents {
  /** The session has changed and has not ended. */
  readonly onMoved: () => void;
  /** The connection is closed; `completed`: acknowledge the candidate's messages that ended the session. */
  readonly onOver: (completed: boolean) => void;
}

/** The scope of a connection whose session is tracked. */
export interface TrackedScope extends ConnectionScope {
  readonly tracker: SessionTracker;
}

/** Attempts while other writers cause conflicts. */
const TRIES = 5;

/** The session's state on this connection, and which facts the client has been sent. */
export class SessionTracker {
  private trial: Trial | null = null;
  /** Position of the state. */
  private position = START;
  private seenSeq: number;
  private sentSeq: number;
  private ended = false;
  private begun = false;

  constructor(
    private readonly scope: ConnectionScope,
    private readonly events: TrackerEvents,
  ) {
    this.seenSeq = scope.ready.resumeFromSeq ?? 0;
    this.sentSeq = this.seenSeq;
  }

  get interview(): Interview | null {
    return this.trial?.interview ?? null;
  }

  get session(): Trial | null {
    return this.trial;
  }

  /** The language that the interview is held in. */
  get language(): Language {
    return interviewLanguage(this.trial?.language ?? DEFAULT_LANGUAGE);
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

  /**
   * Carries out a recording step, again while a store is unavailable or other writers cause conflicts.
   * @returns the refusal; `null`: it is recorded, or the tracker is over
   * @throws a store's error that lasts
   */
  async record(step: () => Promise<Handled<TrialState>>): Promise<Refusal | null> {
    for (let tries = 1; !this.ended; tries++) {
      const handled = await persistently(step, this.scope.signal);
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
    const { commands, visitor, signal } = this.scope;
    this.adopt(await persistently(() => commands.read(visitor.session), signal));
  }

  /** Starts sending facts to the client: first those that it has missed. */
  begin(): void {
    this.begun = true;
    // A client cannot have seen facts that do not exist yet.
    this.seenSeq = Math.min(this.seenSeq, this.trial?.lastSequenceNumber ?? 0);
    this.sentSeq = this.seenSeq;
    this.adopt({ state: this.trial, position: this.position });
  }

  /** Adopts a state and sends the client its new facts; ignores a state older than the known one. */
  adopt({ state, position }: Pick<Snapshot<TrialState>, 'state' | 'position'>): void {
    if (this.ended || state === null) return;
    if (this.trial && state.lastSequenceNumber < this.trial.lastSequenceNumber) return;
    this.trial = state;
    this.position = position;
    // The newer connection sends the client everything; this one would repeat it.
    const { connectionId, line } = this.scope;
    const { interview } = state;
    const isOurs = interview?.connection.connectionId === connectionId;
    if (interview && !isOurs && hasId(interview.connectionIds, connectionId)) {
      this.end(false);
      line.close(CLOSE.superseded, {
        code: 'superseded',
        sentence: 'A newer connection has taken over this interview.',
      });
      return;
    }
    if (isOurs && !interview.connection.open && !this.scope.signal.aborted) {
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
    const { line } = this.scope;
    for (const fact of this.interview?.facts ?? []) {
      if (fact.seq <= this.sentSeq) continue;
      line.send(fact);
      this.sentSeq = fact.seq;
    }
  }

  private acknowledgeEnd(state: Trial): void {
    const { line } = this.scope;
    const { status, lastSequenceNumber, interview } = state;
    // Before `begin`, the client would miss the facts before the end.
    if (status === 'completed' && this.begun) {
      line.send({
        type: 'session.completed',
        seq: lastSequenceNumber,
        reason: interview?.endReason ?? 'ended',
        consistencyToken: this.scope.tokenOf(this.position),
      });
      this.end(true);
      line.close(CLOSE.ended);
      return;
    }
    this.leaveSession();
  }

  private leaveSession(): void {
    this.end(false);
    this.scope.line.close(CLOSE.sessionOver, { code: 'session_over', sentence: 'This session is over.' });
  }

  private end(completed: boolean): void {
    this.ended = true;
    this.events.onOver(completed);
  }
}

/** The answer to `client.ready`. */
export const readyMessage = (
  session: Trial,
  interview: Interview,
  { transcriber, synthesiser }: Speech,
  lastAudioSeq: number,
  timeFactor: number,
): ServerMessageOf<'session.ready'> => ({
  type: 'session.ready',
  connectionId: interview.connection.connectionId,
  lastSeq: interview.facts.at(-1)?.seq ?? 0,
  lastAudioSeq,
  audio: {
    transcription: transcriber === 'client' ? 'client' : 'server',
    speech: synthesiser === 'client' ? 'client' : 'server',
    recorded: interview.recorded,
  },
  language: interviewLanguage(session.language),
  ...limitsOf(session, interview, timeFactor),
});

/** What the client is told of its limits. */
export const limitsOf = (
  { expiresAt }: Pick<Trial, 'expiresAt'>,
  { endsAt }: Pick<Interview, 'endsAt'>,
  timeFactor: number,
): Omit<ServerMessageOf<'session.limits'>, 'type'> => ({
  limits: {
    maxFrameBytes: MAX_FRAME_BYTES,
    maxTextBytes: MAX_TEXT_BYTES,
    idleMs: IDLE_MS,
    resumeMs: Math.round(RESUME_MS * timeFactor),
    maxDurationMs: maxDurationMs(timeFactor),
  },
  // An interview that has begun has its own time limit.
  expiresAt: endsAt === null ? expiresAt : endOfTime(endsAt, timeFactor),
});
