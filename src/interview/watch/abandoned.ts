import { type OpenInterviewDocument, openInterviews } from '../../../projections/open-interviews.js';
import { backoff } from '../../core/backoff.js';
import { Semaphore } from '../../core/concurrency.js';
import { longLived } from '../../core/signals.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';
import { reasonOf } from '../../engine/errors.js';
import { type EngineLog, silentLog } from '../../engine/log.js';
import type { Leases } from '../../engine/ownership/leases.js';
import { pollUnderLease } from '../../engine/reactors/leased-poller.js';
import { WakeUps } from '../../engine/reactors/wake-ups.js';
import { allOf, type ViewReader } from '../../engine/reads/reads.js';
import type { ReadStore } from '../../stores/read-store.js';
import { HostWatch, type HostWatchOptions } from './host-watch.js';

/** Ends an interview without a connection, called by the connection's process or by one that finds it abandoned. */
export interface InterviewEnding {
  /**
   * Call it if a client has been disconnected for `RESUME_MS`. Closes the open turn and interrupts the session, unless
   * the client has come back on another connection or the session has ended.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  interrupt(session: ApplicationRef, connectionId: string): Promise<void>;
  /**
   * Closes the open turn and completes the session, if by the streams it is interrupted and its interview's time is over.
   * @param now the present time, which the caller trusts
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  finishOverdue(session: ApplicationRef, now: Date): Promise<void>;
  /** Ends transcriptions, which can take minutes: the calls above fail, and are to be repeated by another process. */
  stop(): void;
}

export interface AbandonedOptions extends HostWatchOptions {
  readonly reader: Pick<ViewReader, 'page'>;
  readonly ending: Pick<InterviewEnding, 'interrupt'>;
  /** Whether this process may begin to interrupt another interview. Default: always. */
  readonly isAllowed?: (() => boolean) | undefined;
  /** Default: nothing is logged. */
  readonly log?: EngineLog | undefined;
  /** How long a client has to come back, in milliseconds, without accommodations. Default: `RESUME_MS`. */
  readonly resumeMs?: number | undefined;
  /** Pauses before a failed interruption is tried again, as of `backoff`. Default: from 250 ms to a minute. */
  readonly retry?: { readonly baseMs: number; readonly capMs: number } | undefined;
}

interface Attempt {
  readonly failures: number;
  /** Earliest next attempt, in milliseconds of this process's monotonic clock. */
  readonly notBefore: number;
}

/** How many interviews are interrupted at the same time: closing a turn can include transcribing it. */
const CONCURRENCY = 4;

/**
 * Calls `interrupt` for connections whose own process is dead or has lost track of them. Call `poll` repeatedly, and
 * `stop` once.
 */
export class AbandonedInterviews {
  readonly #options: AbandonedOptions;
  readonly #hosts: HostWatch;
  readonly #absences: Absences;
  readonly #resumeMs: number;
  readonly #now: () => number;
  /** Calls of `interrupt` under way, by connection. */
  readonly #running = new Map<string, Promise<void>>();
  /** The last call of `interrupt` for each connection that the view still lists. */
  readonly #attempts = new Map<string, Attempt>();
  readonly #places = new Semaphore(CONCURRENCY);
  readonly #stopping = longLived();

  constructor(options: AbandonedOptions) {
    this.#options = options;
    this.#hosts = new HostWatch(options);
    this.#resumeMs = options.resumeMs ?? RESUME_MS;
    this.#absences = new Absences(this.#resumeMs);
    this.#now = options.now ?? (() => performance.now());
  }

  /** Number of records that it keeps. */
  get size(): number {
    return this.#hosts.size + this.#absences.size + this.#attempts.size + this.#running.size;
  }

  /**
   * Reads the view and the leases once, and starts due interruptions without awaiting them. Call it again after about a
   * second if it returns true.
   * @returns whether there is any interview or host to watch
   * @throws {ReadModelBehind | ReadStoreUnavailable} call again
   */
  async poll(): Promise<boolean> {
    const held = await this.#list();
    await this.#hosts.poll(new Set(held.map(({ host }) => host)));
    const now = this.#now();
    const overdue = this.#absences.overdue(held, (host) => this.#hosts.isDead(host), now);
    const listed = new Set(held.map(({ connectionId }) => connectionId));
    for (const id of this.#attempts.keys()) if (!listed.has(id)) this.#attempts.delete(id);
    for (const interview of overdue) {
      const { connectionId } = interview;
      if (this.#running.has(connectionId) || now < (this.#attempts.get(connectionId)?.notBefore ?? 0))
        continue;
      const run = this.#takeOver(interview).finally(() => this.#running.delete(connectionId));
      this.#running.set(connectionId, run);
    }
    return held.length > 0 || this.size > 0;
  }

  /** Starts no further interruption. Resolves once none is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  /** Resolves once no interruption is under way. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Reads all open interviews from the view. */
  async #list(): Promise<readonly OpenInterviewDocument[]> {
    const { reader } = this.#options;
    const held: OpenInterviewDocument[] = [];
    for await (const { document } of allOf(reader, openInterviews, { index: 'byHost', prefix: [] }))
      held.push(document);
    return held;
  }

  async #takeOver(interview: OpenInterviewDocument): Promise<void> {
    const { connectionId, trialSessionId } = interview;
    const { ending, log = silentLog, retry = { baseMs: 250, capMs: 60_000 } } = this.#options;
    const { isAllowed = () => true } = this.#options;
    const release = await this.#places.acquire(this.#stopping.signal);
    if (!release) return;
    try {
      // Meanwhile another process may have taken the lease, and interrupts the same interview.
      if (!isAllowed()) return;
      await ending.interrupt(interview, connectionId);
      // Until then the view has caught up and no longer lists the connection.
      this.#attempts.set(connectionId, { failures: 0, notBefore: this.#now() + this.#resumeMs });
    } catch (error) {
      // It was ended.
      if (this.#stopping.signal.aborted) return;
      const failures = this.#attempts.get(connectionId)?.failures ?? 0;
      const notBefore = this.#now() + backoff(failures, retry.baseMs, retry.capMs);
      this.#attempts.set(connectionId, { failures: failures + 1, notBefore });
      log.warn(
        { trialSessionId, connectionId, reason: reasonOf(error) },
        'An abandoned interview could not be interrupted; it will be tried again.',
      );
    } finally {
      release();
    }
  }
}

export interface AbandonedWorkerOptions extends Omit<AbandonedOptions, 'leases' | 'reader' | 'isAllowed'> {
  readonly readStore: ReadStore;
  readonly reader: Pick<ViewReader, 'page' | 'hasReached'>;
  /** The leases of this process. */
  readonly leases: Leases;
  /**
   * Interval in milliseconds. Must be less than half of `deadMs`: else no host is ever found dead. Default: a second.
   */
  readonly pollMs?: number;
}

/** The lease of the process that interrupts abandoned interviews. Two at the same time do no harm. */
const LEASE = 'abandoned-interviews';

/** Interrupts abandoned interviews, in one process at a time, until it is stopped. */
export function startAbandonedInterviews(options: AbandonedWorkerOptions): { stop(): Promise<void> } {
  const { readStore, leases, log = silentLog, pollMs = 1000 } = options;
  const abort = new AbortController();
  const { signal } = abort;
  const isAllowed = (): boolean => leases.holds(LEASE);
  const abandoned = new AbandonedInterviews({ ...options, leases: readStore.leases, isAllowed });

  const running = pollUnderLease({
    lease: LEASE,
    leases,
    signal,
    log,
    wakeUps: new WakeUps(openInterviews, readStore, options.reader, signal, pollMs),
    warning: 'Abandoned interviews could not be read; this is tried again.',
    retry: { capMs: 10_000 },
    poll: async () => ((await abandoned.poll()) ? pollMs : Infinity),
  });
  return {
    stop: async () => {
      abort.abort();
      // At once, so that the poll under way begins no further interruption.
      await Promise.all([abandoned.stop(), running]);
      await abandoned.settled();
      await leases.forget(LEASE);
    },
  };
}

/** The newest connection of an open interview. */
export type Held = Pick<OpenInterviewDocument, 'connectionId' | 'host' | 'connected' | 'timeFactor'>;

/** Since when this process has seen each state, in milliseconds of its monotonic clock; `null`: it is not the case. */
interface Absence {
  readonly droppedSince: number | null;
  readonly hostDeadSince: number | null;
}

/**
 * How long clients have been disconnected, measured from when this process saw it first. A live host interrupts its own
 * interviews. If it has not after twice the time, it has lost track of the connection.
 */
export class Absences {
  #known: ReadonlyMap<string, Absence> = new Map();

  /** @param resumeMs how long a client has to come back, in milliseconds, without accommodations */
  constructor(private readonly resumeMs: number) {}

  /** Number of disconnected clients. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * Replaces the connections that it watches.
   * @returns those whose client has been disconnected for too long
   */
  overdue<H extends Held>(held: readonly H[], isDead: (host: string) => boolean, now: number): readonly H[] {
    const known = new Map<string, Absence>();
    const overdue = held.filter(({ connectionId, host, connected, timeFactor }) => {
      const before = this.#known.get(connectionId);
      const droppedSince = connected ? null : (before?.droppedSince ?? now);
      const hostDeadSince = isDead(host) ? (before?.hostDeadSince ?? now) : null;
      if (droppedSince === null && hostDeadSince === null) return false;
      known.set(connectionId, { droppedSince, hostDeadSince });
      const resumeMs = timeFactor * this.resumeMs;
      if (hostDeadSince === null) return now - (droppedSince ?? now) >= 2 * resumeMs;
      return now - Math.min(hostDeadSince, droppedSince ?? now) >= resumeMs;
    });
    this.#known = known;
    return overdue;
  }
}
