import { randomUUID } from 'node:crypto';
import { reasonOf } from '../../engine/errors.js';
import { silentLog, Troubles, type EngineLog } from '../../engine/log.js';
import { Waiting } from '../../engine/waiting.js';
import type { Lease, ReadStore } from '../../stores/read-store.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';

/** The lease by which a host shows that it lives. */
export const leaseOfHost = (host: string): string => `interview-host.${host}`;

export interface HostLeaseOptions {
  readonly leases: ReadStore['leases'];
  /** `<host>/<pid>` of this process. */
  readonly owner: string;
  /** Called at most once: somebody has declared this host dead, or may have. It does not throw. */
  readonly onLost: () => void;
  readonly log?: EngineLog | undefined;
  /** Monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * A host's lease from its own side. Its id is never used again: once the lease has gone, whoever took it away looks
 * after this host's interviews, so it is neither waited for nor taken anew, unlike those of `LeaseKeeper`. A store
 * that is away takes nothing away.
 */
export class HostLease {
  readonly host = randomUUID();
  readonly #leases: ReadStore['leases'];
  readonly #owner: string;
  readonly #onLost: () => void;
  readonly #troubles: Troubles;
  readonly #now: () => number;
  readonly #wantedSince: number;
  readonly #waiting = new Waiting();
  /** As it was written last, as far as is known. */
  #mine: Lease | null = null;
  #over = false;
  #busy: Promise<void> | null = null;

  constructor(options: HostLeaseOptions) {
    this.#leases = options.leases;
    this.#owner = `${options.owner}/${this.host}`;
    this.#onLost = options.onLost;
    this.#troubles = new Troubles(options.log ?? silentLog);
    this.#now = options.now ?? (() => performance.now());
    this.#wantedSince = this.#now();
  }

  /** Resolves once the lease stands, or with the signal. */
  async taken(signal: AbortSignal): Promise<void> {
    if (this.#mine === null && !this.#over && !signal.aborted) await this.#waiting.until(signal);
  }

  /** Takes it, or shows that its owner lives. Never throws: what fails is tried again with the next call. */
  renew(): Promise<void> {
    if (this.#over) return Promise.resolve();
    this.#busy ??= this.#takeOrRenew().finally(() => (this.#busy = null));
    return this.#busy;
  }

  /** Lets it go for good. Never throws. */
  async giveUp(): Promise<void> {
    this.#end();
    await this.#busy;
    try {
      if (this.#mine !== null && (await this.#swap(null))) return;
      // The answer to the last renewal may have been lost.
      this.#mine = await this.#leases.get(leaseOfHost(this.host));
      if (this.#mine?.owner === this.#owner) await this.#swap(null);
    } catch (error) {
      this.#warn(error, 'The lease of this process’s interviews was not released; it dies out.');
    }
  }

  async #takeOrRenew(): Promise<void> {
    // Who had no lease for so long was dead to others, and its connections may have been taken care of.
    if (this.#mine === null && this.#now() - this.#wantedSince >= RESUME_MS) {
      this.#lose();
      return;
    }
    const next = { owner: this.#owner, counter: (this.#mine?.counter ?? 0) + 1 };
    try {
      if (await this.#swap(next)) this.#mine = next;
      else await this.#lookWhoHasIt();
      this.#troubles.over(this.host);
    } catch (error) {
      this.#warn(
        error,
        'The lease of this process’s interviews could not be renewed; it will be tried again.',
      );
    }
    if (this.#mine !== null) this.#waiting.end();
  }

  async #lookWhoHasIt(): Promise<void> {
    const standing = await this.#leases.get(leaseOfHost(this.host));
    if (standing?.owner === this.#owner) this.#mine = standing;
    else this.#lose();
  }

  #lose(): void {
    if (this.#over) return;
    this.#end();
    this.#onLost();
  }

  #swap(next: Lease | null): Promise<boolean> {
    return this.#leases.swap(leaseOfHost(this.host), this.#mine, next);
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
