import { randomUUID } from 'node:crypto';
import { pause } from '../../core/backoff.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';
import { reasonOf } from '../../engine/errors.js';
import { silentLog, RepeatedWarnings, type EngineLog } from '../../engine/log.js';
import { LEASE_TIMINGS, OwnLease, Waiters } from '../../engine/ownership/presence.js';
import type { ReadStore } from '../../stores/read-store.js';

/** The lease by which a host shows that it is alive. */
export const leaseOfHost = (host: string): string => `interview-host.${host}`;

export interface HostLeaseOptions {
  readonly leases: ReadStore['leases'];
  /** `<host>/<pid>` of this process. */
  readonly owner: string;
  /** Default: nothing is logged. */
  readonly log?: EngineLog | undefined;
  /** Monotonic milliseconds. Default: `performance.now()`. */
  readonly now?: (() => number) | undefined;
}

/**
 * The lease of a host, held from the host's first connection to its last. Call `keep` once, `use` for each connection,
 * and `release` at the end. The lease is never taken again: once it is gone, the process that removed it handles this
 * host's interviews. If the store is unavailable, the lease is not lost.
 */
export class HostLease {
  readonly host = randomUUID();
  readonly #own: OwnLease;
  /** The connections that are notified when the lease is lost. */
  readonly #losses = new Set<{ readonly onLost: () => void }>();
  readonly #warnings: RepeatedWarnings;
  readonly #now: () => number;
  readonly #wantedSince: number;
  readonly #waiters = new Waiters();
  #timer: NodeJS.Timeout | undefined;
  #taken = false;
  #over = false;
  #busy: Promise<void> | null = null;

  constructor({ leases, owner, log = silentLog, now = () => performance.now() }: HostLeaseOptions) {
    this.#own = new OwnLease({ leases, now }, leaseOfHost(this.host), `${owner}/${this.host}`);
    this.#warnings = new RepeatedWarnings(log);
    this.#now = now;
    this.#wantedSince = now();
  }

  /** The lease is lost or released. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Whether a connection still needs the lease. */
  get isUsed(): boolean {
    return this.#losses.size > 0;
  }

  /** Renews the lease every `ms` milliseconds until `isOver`. */
  keep(ms: number): void {
    this.#timer = setInterval(() => void this.renew(), ms).unref();
    void this.renew();
  }

  /**
   * Registers a connection that needs the lease.
   * @param onLost called at most once: another process has declared this host dead, or may have. Must not throw
   * @returns call it once the connection no longer needs the lease
   */
  use(onLost: () => void): () => void {
    const connection = { onLost };
    this.#losses.add(connection);
    return () => this.#losses.delete(connection);
  }

  /** Resolves once the lease is taken or lost, or the signal aborts. */
  async taken(signal: AbortSignal): Promise<void> {
    if (!this.#taken && !this.#over && !signal.aborted) await this.#waiters.until(signal);
  }

  /** Takes or renews the lease. Never throws: after a failure the next call tries again. */
  renew(): Promise<void> {
    if (this.#over) return Promise.resolve();
    this.#busy ??= this.#takeOrRenew().finally(() => (this.#busy = null));
    return this.#busy;
  }

  /** Releases the lease for good. Never throws. */
  async release(): Promise<void> {
    this.#end();
    await this.#busy;
    try {
      await this.#own.release();
    } catch (error) {
      this.#warn(error, 'The lease of this process’s interviews was not released; it expires.');
    }
  }

  async #takeOrRenew(): Promise<void> {
    // After this long without a lease, other processes count this host as dead and may have interrupted its interviews.
    if (!this.#taken && this.#now() - this.#wantedSince >= RESUME_MS) {
      this.#lose();
      return;
    }
    try {
      // `verify`: if `take` is refused, an earlier attempt may have taken the lease although its answer was lost.
      const held = this.#taken
        ? await this.#own.renew()
        : (await this.#own.take(null)) || (await this.#own.verify());
      if (held) this.#taken = true;
      else this.#lose();
      this.#warnings.resolved(this.host);
    } catch (error) {
      this.#warn(error, 'The lease of this process’s interviews could not be renewed; it is tried again.');
    }
    if (this.#taken) this.#waiters.end();
  }

  #lose(): void {
    if (this.#over) return;
    this.#end();
    for (const { onLost } of this.#losses) onLost();
  }

  #end(): void {
    this.#over = true;
    clearInterval(this.#timer);
    this.#waiters.end();
  }

  #warn(error: unknown, message: string): void {
    const fields = { lease: leaseOfHost(this.host), reason: reasonOf(error) };
    this.#warnings.warn(this.host, fields, message);
  }
}

/** A connection for which this process is responsible. */
export interface HostedConnection {
  /** The `host` of its `interview.connected`. */
  readonly host: string;
  /**
   * Call it once nothing remains to be done for the connection here: its session is interrupted or has ended, or
   * another connection has superseded it. Further calls have no effect. Without a call the process keeps its lease.
   */
  end(): void;
}

export interface InterviewHostOptions extends HostLeaseOptions {
  /** How often the lease is renewed, in milliseconds. Default: that of all leases, `LEASE_TIMINGS`. */
  readonly renewMs?: number;
  /** How long a connection waits for an unavailable read store before it begins anyway, in milliseconds. Default: 2,000. */
  readonly deadlineMs?: number;
}

/**
 * This process as the host of interviews' connections. It holds a lease while it is responsible for any: if the lease
 * is not renewed, another process handles them. Each period from the first connection to the last has its own host id.
 */
export class InterviewHost {
  readonly #options: InterviewHostOptions;
  readonly #endings = new Set<Promise<void>>();
  #lease: HostLease | null = null;
  #stopped = false;

  constructor(options: InterviewHostOptions) {
    this.#options = options;
  }

  /**
   * Await it before `interview.connected` is appended. It never throws: if the read store is unavailable, the
   * connection begins after `deadlineMs`, and taking the lease is retried meanwhile. After `stop` there is no lease, so
   * another process handles the connection as a dead process's.
   * @param onLost called at most once, also before this resolves; must not throw. Another process has declared this one
   * dead: close the connection with 1001, so that the client connects again
   */
  async begin(onLost: () => void): Promise<HostedConnection> {
    if (this.#stopped) return { host: randomUUID(), end: () => undefined };
    const lease = this.#current();
    const release = lease.use(onLost);
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([lease.taken(signal), pause(this.#options.deadlineMs ?? 2000, signal)]);
    waiting.abort();
    return {
      host: lease.host,
      end: () => {
        release();
        if (!lease.isUsed) this.#release(lease);
      },
    };
  }

  /** Releases the lease once connections are closed; any that remain are handled as a dead process's. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#lease) this.#release(this.#lease);
    await Promise.all(this.#endings);
  }

  #current(): HostLease {
    if (this.#lease?.isOver === false) return this.#lease;
    this.#lease = new HostLease(this.#options);
    this.#lease.keep(this.#options.renewMs ?? LEASE_TIMINGS.renewMs);
    return this.#lease;
  }

  #release(lease: HostLease): void {
    if (lease.isOver) return;
    const ending = lease.release().finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }
}
