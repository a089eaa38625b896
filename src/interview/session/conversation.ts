import { pause } from '../../core/backoff.js';
import { streamName } from '../../core/stream-name.js';
import { reasonOf } from '../../engine/errors.js';
import type { Waited } from '../../domain/session/events.js';
import type { TrialState } from '../../domain/session/state.js';
import { disconnect } from '../../domain/session/interview-decider.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import type { ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import type { Hosted } from '../watch/host.js';
import { ActiveConnection } from './active-connection.js';
import { ConnectedSession, type InterviewServices } from './connected-session.js';
import { NOT_YET } from './late-speech.js';
import { persistently } from './patience.js';
import type { ConnectionHandler, Line, Visitor } from './port.js';
import { readyMessage } from './ready.js';
import { Replies } from './replies.js';
import type { SessionFeed } from './session-feed.js';

/** The process's other conversations, and what it does for a session without a connection. */
export interface Surroundings {
  readonly feed: Pick<SessionFeed, 'watch'>;
  /** Resolves once this process has stored what the session's former connections sent. */
  readonly settled: () => Promise<unknown>;
  readonly onConnected: () => void;
  /** The connection is gone; `left` resolves once that is recorded. */
  readonly onGone: (left: Promise<Left>) => void;
}

/** What a connection leaves behind. */
export interface Left {
  /** The connection that dropped; `null` if nothing remains to be done. */
  readonly away: string | null;
  /** It may be away for so many times as long as usual. */
  readonly timeFactor: number;
  /** Call once nothing remains to be done for the connection. */
  readonly release: () => void;
}

/** Longest wait of a reconnected client for its former connection, in milliseconds. */
const SETTLE_MS = 5_000;

/** Whether the session is open and this connection still its newest. */
const isNewest = (session: TrialState, connectionId: string): boolean =>
  session !== null && !isClosed(session) && session.interview?.connection.connectionId === connectionId;

/** One connection's conversation, from its `client.ready` to its end. */
export class Conversation implements ConnectionHandler {
  private readonly session: ConnectedSession;
  private readonly inbox: Inbox;
  private readonly watches: readonly (() => void)[];
  private hosted: Hosted | null = null;
  /** Once the connection has been recorded. */
  private active: ActiveConnection | null = null;
  private replies: Replies | null = null;
  /** How long the open question had waited when this connection stopped. */
  private waited: Waited | null = null;
  private beginning: Promise<void> = Promise.resolve();
  /** `interview.connected` may have been recorded. */
  private connecting = false;
  private timeFactor = 1;
  private isStale = false;

  constructor(
    private readonly services: InterviewServices,
    visitor: Visitor,
    private readonly ready: ClientMessageOf<'client.ready'>,
    private readonly line: Line,
    private readonly surroundings: Surroundings,
  ) {
    this.session = new ConnectedSession(services, visitor, line, ready.resumeFromSeq ?? 0, {
      onMoved: () => {
        if (!this.session.isLeft()) this.active?.proceed();
      },
      onOver: (completed) => {
        if (completed) this.replies?.acknowledgeEnd();
        this.stop();
      },
    });
    this.inbox = new Inbox(line, this.session.fail);
    const { trialSessionId, applicationId } = visitor.session;
    this.watches = [
      surroundings.feed.watch(streamName('trial', trialSessionId), () => this.refresh()),
      surroundings.feed.watch(streamName('application', applicationId), () =>
        this.inbox.add(async () => {
          await this.active?.accommodate();
        }),
      ),
    ];
    this.inbox.add(() => (this.beginning = this.begin()));
  }

  message(message: Parameters<ConnectionHandler['message']>[0], at: number): void {
    this.inbox.add(() => this.replies?.to(message, at));
  }

  audio(frame: AudioFrame, at: number): void {
    if (this.inbox.isIdle) this.active?.listener.hear(frame, at);
    else this.inbox.add(() => this.active?.listener.hear(frame, at));
  }

  closed(code: number): void {
    const { isOver } = this.session;
    this.stop();
    this.surroundings.onGone(this.leave(code, isOver));
  }

  /** Resolves once all that the client has sent is recorded, or the connection is gone. */
  async quiet(): Promise<void> {
    const { signal } = this.session;
    await this.active?.listener.intake.flush();
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      this.inbox.add(resolve);
    });
  }

  /** The stream has grown; several notifications make one read. */
  private refresh(): void {
    if (this.isStale) return;
    this.isStale = true;
    this.inbox.add(() => {
      this.isStale = false;
      return this.session.refresh();
    });
  }

  private async begin(): Promise<void> {
    const { services, session, line } = this;
    const { commands, audio, host } = services;
    const { visitor, audioOf, signal } = session;
    this.hosted = await host.begin(() => line.close(CLOSE.restart));
    // The client may reconnect before its former connection has stored what it sent.
    await Promise.race([this.surroundings.settled(), pause(SETTLE_MS, signal)]);
    if (this.session.isLeft()) return;
    const recorded = await session.persistently(() => commands.recordsAudio(visitor.session));
    const timeFactor = await session.persistently(() => commands.timeFactor(visitor.session));
    this.timeFactor = timeFactor;
    const { state: before } = await session.persistently(() => commands.read(visitor.session));
    // A connection that is gone must not supersede another.
    if (this.session.isLeft()) return;
    this.connecting = true;
    if (!(await this.connect(recorded))) return;
    const { state, interview } = session;
    if (!state || !interview) return;
    this.surroundings.onConnected();
    const { lastSeq: lastAudioSeq } = await session.persistently(() => audio.state(audioOf));
    const stored = await session.persistently(() => audio.turns(audioOf));
    if (this.session.isLeft()) return;
    const wasInterrupted = before?.status === 'interrupted';
    const active = new ActiveConnection(session, { interview, wasInterrupted, lastAudioSeq, timeFactor });
    this.active = active;
    this.replies = new Replies(session, active);
    const tell = await active.restore(interview, stored);
    if (this.session.isLeft()) return;
    void this.recordLateSpeech(stored);
    line.send(readyMessage(state, interview, services.speech, lastAudioSeq, timeFactor));
    session.begin();
    tell();
  }

  /** Records the connection. @returns false: it was refused, or the session is over */
  private async connect(recorded: boolean): Promise<boolean> {
    const { session, services, ready, hosted } = this;
    const { connectionId, visitor, context } = session;
    const deviceId = ready.deviceId ?? null;
    const input = { connectionId, host: hosted?.host ?? '', recorded, deviceId, caller: visitor.caller };
    const refusal = await session.carryOut(() => services.commands.connect(context, input));
    if (refusal?.code === 'conflict') throw new Error(refusal.message);
    if (refusal) {
      const code = refusal.code === 'session_full' ? 'session_full' : 'session_over';
      this.line.close(CLOSE.sessionOver, { code, sentence: refusal.message });
    }
    return !refusal && !session.isOver;
  }

  /** Not awaited: a transcription can take seconds. What cannot be recorded stays in the vault. */
  private async recordLateSpeech(stored: ReadonlyMap<number, number>): Promise<void> {
    const { closing, log } = this.services;
    try {
      await closing.recordLateSpeech(this.session.context.session, 'may_wait', stored);
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, NOT_YET);
    }
  }

  private async leave(code: number, isOver: boolean): Promise<Left> {
    const { session, services } = this;
    const { connectionId, context } = session;
    const release = (): void => this.hosted?.end();
    await this.beginning.catch(() => undefined);
    const { active } = this;
    const timeFactor = active?.clock.timeFactor ?? this.timeFactor;
    if (!isOver && this.connecting) await active?.listener.intake.flush();
    active?.listener.intake.end();
    if (!this.connecting) return { away: null, timeFactor, release };
    // A superseded connection also records how long its question waited.
    const gone = { connectionId, code, waited: this.waited, elapsedMs: active?.clock.elapsedMs ?? null };
    try {
      const record = () => services.commands.record(context, 'system', (state) => disconnect(state, gone));
      const left = await persistently(record, new AbortController().signal);
      const isAway = left.kind === 'refused' || isNewest(left.state, connectionId);
      if (isOver || !isAway) return { away: null, timeFactor, release };
    } catch (error) {
      // The absence's timer records it then.
      services.log.warn({ reason: reasonOf(error) }, 'The end of a connection could not be recorded.');
    }
    return { away: isOver ? null : connectionId, timeFactor, release };
  }

  /** Stops all work for this connection. */
  private stop(): void {
    this.waited ??= this.active?.waited() ?? null;
    this.session.leave();
    for (const end of this.watches) end();
    this.inbox.clear();
    this.active?.end();
  }
}

type Task = () => void | Promise<void>;

/** Reading of the client pauses above `HOLD_AT` waiting tasks and resumes below `RELEASE_AT`. */
const HOLD_AT = 128;
const RELEASE_AT = 32;

/** A connection's tasks, run one after the other; a synchronous task runs at once if none waits. */
class Inbox {
  private readonly tasks: Task[] = [];
  private working = false;
  /** Ends the client's pause; `null`: it has none from here. */
  private readOn: (() => void) | null = null;

  constructor(
    private readonly line: Pick<Line, 'pause'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  get isIdle(): boolean {
    return !this.working;
  }

  add(task: Task): void {
    this.tasks.push(task);
    if (this.tasks.length > HOLD_AT) this.readOn ??= this.line.pause();
    if (!this.working) void this.work();
  }

  clear(): void {
    this.tasks.length = 0;
  }

  private async work(): Promise<void> {
    this.working = true;
    for (let task = this.tasks.shift(); task; task = this.tasks.shift()) {
      try {
        const done = task();
        if (done) await done;
      } catch (error) {
        this.onFault(error);
      }
      if (this.tasks.length >= RELEASE_AT) continue;
      this.readOn?.();
      this.readOn = null;
    }
    this.working = false;
  }
}
