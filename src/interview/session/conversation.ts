import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import type { ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import { backoff, pause } from '../../core/backoff.js';
import { streamName } from '../../core/event-store.js';
import type { Waited } from '../../domain/session/events.js';
import { disconnect } from '../../domain/session/interview-decider.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import type { TrialState } from '../../domain/session/state.js';
import { reasonOf } from '../../engine/errors.js';
import type { HostedConnection } from '../watch/host.js';
import { ActiveConnection } from './active-connection.js';
import { ConnectedSession, type InterviewServices } from './connected-session.js';
import { NOT_YET } from './late-speech.js';
import type { ConnectionHandler, ConversationMessage, ClientChannel, AdmittedCaller } from './port.js';
import { readyMessage } from './ready.js';
import { retryUnavailable } from './store-retries.js';

/** What a conversation uses of the process's other conversations. */
export interface Surroundings {
  /** The other conversations of the same session: of former connections, or of a newer one. */
  readonly others: () => readonly Conversation[];
  /** The last call, made once: nothing remains to be done for this conversation. */
  readonly over: () => void;
}

/** Longest wait of a new connection until the end of the client's former one is recorded, in milliseconds. */
const MAX_FORMER_MS = 5_000;

/** Whether the session is open and this connection is still its newest. */
const isNewest = (session: TrialState, connectionId: string): boolean =>
  session !== null && !isClosed(session) && session.interview?.connection.connectionId === connectionId;

/**
 * One connection's conversation. It records the connection, handles the client's messages and frames one after the
 * other, and records the connection's end. Then it waits for the client to come back, and interrupts the session if it
 * does not.
 */
export class Conversation implements ConnectionHandler {
  readonly trialSessionId: string;
  /** Resolves once the connection's end is recorded; `null`: the connection is open. */
  left: Promise<unknown> | null = null;
  private readonly session: ConnectedSession;
  private readonly tasks: TaskQueue;
  private readonly watches: readonly (() => void)[];
  private hosted: HostedConnection | null = null;
  /** The interview on this connection; `null` until the connection has been recorded. */
  private active: ActiveConnection | null = null;
  /** How long the open question had waited when this connection ended. */
  private waited: Waited | null = null;
  private beginning: Promise<void> = Promise.resolve();
  /** `interview.connected` may have been recorded. */
  private connecting = false;
  private timeFactor = 1;
  private isStale = false;
  /** Ends the wait for the client's return; `null`: there is no such wait. */
  private absence: AbortController | null = null;
  private isDraining = false;

  constructor(
    private readonly services: InterviewServices,
    admitted: AdmittedCaller,
    private readonly ready: ClientMessageOf<'client.ready'>,
    private readonly channel: ClientChannel,
    private readonly surroundings: Surroundings,
  ) {
    this.session = new ConnectedSession(services, admitted, channel, ready.resumeFromSeq ?? 0, {
      onMoved: () => {
        if (!this.session.isLeft()) this.active?.proceed();
      },
      onOver: () => this.stop(),
    });
    this.tasks = new TaskQueue(channel, this.session.fail);
    const { trialSessionId, applicationId } = admitted.session;
    this.trialSessionId = trialSessionId;
    this.watches = [
      services.feed.watch(streamName('trial', trialSessionId), () => this.refresh()),
      services.feed.watch(streamName('application', applicationId), () =>
        this.tasks.add(async () => {
          await this.active?.accommodate();
        }),
      ),
    ];
    this.tasks.add(() => (this.beginning = this.begin()));
  }

  message(message: ConversationMessage, at: number): void {
    this.tasks.add(() => this.active?.message(message, at));
  }

  audio(frame: AudioFrame, at: number): void {
    if (this.tasks.isIdle) this.active?.listener.hear(frame, at);
    else this.tasks.add(() => this.active?.listener.hear(frame, at));
  }

  closed(code: number): void {
    const { isOver } = this.session;
    this.stop();
    const left = (this.left = this.recordEnd(code, isOver));
    left
      .then((mayReturn) => (mayReturn && !this.isDraining ? this.watchAbsence() : undefined))
      .catch((error: unknown) => {
        this.services.log.error({ reason: reasonOf(error) }, 'The end of a connection could not be handled.');
      })
      .finally(() => {
        this.hosted?.end();
        this.surroundings.over();
      });
  }

  /** Call it when the process stops: no client's return is waited for from now on. Resolves as `quiet`. */
  drain(): Promise<void> {
    this.isDraining = true;
    this.endAbsence();
    return this.quiet();
  }

  /** Call it when the client is back on another connection. */
  endAbsence(): void {
    this.absence?.abort();
  }

  /** Resolves once everything that the client has sent is recorded, or the connection has ended. */
  async quiet(): Promise<void> {
    const { signal } = this.session;
    await this.active?.listener.intake.flush();
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      this.tasks.add(resolve);
    });
  }

  /** Reads the stream, which has grown; several notifications cause one read. */
  private refresh(): void {
    if (this.isStale) return;
    this.isStale = true;
    this.tasks.add(() => {
      this.isStale = false;
      return this.session.refresh();
    });
  }

  private async begin(): Promise<void> {
    const { services, session, channel } = this;
    const { commands, audio, host } = services;
    const { admitted, audioOf, signal } = session;
    // Makes this process responsible for the connection. If another process takes over, the client has to reconnect.
    this.hosted = await host.begin(() => channel.close(CLOSE.restart));
    // The client may reconnect before its former connection has stored everything that it received.
    const former = Promise.all(this.surroundings.others().flatMap(({ left }) => left ?? []));
    await Promise.race([former, pause(MAX_FORMER_MS, signal)]);
    const recordsAudio = await session.retryUnavailable(() => commands.recordsAudio(admitted.session));
    const timeFactor = await session.retryUnavailable(() => commands.timeFactor(admitted.session));
    this.timeFactor = timeFactor;
    const { state: before } = await session.retryUnavailable(() => commands.read(admitted.session));
    // A connection that has ended must not supersede another.
    if (this.session.isLeft()) return;
    this.connecting = true;
    if (!(await this.connect(recordsAudio))) return;
    const { state, interview } = session;
    if (!state || !interview) return;
    for (const other of this.surroundings.others()) other.endAbsence();
    const { lastSeq: lastAudioSeq } = await session.retryUnavailable(() => audio.state(audioOf));
    const stored = await session.retryUnavailable(() => audio.turns(audioOf));
    if (this.session.isLeft()) return;
    const wasInterrupted = before?.status === 'interrupted';
    const active = new ActiveConnection(session, interview, wasInterrupted, lastAudioSeq, timeFactor);
    this.active = active;
    await active.restore(stored);
    if (this.session.isLeft()) return;
    void this.recordLateSpeech(stored);
    channel.send(readyMessage(state, interview, services.speech, lastAudioSeq, timeFactor));
    session.begin();
    active.resume();
  }

  /**
   * Records the connection.
   * @param recordsAudio whether the candidate's audio is kept
   * @returns false: it was refused, or the session has ended
   */
  private async connect(recordsAudio: boolean): Promise<boolean> {
    const { session, services, ready, hosted } = this;
    const { connectionId, admitted, context } = session;
    const deviceId = ready.deviceId ?? null;
    const input = {
      connectionId,
      host: hosted?.host ?? '',
      recorded: recordsAudio,
      deviceId,
      caller: admitted.caller,
    };
    const refusal = await session.carryOut(() => services.commands.connect(context, input));
    if (refusal?.code === 'conflict') throw new Error(refusal.message);
    if (refusal) {
      const code = refusal.code === 'session_full' ? 'session_full' : 'session_over';
      this.channel.close(CLOSE.sessionOver, { code, sentence: refusal.message });
    }
    return !refusal && !session.isOver;
  }

  /** Do not await it: a transcription can take seconds. Speech that cannot be recorded stays in the vault. */
  private async recordLateSpeech(stored: ReadonlyMap<number, number>): Promise<void> {
    const { closer, log } = this.services;
    try {
      await closer.recordLateSpeech(this.session.context.session, 'may_wait', stored);
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, NOT_YET);
    }
  }

  /** @returns whether the client may come back and no other connection has superseded this one */
  private async recordEnd(code: number, isOver: boolean): Promise<boolean> {
    const { session, services } = this;
    const { connectionId, context } = session;
    await this.beginning.catch(() => undefined);
    const { active } = this;
    if (!isOver && this.connecting) await active?.listener.intake.flush();
    active?.listener.intake.end();
    if (!this.connecting) return false;
    // A superseded connection also records how long its question waited.
    const gone = { connectionId, code, waited: this.waited, elapsedMs: active?.clock.elapsedMs ?? null };
    try {
      const record = () => services.commands.record(context, 'system', (state) => disconnect(state, gone));
      const left = await retryUnavailable(record, new AbortController().signal);
      return !isOver && (left.kind === 'refused' || isNewest(left.state, connectionId));
    } catch (error) {
      services.log.warn({ reason: reasonOf(error) }, 'The end of a connection could not be recorded.');
      // `InterviewCloser.interrupt` records the end if the client does not come back.
      return !isOver;
    }
  }

  /** Interrupts the session if its client stays disconnected for `resumeMs` times the factor. */
  private async watchAbsence(): Promise<void> {
    const { session, services, active } = this;
    const { closer, log, resumeMs = RESUME_MS } = services;
    const { signal } = (this.absence = new AbortController());
    let waitMs = resumeMs * (active?.clock.timeFactor ?? this.timeFactor);
    // The wait can take minutes: release the connection's buffers.
    this.active = null;
    for (let failures = 0; ; failures++) {
      await pause(waitMs, signal);
      if (signal.aborted) return;
      try {
        await closer.interrupt(session.context.session, session.connectionId);
        return;
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, 'An interview could not be interrupted yet.');
        waitMs = backoff(failures, 500, 10_000);
      }
    }
  }

  /** Stops all work for this connection. */
  private stop(): void {
    this.waited ??= this.active?.waited() ?? null;
    this.session.leave();
    for (const end of this.watches) end();
    this.tasks.clear();
    this.active?.end();
  }
}

type Task = () => void | Promise<void>;

/** Reading of the client pauses above `HOLD_AT` waiting tasks and resumes below `RELEASE_AT`. */
const HOLD_AT = 128;
const RELEASE_AT = 32;

/** A connection's tasks, run one after the other; a synchronous task runs at once if none waits. */
class TaskQueue {
  private readonly waiting: Task[] = [];
  private working = false;
  /** Ends the pause of this queue; `null`: it has paused nothing. */
  private endPause: (() => void) | null = null;

  constructor(
    private readonly channel: Pick<ClientChannel, 'pause'>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  get isIdle(): boolean {
    return !this.working;
  }

  add(task: Task): void {
    this.waiting.push(task);
    if (this.waiting.length > HOLD_AT) this.endPause ??= this.channel.pause();
    if (!this.working) void this.work();
  }

  clear(): void {
    this.waiting.length = 0;
  }

  private async work(): Promise<void> {
    this.working = true;
    for (let task = this.waiting.shift(); task; task = this.waiting.shift()) {
      try {
        const done = task();
        if (done) await done;
      } catch (error) {
        this.onFault(error);
      }
      if (this.waiting.length >= RELEASE_AT) continue;
      this.endPause?.();
      this.endPause = null;
    }
    this.working = false;
  }
}
