import { v7 as uuidV7 } from 'uuid';
import type { Position } from '../../core/event-store.js';
import type { RateLimits } from '../../api/http/rate-limits.js';
import { pause } from '../../core/backoff.js';
import { reasonOf } from '../../engine/errors.js';
import type { EngineLog } from '../../engine/log.js';
import type { TrialState } from '../../domain/session/state.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import type { AudioStore } from '../../core/vault/audio.js';
import { PersonErased } from '../../core/vault/errors.js';
import type { Interviewer } from '../interviewer/interviewer.js';
import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { type ClientMessageOf, CLOSE } from '../../../packages/interview-client/src/protocol/messages.js';
import type { Speech } from '../../clients/speech.js';
import type { Closing } from './closing.js';
import type { InterviewCommands, Party } from './commands.js';
import { Course } from './course.js';
import type { Waited } from '../../domain/session/events.js';
import { HeldLine } from './held-line.js';
import type { Hosted, InterviewHost } from '../watch/host.js';
import { Inbox } from './inbox.js';
import { audioOf } from './listening.js';
import { isAway, persistently } from './patience.js';
import type { Conversation, Line, Visitor } from './port.js';
import { readyMessage } from './ready-message.js';

export interface TalkOptions {
  readonly visitor: Visitor;
  readonly ready: ClientMessageOf<'client.ready'>;
  readonly line: Line;
  readonly commands: InterviewCommands;
  readonly closing: Closing;
  readonly audio: AudioStore;
  readonly interviewer: Interviewer;
  readonly speech: Speech;
  readonly host: Pick<InterviewHost, 'begin'>;
  /** The consistency token of a position. */
  readonly tokenOf: (position: Position) => string;
  readonly limits: Pick<RateLimits, 'batchOfActivity'>;
  readonly log: EngineLog;
  readonly recordsAudio: () => Promise<boolean>;
  /** Hears of whatever is appended to the session's stream. */
  readonly watch: (notify: () => void) => () => void;
  /** Resolves once the session's former connections of this process have put away what they brought. */
  readonly settled: () => Promise<unknown>;
  readonly onConnected: () => void;
  /** The connection is gone; `left` ends once that is written down. */
  readonly onGone: (left: Promise<Left>) => void;
}

/** What a connection leaves behind. */
export interface Left {
  /** The connection that is away now, `null` where nothing remains to be looked after. */
  readonly away: string | null;
  /** To be called once nothing of the connection has to be looked after any more. */
  readonly release: () => void;
}

const now = (): number => performance.now();

/** Longest that a client which is back waits for its former connection, in milliseconds. */
const SETTLE_MS = 5_000;

/** Whether the session, which goes on, has had no connection since. */
const isNewest = (session: TrialState, connectionId: string): boolean =>
  session !== null && !isClosed(session) && session.interview?.connection.connectionId === connectionId;

/** One connection's conversation, from its `client.ready` to its end. */
export class Talk implements Conversation {
  private readonly connectionId = uuidV7();
  private readonly abort = new AbortController();
  private readonly party: Party;
  private readonly inbox: Inbox;
  private readonly course: Course;
  private readonly unwatch: () => void;
  private hosted: Hosted | null = null;
  /** Once the connection has been recorded. */
  private held: HeldLine | null = null;
  private gone = false;
  /** As it stood when nothing more was done here. */
  private waited: Waited | null = null;
  private beginning: Promise<void> = Promise.resolve();
  /** `interview.connected` may have been recorded. */
  private connecting = false;
  private isStale = false;

  constructor(private readonly options: TalkOptions) {
    const { visitor, line, ready, commands, tokenOf, watch } = options;
    this.party = { session: visitor.session, correlationId: visitor.requestId };
    this.inbox = new Inbox(line, (error) => this.fault(error));
    this.course = new Course({
      connectionId: this.connectionId,
      line,
      tokenOf,
      signal: this.abort.signal,
      read: () => commands.read(visitor.session),
      resumeFromSeq: ready.resumeFromSeq ?? 0,
      onMoved: () => {
        if (!this.gone) this.held?.goOn();
      },
      onOver: (completed) => this.over(completed),
    });
    this.unwatch = watch(() => this.lookAgain());
    this.inbox.add(() => (this.beginning = this.begin()));
  }

  message(message: Parameters<Conversation['message']>[0]): void {
    const at = now();
    this.inbox.add(() => this.held?.to(message, at));
  }

  audio(frame: AudioFrame): void {
    const at = now();
    if (this.inbox.isIdle) this.held?.hear(frame, at);
    else this.inbox.add(() => this.held?.hear(frame, at));
  }

  closed(code: number): void {
    if (this.gone) return;
    this.gone = true;
    const isOver = this.course.isOver;
    this.stop();
    this.options.onGone(this.leave(code, isOver));
  }

  /** Ends once nothing that the client has sent waits to be recorded, or the connection is gone. */
  async quiet(): Promise<void> {
    const { signal } = this.abort;
    await this.held?.flush();
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      this.inbox.add(resolve);
    });
  }

  /** Somebody has written: however often before this is looked at, one look is enough. */
  private lookAgain(): void {
    if (this.isStale) return;
    this.isStale = true;
    this.inbox.add(() => {
      this.isStale = false;
      return this.course.refresh();
    });
  }

  private async begin(): Promise<void> {
    const { options, party, connectionId, course } = this;
    const { visitor, ready, line, commands, audio, host, limits } = options;
    const { signal } = this.abort;
    this.hosted = await host.begin(() => line.close(CLOSE.restart));
    // The client may be back before its former connection has put away what it brought.
    await Promise.race([options.settled(), pause(SETTLE_MS, signal)]);
    if (this.isLeft()) return;
    const recorded = await persistently(options.recordsAudio, signal);
    const { state: before } = await persistently(() => commands.read(visitor.session), signal);
    // A connection that is gone takes the line from nobody.
    if (this.isLeft()) return;
    this.connecting = true;
    const refusal = await course.record(() =>
      commands.connect(party, {
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
    const { session, interview } = course;
    if (refusal || course.isOver || !session || !interview) return;
    options.onConnected();
    const { lastSeq } = await persistently(() => audio.state(audioOf(visitor.session)), signal);
    if (this.isLeft()) return;
    const held = new HeldLine({
      ...options,
      party,
      connectionId,
      course,
      signal,
      interview,
      wasInterrupted: before?.status === 'interrupted',
      lastAudioSeq: lastSeq,
      countActivity: () => limits.batchOfActivity(visitor.caller.subject),
      onTaken: () => this.inbox.add(() => this.audioTaken()),
      onFault: (error) => this.fault(error),
    });
    this.held = held;
    const tell = await held.restore();
    if (this.isLeft()) return;
    line.send(readyMessage(session, interview, options.speech, lastSeq));
    course.begin();
    tell();
  }

  /** Audio came by another connection: a newer one's, or a former one's at the last moment. */
  private async audioTaken(): Promise<void> {
    await this.course.refresh();
    // Where the audio goes on now, the client hears as it connects again.
    if (!this.course.isOver) throw new Error('Audio of a former connection came in between.');
  }

  private async leave(code: number, isOver: boolean): Promise<Left> {
    const { connectionId, options, party } = this;
    const release = (): void => this.hosted?.end();
    await this.beginning.catch(() => undefined);
    const { held } = this;
    if (!isOver && this.connecting) await held?.flush();
    held?.shut();
    if (!this.connecting) return { away: null, release };
    // One that was superseded says for how long its question stood, too.
    const gone = { connectionId, code, waited: this.waited, elapsedMs: held?.elapsedMs ?? null };
    try {
      const disconnect = () => options.commands.disconnect(party, gone);
      const left = await persistently(disconnect, new AbortController().signal);
      const isAway = left.kind === 'refused' || isNewest(left.state, connectionId);
      if (isOver || !isAway) return { away: null, release };
    } catch (error) {
      // Whoever looks after the absence records it then.
      options.log.warn({ reason: reasonOf(error) }, 'The end of a connection could not be recorded.');
    }
    return { away: isOver ? null : connectionId, release };
  }

  private isLeft(): boolean {
    return this.abort.signal.aborted;
  }

  private over(completed: boolean): void {
    if (completed) this.held?.sayGoodbye();
    this.stop();
  }

  /** From here on nothing is done for this connection. */
  private stop(): void {
    this.waited ??= this.held?.waited() ?? null;
    this.abort.abort();
    this.unwatch();
    this.inbox.clear();
    this.held?.end();
  }

  private fault(error: unknown): void {
    if (this.gone || this.course.isOver) return;
    const { log, line } = this.options;
    if (error instanceof PersonErased) {
      line.close(CLOSE.sessionOver, { code: 'session_over', sentence: 'This session is over.' });
      return;
    }
    const fields = { reason: reasonOf(error), requestId: this.party.correlationId };
    if (isAway(error)) log.warn(fields, 'An interview’s connection was closed: a store is away.');
    else log.error(fields, 'An interview’s connection failed.');
    const sentence = 'The service cannot go on with this connection: connect again.';
    line.close(CLOSE.fault, { code: 'internal', sentence });
  }
}
