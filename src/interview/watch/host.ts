import { randomUUID } from 'node:crypto';
import { pause } from '../../core/backoff.js';
import { reasonOf } from '../../engine/errors.js';
import { silentLog, Troubles, type EngineLog } from '../../engine/log.js';
import { LEASE_TIMINGS, OwnLease, Waiting } from '../../engine/ownership/presence.js';
import type { ReadStore } from '../../stores/read-store.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';

/** The lease by which a host shows that it is alive. */
export const leaseOfHost = (host: string): string => `interview-host.${host}`;

export interface HostLeaseOptions {
  readonly leases: ReadStore['leases'];
  /** `<host>/<pid>` of this process. */
  readonly owner: string;
  /** Called at most once: another process has declared this host dead, or can have. Must not throw. */
  readonly onLost: () => void;
  readonly log?: EngineLog | undefined;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * A host's lease from its own side. Its id is never used again: once the lease is gone, the process that removed it
 * handles this host's interviews, so the lease is not taken again. An outage of the store removes no lease.
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
      this.#warn(error, 'The lease of this process’s interviews was not released; it expires.');
    }
  }

  async #takeOrRenew(): Promise<void> {
    // After this long without a lease, others count this host as dead and can have interrupted its interviews.
    if (!this.#taken && this.#now() - this.#wantedSince >= RESUME_MS) {
      this.#lose();
      return;
    }
    try {
      // If refused, the first write can have taken effect and its answer been lost.
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

/** A connection for which this process is responsible. */
export interface Hosted {
  /** The `host` of its `interview.connected`. */
  readonly host: string;
  /**
   * Nothing remains to be done for it here: it dropped and its `away` is carried out, or another connection or the
   * session's end came first. Further calls have no effect. Without a call the process keeps its lease for longer.
   */
  end(): void;
}

export interface InterviewHostOptions {
  readonly leases: ReadStore['leases'];
  /** `<host>/<pid>` of this process: `ownName()`. */
  readonly owner: string;
  readonly log?: EngineLog;
  /** How often the lease is renewed, in milliseconds. */
  readonly renewMs?: number;
  /** How long a connection waits for an unavailable read store before it begins anyway, in milliseconds. */
  readonly patienceMs?: number;
}

/** The connections of one host id. */
interface Term {
  readonly lease: HostLease;
  readonly timer: NodeJS.Timeout;
  readonly connections: Set<{ readonly onLost: () => void }>;
}

/**
 * This process as a host of interviews' connections. It renews a lease while it is responsible for any: a process that
 * finds the lease unchanged handles them. Each period from the first connection to the last has an id of its own.
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
   * Await it before `interview.connected` is appended. It never fails: while the read store is unavailable the lease is
   * tried again beside the connection. After `stop` a connection has no lease and is handled as a dead process's.
   * @param onLost called at most once, also before this resolves; must not throw. Another process took this one for
   * dead after a long pause: close the connection with 1001, so that the client connects again
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

  /** Releases the lease once connections are closed; any that remain are handled as a dead process's. */
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
