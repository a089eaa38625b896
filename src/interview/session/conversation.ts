import { v7 as uuidV7 } from 'uuid';
import { pause } from '../../core/backoff.js';
import { reasonOf } from '../../engine/errors.js';
import type { TrialState } from '../../domain/session/state.js';
import { disconnect } from '../../domain/session/interview-decider.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import { PersonErased } from '../../core/vault/port.js';
import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { now } from './clocks.js';
import type { SessionContext } from './commands.js';
import type { ConnectionScope } from './services.js';
import { SessionTracker, type TrackedScope, readyMessage } from './session-tracker.js';
import type { Waited } from '../../domain/session/events.js';
import { ActiveConnection } from './active-connection.js';
import type { Hosted } from '../watch/host.js';
import { NOT_YET } from './late-speech.js';
import { audioOf } from './spoken-turn.js';
import { isAway, persistently } from './patience.js';
import type { ConnectionHandler } from './port.js';

export interface ConversationOptions extends Omit<
  ConnectionScope,
  'context' | 'connectionId' | 'signal' | 'onFault'
> {
  readonly recordsAudio: () => Promise<boolean>;
  /**
   * Calls `moved` after each append to the session's stream, and `decided` after each to its application's.
   * @returns ends that
   */
  readonly watch: (moved: () => void, decided: () => void) => () => void;
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
  private readonly connectionId = uuidV7();
  private readonly abort = new AbortController();
  private readonly context: SessionContext;
  private readonly scope: TrackedScope;
  private readonly inbox: Inbox;
  private readonly tracker: SessionTracker;
  private readonly unwatch: () => void;
  private hosted: Hosted | null = null;
  /** Once the connection has been recorded. */
  private active: ActiveConnection | null = null;
  /** How long the open question had waited when this connection stopped. */
  private waited: Waited | null = null;
  private beginning: Promise<void> = Promise.resolve();
  /** `interview.connected` may have been recorded. */
  private connecting = false;
  private timeFactor = 1;
  private isStale = false;

  constructor(private readonly options: ConversationOptions) {
    const { visitor, line } = options;
    const onFault = (error: unknown): void => this.fault(error);
    this.context = { session: visitor.session, correlationId: visitor.ids.correlationId };
    this.inbox = new Inbox(line, onFault);
    const scope: ConnectionScope = {
      ...options,
      context: this.context,
      connectionId: this.connectionId,
      signal: this.abort.signal,
      onFault,
    };
    this.tracker = new SessionTracker(scope, {
      onMoved: () => {
        if (!this.isLeft()) this.active?.proceed();
      },
      onOver: (completed) => this.over(completed),
    });
    this.scope = { ...scope, tracker: this.tracker };
    this.unwatch = options.watch(
      () => this.lookAgain(),
      () =>
        this.inbox.add(async () => {
          await this.active?.accommodate();
        }),
    );
    this.inbox.add(() => (this.beginning = this.begin()));
  }

  message(message: Parameters<ConnectionHandler['message']>[0]): void {
    const at = now();
    this.inbox.add(() => this.active?.replies.to(message, at));
  }

  audio(frame: AudioFrame): void {
    const at = now();
    if (this.inbox.isIdle) this.active?.listener.hear(frame, at);
    else this.inbox.add(() => this.active?.listener.hear(frame, at));
  }

  closed(code: number): void {
    const isOver = this.tracker.isOver;
    this.stop();
    this.options.onGone(this.leave(code, isOver));
  }

  /** Resolves once all that the client has sent is recorded, or the connection is gone. */
  async quiet(): Promise<void> {
    const { signal } = this.abort;
    await this.active?.listener.intake.flush();
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      this.inbox.add(resolve);
    });
  }

  /** The stream has grown; several notifications make one read. */
  private lookAgain(): void {
    if (this.isStale) return;
    this.isStale = true;
    this.inbox.add(() => {
      this.isStale = false;
      return this.tracker.refresh();
    });
  }

  private async begin(): Promise<void> {
    const { options, context, connectionId, tracker } = this;
    const { visitor, ready, line, commands, audio, host } = options;
    const { signal } = this.abort;
    this.hosted = await host.begin(() => line.close(CLOSE.restart));
    // The client may reconnect before its former connection has stored what it sent.
    await Promise.race([options.settled(), pause(SETTLE_MS, signal)]);
    if (this.isLeft()) return;
    const recorded = await persistently(options.recordsAudio, signal);
    const timeFactor = await persistently(() => commands.timeFactor(visitor.session), signal);
    this.timeFactor = timeFactor;
    const { state: before } = await persistently(() => commands.read(visitor.session), signal);
    // A connection that is gone must not supersede another.
    if (this.isLeft()) return;
    this.connecting = true;
    const refusal = await tracker.record(() =>
      commands.connect(context, {
        connectionId,
        host: this.hosted?.host ?? '',
        recorded,
        deviceId: ready.deviceId ?? null,
        caller: visitor.caller,
      }),
    );
    if (refusal?.code === 'conflict') throw new Error(refusal.message);
    if (refusal) {
      const code = refusal.code === 'session_full' ? 'session_full' : 'session_over';
      line.close(CLOSE.sessionOver, { code, sentence: refusal.message });
    }
    const { session, interview } = tracker;
    if (refusal || tracker.isOver || !session || !interview) return;
    options.onConnected();
    const of = audioOf(visitor.session);
    const { lastSeq } = await persistently(() => audio.state(of), signal);
    const stored = await persistently(() => audio.turns(of), signal);
    if (this.isLeft()) return;
    const active = new ActiveConnection(this.scope, {
      interview,
      wasInterrupted: before?.status === 'interrupted',
      lastAudioSeq: lastSeq,
      timeFactor,
      onTaken: () => this.inbox.add(() => this.audioTaken()),
    });
    this.active = active;
    const tell = await active.restore(stored);
    if (this.isLeft()) return;
    void this.recordLateSpeech(stored);
    line.send(readyMessage(session, interview, options.speech, lastSeq, timeFactor));
    tracker.begin();
    tell();
  }

  /** Not awaited: a transcription can take seconds. What cannot be recorded stays in the vault. */
  private async recordLateSpeech(stored: ReadonlyMap<number, number>): Promise<void> {
    const { closing, log } = this.options;
    try {
      await closing.recordLateSpeech(this.context.session, 'may_wait', stored);
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, NOT_YET);
    }
  }

  /** Another connection stored audio: a newer one, or a former one at the last moment. */
  private async audioTaken(): Promise<void> {
    await this.tracker.refresh();
    // The client learns where its audio continues when it reconnects.
    if (!this.tracker.isOver) throw new Error('A former connection stored audio in between.');
  }

  private async leave(code: number, isOver: boolean): Promise<Left> {
    const { connectionId, options, context } = this;
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
      const record = () => options.commands.record(context, 'system', (session) => disconnect(session, gone));
      const left = await persistently(record, new AbortController().signal);
      const isAway = left.kind === 'refused' || isNewest(left.state, connectionId);
      if (isOver || !isAway) return { away: null, timeFactor, release };
    } catch (error) {
      // The absence's timer records it then.
      options.log.warn({ reason: reasonOf(error) }, 'The end of a connection could not be recorded.');
    }
    return { away: isOver ? null : connectionId, timeFactor, release };
  }

  private isLeft(): boolean {
    return this.abort.signal.aborted;
  }

  private over(completed: boolean): void {
    if (completed) this.active?.replies.acknowledgeEnd();
    this.stop();
  }

  /** Stops all work for this connection. */
  private stop(): void {
    this.waited ??= this.active?.waited() ?? null;
    this.abort.abort();
    this.unwatch();
    this.inbox.clear();
    this.active?.end();
  }

  private fault(error: unknown): void {
    if (this.isLeft()) return;
    const { log, line } = this.options;
    if (error instanceof PersonErased) {
      line.close(CLOSE.sessionOver, { code: 'session_over', sentence: 'This session is over.' });
      return;
    }
    const fields = { reason: reasonOf(error), correlationId: this.context.correlationId };
    if (isAway(error)) log.warn(fields, 'An interview’s connection was closed: a store is unavailable.');
    else log.error(fields, 'An interview’s connection failed.');
    const sentence = 'The service cannot continue this connection. Connect again.';
    line.close(CLOSE.fault, { code: 'internal', sentence });
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
  private held = false;

  constructor(
    private readonly line: { pause(): void; resume(): void },
    private readonly onFault: (error: unknown) => void,
  ) {}

  get isIdle(): boolean {
    return !this.working;
  }

  add(task: Task): void {
    this.tasks.push(task);
    if (!this.held && this.tasks.length > HOLD_AT) {
      this.held = true;
      this.line.pause();
    }
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
      if (this.held && this.tasks.length < RELEASE_AT) {
        this.held = false;
        this.line.resume();
      }
    }
    this.working = false;
  }
}
