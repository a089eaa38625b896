import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { CommandContexts } from '../../core/command-context.js';
import type { CommandStreams } from '../../core/handle.js';
import type { EventStore } from '../../core/event-store.js';
import { backoff, within } from '../../core/backoff.js';
import { reasonOf } from '../../engine/errors.js';
import { isRefused, type Refusal } from '../../core/decider.js';
import { running } from '../../domain/session/interview-decider.js';
import { type ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';
import { Closing } from './closing.js';
import { InterviewCommands } from './commands.js';
import type { ConnectionHandler, Interviews, Line, Visitor } from './port.js';
import type { InterviewServices } from './connected-session.js';
import { type Left, Conversation } from './conversation.js';
import { SessionFeed } from './session-feed.js';

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
  private readonly services: InterviewServices;
  private readonly feed: SessionFeed;
  private readonly conversations = new Set<Conversation>();
  /** Ends of connections that are not recorded yet, each with its session. */
  private readonly leaving = new Map<Promise<void>, string>();
  private readonly absences = new Set<Absence>();
  private draining = false;

  constructor(private readonly options: InterviewsOptions) {
    const commands = new InterviewCommands(options.streams, options.contexts);
    this.ending = new Closing({ ...options, commands });
    this.services = { ...options, commands, closing: this.ending };
    this.feed = new SessionFeed(options.eventStore);
  }

  async refusal({ session }: Visitor): Promise<Refusal | null> {
    const { state } = await this.services.commands.read(session);
    const found = running(state, new Date().toISOString());
    return isRefused(found) ? found.refusal : null;
  }

  open(visitor: Visitor, ready: ClientMessageOf<'client.ready'>, line: Line): ConnectionHandler {
    if (this.draining) {
      line.close(CLOSE.restart);
      return REFUSED;
    }
    const { session } = visitor;
    const conversation: Conversation = new Conversation(this.services, visitor, ready, line, {
      feed: this.feed,
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
