import { IDLE_POLL_MS } from '../../core/shared-interval.js';
import { longLived } from '../../core/signals.js';
import type { Lease, ReadStore } from '../../stores/read-store.js';

type LeaseStore = ReadStore['leases'];

/** Times of leases. */
export interface LeaseTimings {
  /** How often a held lease is renewed and a wanted one read, in milliseconds. */
  readonly renewMs: number;
  /** How long a counter must not move, in milliseconds of this process's clock, until its owner counts as dead. */
  readonly deadMs: number;
}

/** The timings of every lease, unless a test shortens them. */
export const LEASE_TIMINGS: LeaseTimings = { renewMs: IDLE_POLL_MS, deadMs: 5_000 };

/** How a process observes the leases of others. */
export interface PresenceOptions {
  readonly leases: LeaseStore;
  /** As in `LeaseTimings`. */
  readonly deadMs: number;
  /** Whether an owner is known to be gone, so that its lease is dead at once. */
  readonly isGone: (owner: string) => boolean;
  /** Monotonic milliseconds; of this process alone, never compared with another's. */
  readonly now: () => number;
}

/** A lease from its owner's side: each write moves its counter, which proves that the owner is alive. */
export class OwnLease {
  #record: Lease | null = null;
  #provedAt = -Infinity;

  constructor(
    private readonly options: Pick<PresenceOptions, 'leases' | 'now'>,
    readonly name: string,
    private readonly owner: string,
  ) {}

  /** As it was written last, as far as is known; `null`: it is not held. */
  get record(): Lease | null {
    return this.#record;
  }

  /** When the last write that took effect was begun, on this process's clock. */
  get provedAt(): number {
    return this.#provedAt;
  }

  /**
   * Replaces `current`, the lease as it was read.
   * @param owner the owner field to write
   * @returns false: another write came first
   */
  async take(current: Lease | null, owner = this.owner): Promise<boolean> {
    const { leases, now } = this.options;
    const at = now();
    const next = { owner, counter: (current?.counter ?? 0) + 1 };
    if (!(await leases.swap(this.name, current, next))) return false;
    this.#record = next;
    this.#provedAt = at;
    return true;
  }

  /** Moves the counter by one write. @returns false: it is lost */
  async renew(): Promise<boolean> {
    while (this.#record !== null) {
      if (await this.take(this.#record)) return true;
      // Taken by another, or the answer to an earlier write was lost.
      await this.verify();
    }
    return false;
  }

  /** Reads it. A lease that is dropped during the read stays dropped. @returns false: it is lost */
  async verify(): Promise<boolean> {
    const before = this.#record;
    const found = await this.#readOwn();
    if (this.#record === before) this.#record = found;
    return this.#record !== null;
  }

  /** Stops holding it, without a write to the store. */
  drop(): void {
    this.#record = null;
  }

  /** Removes it, even if the answer to the write that took it was lost. */
  async release(): Promise<void> {
    const { leases } = this.options;
    const mine = this.#record;
    this.#record = null;
    if (mine !== null && (await leases.swap(this.name, mine, null))) return;
    const current = await this.#readOwn();
    if (current !== null) await leases.swap(this.name, current, null);
  }

  async #readOwn(): Promise<Lease | null> {
    const current = await this.options.leases.get(this.name);
    return current?.owner === this.owner ? current : null;
  }
}

/** Another process's lease: dead once its counter has not changed for `deadMs` on this process's own clock. */
export class WatchedLease {
  #record: Lease | null = null;
  #since = -Infinity;
  #stillMs = 0;
  #gone = false;
  #polledAt = -Infinity;

  /** @param outageMs polls further apart than this restart the staleness timer */
  constructor(
    private readonly options: PresenceOptions,
    readonly name: string,
    private readonly outageMs = options.deadMs / 2,
  ) {}

  /** As of the last poll; `null`: there was none, or it was not polled yet. */
  get record(): Lease | null {
    return this.#record;
  }

  /** Whether the record, or its absence, has not changed for `deadMs`. */
  get isStale(): boolean {
    return this.#stillMs >= this.options.deadMs;
  }

  /** Whether its owner was dead at the last poll; without a lease there is no owner. */
  get isDead(): boolean {
    return this.#gone || (this.#record !== null && this.isStale);
  }

  /** Reads it, and decides by this and the former reads whether its owner is alive. */
  async poll(): Promise<Lease | null> {
    const { leases, isGone, now } = this.options;
    const before = now();
    const record = await leases.get(this.name);
    const same = record?.owner === this.#record?.owner && record?.counter === this.#record?.counter;
    // After an outage, restart the staleness timer: counters may move as soon as the store is back.
    if (!same || before - this.#polledAt >= this.outageMs) this.#since = now();
    this.#record = record;
    this.#gone = record !== null && isGone(record.owner);
    this.#stillMs = before - this.#since;
    this.#polledAt = now();
    return record;
  }

  /** Replaces the lease if it is as it was last seen. @returns false: it has moved */
  async replace(next: Lease | null): Promise<boolean> {
    if (!(await this.options.leases.swap(this.name, this.#record, next))) return false;
    this.#record = next;
    this.#gone = false;
    return true;
  }
}

/** Callers that wait for the same thing, such as a lease. */
export class Waiters {
  readonly #done = new Set<() => void>();

  /** Resolves with the next `end`, or when the signal aborts; call it only if it has not. */
  until(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        this.#done.delete(done);
        resolve();
      };
      this.#done.add(done);
      signal.addEventListener('abort', done);
    });
  }

  /** Resolves all waits: the thing is available, or never will be. */
  end(): void {
    for (const done of this.#done) done();
  }
}

/** A lease that this process tries to get or holds. */
export interface WantedLease {
  readonly name: string;
  readonly own: OwnLease;
  readonly current: WatchedLease;
  /** The callers that wait until it is held. */
  readonly waiters: Waiters;
  /** Aborted once the lease is lost, or is to be handed over to another process. */
  term: AbortController;
  /** Not taken before this time of `now`, so that another process can. */
  notBefore: number;
  /** The one operation on it that is under way; `null`: none is. */
  busy: Promise<void> | null;
  /** Whether no living process held it when it was read last. */
  isFree: boolean;
  /** When it was read last, by `now`. */
  readAt: number;
  /** `Assignments.members` at that time. */
  readMembers: string;
}

/** A lease that is wanted from now on and was not read yet. */
export const wantLease = (options: PresenceOptions, name: string, owner: string): WantedLease => ({
  name,
  own: new OwnLease(options, name, owner),
  // Reads are up to `deadMs` apart, so an outage cannot be distinguished from a pause.
  current: new WatchedLease(options, name, Infinity),
  waiters: new Waiters(),
  term: longLived(),
  notBefore: 0,
  busy: null,
  isFree: false,
  readAt: -Infinity,
  readMembers: '',
});

/**
 * A lease was taken here, was lost (another process had it, or may have had it), or was released here, at the latest
 * when this process stopped.
 */
export type LeaseChange = 'taken' | 'lost' | 'given up';

/** How often this process has taken, lost and released leases since it started; for metrics only. */
export type LeaseCounts = Record<LeaseChange, number>;

const countsByStore = new WeakMap<ReadStore['leases'], LeaseCounts>();

/** The counts of the `Leases` that use this very store object in this process. */
export function leaseCountsOf(leases: ReadStore['leases']): LeaseCounts {
  let counts = countsByStore.get(leases);
  if (counts === undefined) countsByStore.set(leases, (counts = { taken: 0, lost: 0, 'given up': 0 }));
  return counts;
}
