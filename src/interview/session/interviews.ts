import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { CommandContexts } from '../../core/command-context.js';
import type { CommandStreams } from '../../core/handle.js';
import type { EventStore, StreamName } from '../../core/event-store.js';
import { streamName } from '../../core/stream-name.js';
import { organisation } from '../../domain/organisation/decider.js';
import { backoff, pause, within } from '../../core/backoff.js';
import { reasonOf } from '../../engine/errors.js';
import type { Refusal } from '../../core/decider.js';
import { running } from '../../domain/session/interview-decider.js';
import { type ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';
import { Closing } from './closing.js';
import { InterviewCommands } from './commands.js';
import type { ConnectionHandler, Interviews, Line, Visitor } from './port.js';
import type { InterviewServices } from './services.js';
import { type Left, Conversation } from './conversation.js';

export interface InterviewsOptions extends Omit<InterviewServices, 'commands' | 'closing'> {
  readonly streams: CommandStreams;
  readonly contexts: CommandContexts;
  readonly eventStore: Pick<EventStore, 'head' | 'subscribeToAll'>;
  /** How long an open turn waits for a connection that dropped, in milliseconds, without accommodations. */
  readonly resumeMs?: number;
}

/** Longest wait for the end of connections as the service stops, in milliseconds. */
const FAREWELL_MS = 3_000;

/** The interviews of one process. */
export class LiveInterviews implements Interviews {
  /** Ends interviews that have no connection. */
  readonly ending: Closing;
  private readonly commands: InterviewCommands;
  private readonly feed: SessionFeed;
  private readonly conversations = new Set<Conversation>();
  /** Ends of connections that are not recorded yet, each with its session. */
  private readonly leaving = new Map<Promise<void>, string>();
  private readonly absences = new Set<Absence>();
  private draining = false;

  constructor(private readonly options: InterviewsOptions) {
    const { streams, contexts, audio, speech, log, eventStore } = options;
    this.commands = new InterviewCommands(streams, contexts);
    this.ending = new Closing({ commands: this.commands, audio, speech, log });
    this.feed = new SessionFeed(eventStore);
  }

  async refusal({ session }: Visitor): Promise<Refusal | null> {
    const { state } = await this.commands.read(session);
    const found = running(state, new Date().toISOString());
    return 'kind' in found ? found.refusal : null;
  }

  open(visitor: Visitor, ready: ClientMessageOf<'client.ready'>, line: Line): ConnectionHandler {
    if (this.draining) {
      line.close(CLOSE.restart);
      return REFUSED;
    }
    const { session } = visitor;
    const conversation: Conversation = new Conversation({
      ...this.options,
      commands: this.commands,
      closing: this.ending,
      visitor,
      ready,
      line,
      recordsAudio: () => this.recordsAudio(session),
      watch: (moved, decided) => {
        const ends = [
          this.feed.watch(streamName('trial', session.trialSessionId), moved),
          this.feed.watch(streamName('application', session.applicationId), decided),
        ];
        return () => ends.forEach((end) => end());
      },
      settled: () => this.settled(session),
      onConnected: () => this.isBack(session),
      onGone: (left) => this.leave(conversation, session, left),
    });
    this.conversations.add(conversation);
    return conversation;
  }

  async drain(deadlineMs: number): Promise<void> {
    this.draining = true;
    for (const { timer } of this.absences) clearTimeout(timer);
    const quiet = Promise.all([...this.conversations].map((conversation) => conversation.quiet()));
    const settled = quiet.catch(() => undefined);
    await within(deadlineMs, settled, () => undefined);
  }

  /** Resolves once the ends of the last connections are recorded, or after 3 s. */
  async stopped(): Promise<void> {
    const allLeft = async (): Promise<void> => {
      while (this.leaving.size > 0) await Promise.all(this.leaving.keys());
    };
    await within(FAREWELL_MS, allLeft(), () => undefined);
  }

  private async recordsAudio({ organisationId }: ApplicationRef): Promise<boolean> {
    const { state } = await this.options.streams.read(
      organisation,
      streamName('organisation', organisationId),
    );
    return state?.recordAudio ?? false;
  }

  private leave(conversation: Conversation, session: ApplicationRef, left: Promise<Left>): void {
    const leaving = left
      .then(({ away, timeFactor, release }) => {
        if (away === null || this.draining) release();
        else this.keepWatch(session, away, timeFactor, release);
      })
      .catch((error: unknown) => {
        this.options.log.error({ reason: reasonOf(error) }, 'The end of a connection could not be handled.');
      })
      .finally(() => {
        this.conversations.delete(conversation);
        this.leaving.delete(leaving);
      });
    this.leaving.set(leaving, session.trialSessionId);
  }

  private settled({ trialSessionId }: ApplicationRef): Promise<unknown> {
    return Promise.all(
      [...this.leaving].flatMap(([leaving, of]) => (of === trialSessionId ? [leaving] : [])),
    );
  }

  /** Interrupts a session whose connection stays away for `resumeMs`, times the factor. */
  private keepWatch(
    session: ApplicationRef,
    connectionId: string,
    timeFactor: number,
    release: () => void,
  ): void {
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
    attempt(0, timeFactor * (this.options.resumeMs ?? RESUME_MS));
  }

  /** The client is back: its earlier connections need no more watching. */
  private isBack({ trialSessionId }: ApplicationRef): void {
    for (const absence of this.absences) if (absence.trialSessionId === trialSessionId) this.forget(absence);
  }

  private forget(absence: Absence): void {
    clearTimeout(absence.timer);
    if (this.absences.delete(absence)) absence.release();
  }
}

/** For a connection that opens while the service stops. */
const REFUSED: ConnectionHandler = {
  message: () => undefined,
  audio: () => undefined,
  closed: () => undefined,
};

interface Absence {
  readonly trialSessionId: string;
  timer: NodeJS.Timeout | undefined;
  readonly release: () => void;
}

/**
 * Notifies conversations of appends to their session's stream, by any process: a newer connection, a withdrawal, a
 * completion. One subscription serves all of a process's conversations, while there are any.
 */
export class SessionFeed {
  private readonly watchers = new Map<StreamName, Set<() => void>>();
  private running: AbortController | null = null;

  constructor(private readonly eventStore: Pick<EventStore, 'head' | 'subscribeToAll'>) {}

  /** @returns ends the watch */
  watch(stream: StreamName, notify: () => void): () => void {
    const watchers = this.watchers.get(stream) ?? new Set();
    watchers.add(notify);
    this.watchers.set(stream, watchers);
    if (!this.running) {
      this.running = new AbortController();
      void this.follow(this.running.signal);
    }
    return () => {
      watchers.delete(notify);
      if (watchers.size === 0 && this.watchers.get(stream) === watchers) this.watchers.delete(stream);
      if (this.watchers.size > 0) return;
      this.running?.abort();
      this.running = null;
    };
  }

  private async follow(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const after = await this.eventStore.head();
        for await (const item of this.eventStore.subscribeToAll({ after, signal })) {
          failures = 0;
          if (item.kind === 'event') this.notify(this.watchers.get(item.event.stream));
          // Appends before the subscription were not notified.
          else if (item.kind === 'live') for (const watchers of this.watchers.values()) this.notify(watchers);
        }
      } catch {
        await pause(backoff(failures), signal);
      }
    }
  }

  private notify(watchers: ReadonlySet<() => void> | undefined): void {
    for (const watcher of [...(watchers ?? [])]) watcher();
  }
}
