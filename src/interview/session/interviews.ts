import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { CommandContexts } from '../../core/command-context.js';
import type { RateLimits } from '../../api/http/rate-limits.js';
import type { CommandStreams } from '../../core/handle.js';
import type { EventStore, Position } from '../../core/event-store.js';
import { streamName } from '../../core/stream-name.js';
import { organisation } from '../../domain/organisation/decider.js';
import { backoff } from '../../core/backoff.js';
import { reasonOf } from '../../engine/errors.js';
import type { EngineLog } from '../../engine/log.js';
import { hasEnded } from '../../domain/session/state.js';
import { isRunning } from '../../domain/session/lifecycle.js';
import type { AudioStore } from '../../core/vault/audio.js';
import type { Interviewer } from '../interviewer/interviewer.js';
import { type ClientMessageOf, CLOSE } from '../../../packages/interview-client/src/protocol/messages.js';
import type { Speech } from '../../clients/speech.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';
import { Closing } from './closing.js';
import { InterviewCommands } from './commands.js';
import type { InterviewHost } from '../watch/host.js';
import type { Conversation, Interviews, Line, Visitor } from './port.js';
import { SessionFeed } from './session-feed.js';
import { type Left, Talk } from './talk.js';

export interface InterviewsOptions {
  readonly streams: CommandStreams;
  readonly contexts: CommandContexts;
  readonly eventStore: Pick<EventStore, 'head' | 'subscribeToAll'>;
  readonly audio: AudioStore;
  readonly interviewer: Interviewer;
  readonly speech: Speech;
  readonly host: Pick<InterviewHost, 'begin'>;
  /** The consistency token of a position. */
  readonly tokenOf: (position: Position) => string;
  readonly limits: Pick<RateLimits, 'batchOfActivity'>;
  readonly log: EngineLog;
  /** How long an open turn waits for a connection that dropped, in milliseconds. */
  readonly resumeMs?: number;
}

/** Longest that the end of connections is waited for as the service stops, in milliseconds. */
const FAREWELL_MS = 3_000;

/** The interviews of one process. */
export class LiveInterviews implements Interviews {
  /** How interviews end that no connection ends. */
  readonly ending: Closing;
  private readonly commands: InterviewCommands;
  private readonly feed: SessionFeed;
  private readonly talks = new Set<Talk>();
  /** Connections that are being put away, and of which session. */
  private readonly leaving = new Map<Promise<void>, string>();
  private readonly absences = new Set<Absence>();
  private draining = false;

  constructor(private readonly options: InterviewsOptions) {
    const { streams, contexts, audio, speech, log, eventStore } = options;
    this.commands = new InterviewCommands(streams, contexts);
    this.ending = new Closing({ commands: this.commands, audio, speech, log });
    this.feed = new SessionFeed(eventStore);
  }

  async refusal({ session }: Visitor): ReturnType<Interviews['refusal']> {
    const { state } = await this.commands.read(session);
    if (state === null || state.status === 'invited')
      return { code: 'not_started', message: 'This session has not been started yet.' };
    return isRunning(state) && !hasEnded(state, new Date().toISOString())
      ? null
      : { code: 'session_ended', message: 'This session has ended.' };
  }

  open(visitor: Visitor, ready: ClientMessageOf<'client.ready'>, line: Line): Conversation {
    if (this.draining) {
      line.close(CLOSE.restart);
      return NOBODY;
    }
    const { audio, interviewer, speech, host, limits, tokenOf, log } = this.options;
    const { session } = visitor;
    const talk: Talk = new Talk({
      visitor,
      ready,
      line,
      commands: this.commands,
      closing: this.ending,
      audio,
      interviewer,
      speech,
      host,
      tokenOf,
      limits,
      log,
      recordsAudio: () => this.recordsAudio(session),
      watch: (notify) => this.feed.watch(streamName('trial', session.trialSessionId), notify),
      settled: () => this.settled(session),
      onConnected: () => this.isBack(session),
      onGone: (left) => this.leave(talk, session, left),
    });
    this.talks.add(talk);
    return talk;
  }

  async drain(deadlineMs: number): Promise<void> {
    this.draining = true;
    for (const { timer } of this.absences) clearTimeout(timer);
    const quiet = Promise.all([...this.talks].map((talk) => talk.quiet()));
    await within(quiet, deadlineMs);
  }

  /** Resolves once what the last connections left is written down, or after 3 s. */
  async stopped(): Promise<void> {
    const allLeft = async (): Promise<void> => {
      while (this.leaving.size > 0) await Promise.all(this.leaving.keys());
    };
    await within(allLeft(), FAREWELL_MS);
  }

  private async recordsAudio({ organisationId }: ApplicationRef): Promise<boolean> {
    const { state } = await this.options.streams.read(
      organisation,
      streamName('organisation', organisationId),
    );
    return state?.recordAudio ?? false;
  }

  private leave(talk: Talk, session: ApplicationRef, left: Promise<Left>): void {
    const leaving = left
      .then(({ away, release }) => {
        if (away === null || this.draining) release();
        else this.keepWatch(session, away, release);
      })
      .catch((error: unknown) => {
        this.options.log.error(
          { reason: reasonOf(error) },
          'The end of a connection could not be looked after.',
        );
      })
      .finally(() => {
        this.talks.delete(talk);
        this.leaving.delete(leaving);
      });
    this.leaving.set(leaving, session.trialSessionId);
  }

  private settled({ trialSessionId }: ApplicationRef): Promise<unknown> {
    return Promise.all(
      [...this.leaving].flatMap(([leaving, of]) => (of === trialSessionId ? [leaving] : [])),
    );
  }

  /** Looks after a session whose connection is away, until it has been for long. */
  private keepWatch(session: ApplicationRef, connectionId: string, release: () => void): void {
    const { trialSessionId } = session;
    const absence: Absence = { trialSessionId, timer: undefined, release };
    this.absences.add(absence);
    const attempt = (failures: number, ms: number): void => {
      absence.timer = setTimeout(() => {
        this.ending.away(session, connectionId).then(
          () => this.forget(absence),
          (error: unknown) => {
            if (!this.absences.has(absence) || this.draining) return;
            this.options.log.warn({ reason: reasonOf(error) }, 'An interview could not be interrupted yet.');
            attempt(failures + 1, backoff(failures, 500, 10_000));
          },
        );
      }, ms);
      absence.timer.unref();
    };
    attempt(0, this.options.resumeMs ?? RESUME_MS);
  }

  /** Nothing of an earlier connection has to be looked after any more. */
  private isBack({ trialSessionId }: ApplicationRef): void {
    for (const absence of this.absences) if (absence.trialSessionId === trialSessionId) this.forget(absence);
  }

  private forget(absence: Absence): void {
    clearTimeout(absence.timer);
    if (this.absences.delete(absence)) absence.release();
  }
}

/** Said to whoever comes as the service stops. */
const NOBODY: Conversation = {
  message: () => undefined,
  audio: () => undefined,
  closed: () => undefined,
};

interface Absence {
  readonly trialSessionId: string;
  timer: NodeJS.Timeout | undefined;
  readonly release: () => void;
}

const within = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
};
