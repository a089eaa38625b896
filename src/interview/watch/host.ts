import { randomUUID } from 'node:crypto';
import { pause } from '../../core/backoff.js';
import { reasonOf } from '../../engine/errors.js';
import { silentLog, Troubles, type EngineLog } from '../../engine/log.js';
import { LEASE_TIMINGS, OwnLease, Waiting } from '../../engine/presence.js';
import type { ReadStore } from '../../stores/read-store.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';

/** The lease by which a host shows that it is alive. */
export const leaseOfHost = (host: string): string => `interview-host.${host}`;

export interface HostLeaseOptions {
  readonly leases: ReadStore['leases'];
  /** `<host>/<pid>` of this process. */
  readonly owner: string;
  /** Called at most once: another process has declared this host dead, or may have. It does not throw. */
  readonly onLost: () => void;
  readonly log?: EngineLog | undefined;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * A host's lease from its own side. Its id is never used again: once the lease is gone, the process that removed it
 * takes care of this host's interviews, so it is neither waited for nor taken anew. An outage of the store removes
 * nothing.
 */
export class HostLease {
  readonly host = randomUUID();
  readonly #own: OwnLease;
  readonly #onLost: () => void;
  readonly #troubles: Troubles;
  readonly #now: () => number;
  readonly #wantedSince: number;
  readonly #waiting = new Waiting();
  #taken = false;
  #over = false;
  #busy: Promise<void> | null = null;

  constructor({ leases, owner, onLost, log = silentLog, now = () => performance.now() }: HostLeaseOptions) {
    this.#own = new OwnLease({ leases, now }, leaseOfHost(this.host), `${owner}/${this.host}`);
    this.#onLost = onLost;
    this.#troubles = new Troubles(log);
    this.#now = now;
    this.#wantedSince = now();
  }

  /** Resolves once the lease is taken, or with the signal. */
  async taken(signal: AbortSignal): Promise<void> {
    if (!this.#taken && !this.#over && !signal.aborted) await this.#waiting.until(signal);
  }

  /** Takes or renews it. Never throws: a failure is tried again with the next call. */
  renew(): Promise<void> {
    if (this.#over) return Promise.resolve();
    this.#busy ??= this.#takeOrRenew().finally(() => (this.#busy = null));
    return this.#busy;
  }

  /** Releases it for good. Never throws. */
  async giveUp(): Promise<void> {
    this.#end();
    await this.#busy;
    try {
      await this.#own.release();
    } catch (error) {
      this.#warn(error, 'The lease of this process’s interviews was not released; it dies out.');
    }
  }

  async #takeOrRenew(): Promise<void> {
    // Without a lease for so long it was dead to others, and its connections may have been taken care of.
    if (!this.#taken && this.#now() - this.#wantedSince >= RESUME_MS) {
      this.#lose();
      return;
    }
    try {
      // Refused, the first write may have taken effect before, and its answer been lost.
      const held = this.#taken
        ? await this.#own.renew()
        : (await this.#own.take(null)) || (await this.#own.verify());
      if (held) this.#taken = true;
      else this.#lose();
      this.#troubles.over(this.host);
    } catch (error) {
      this.#warn(error, 'The lease of this process’s interviews could not be renewed; it is tried again.');
    }
    if (this.#taken) this.#waiting.end();
  }

  #lose(): void {
    if (this.#over) return;
    this.#end();
    this.#onLost();
  }

  #end(): void {
    this.#over = true;
    this.#waiting.end();
  }

  #warn(error: unknown, message: string): void {
    const fields = { lease: leaseOfHost(this.host), reason: reasonOf(error) };
    this.#troubles.warn(this.host, fields, message);
  }
}

/** A connection that this process answers for. */
export interface Hosted {
  /** The `host` of its `interview.connected`. */
  readonly host: string;
  /**
   * Nothing is left to be done for it here: it dropped and its `away` is carried out, or another connection or the
   * session's end came first. Again: nothing. Not called, the process merely keeps its lease for longer.
   */
  end(): void;
}

export interface InterviewHostOptions {
  readonly leases: ReadStore['leases'];
  /** `<host>/<pid>` of this process: `ownName()`. */
  readonly owner: string;
  readonly log?: EngineLog;
  /** How often it shows that it lives, in milliseconds. */
  readonly renewMs?: number;
  /** How long a connection waits for a read store that is away before it begins all the same, in milliseconds. */
  readonly patienceMs?: number;
}

/** The connections that are answered for under one id. */
interface Term {
  readonly lease: HostLease;
  readonly timer: NodeJS.Timeout;
  readonly connections: Set<{ readonly onLost: () => void }>;
}

/**
 * This process as one that holds interviews' connections, and shows by a lease that it lives as long as it answers
 * for any: whoever finds the lease standing still takes care of them. Each stretch of work, from the first connection
 * to the last, has an id of its own.
 */
export class InterviewHost {
  readonly #options: InterviewHostOptions;
  readonly #endings = new Set<Promise<void>>();
  #term: Term | null = null;
  #stopped = false;

  constructor(options: InterviewHostOptions) {
    this.#options = options;
  }

  /**
   * To be awaited before a connection's `interview.connected` is appended. It never fails: while the read store is
   * away it goes on trying beside the connection. After `stop` nobody vouches for a connection: it will be found as
   * a dead process's is.
   * @param onLost called at most once, also before this resolves, and does not throw: this process was taken for dead
   * (it stood still for long), so its connection is to be closed with 1001 for the client to come back
   */
  async begin(onLost: () => void): Promise<Hosted> {
    if (this.#stopped) return { host: randomUUID(), end: () => undefined };
    const term = (this.#term ??= this.#newTerm());
    const connection = { onLost };
    term.connections.add(connection);
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([term.lease.taken(signal), pause(this.#options.patienceMs ?? 2000, signal)]);
    waiting.abort();
    return {
      host: term.lease.host,
      end: () => {
        term.connections.delete(connection);
        if (term === this.#term && term.connections.size === 0) this.#endTerm(term);
      },
    };
  }

  /** Gives the lease up, for when the connections are closed: those that are not are found as a dead process's are. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#term !== null) this.#endTerm(this.#term);
    await Promise.all(this.#endings);
  }

  #newTerm(): Term {
    const { leases, owner, log, renewMs = LEASE_TIMINGS.renewMs } = this.#options;
    const lease = new HostLease({ leases, owner, log, onLost: () => this.#lost(term) });
    const timer = setInterval(() => void lease.renew(), renewMs).unref();
    const term: Term = { lease, timer, connections: new Set() };
    void lease.renew();
    return term;
  }

  #endTerm({ lease, timer }: Term): void {
    this.#term = null;
    clearInterval(timer);
    const ending = lease.giveUp().finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  #lost(term: Term): void {
    clearInterval(term.timer);
    if (term === this.#term) this.#term = null;
    for (const { onLost } of term.connections) onLost();
  }
}
