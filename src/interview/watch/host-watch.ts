import { LEASE_TIMINGS } from '../../engine/leases.js';
import type { Lease, ReadStore } from '../../stores/read-store.js';
import { leaseOfHost } from './host-lease.js';

export interface HostWatchOptions {
  readonly leases: ReadStore['leases'];
  /** Whether the owner of a lease is known to be gone; without it a dead one is waited out. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
  /** How long a lease must stand still, or be missing, on this process's own clock, in milliseconds. */
  readonly deadMs?: number | undefined;
  /** Monotonic milliseconds; of this process alone, never compared with another's. */
  readonly now?: (() => number) | undefined;
}

interface Watched {
  /** What stood there at the last look, and since when. */
  seen: { readonly lease: Lease | null; readonly since: number; readonly at: number } | null;
  dead: boolean;
}

/**
 * Which of the processes that hold interviews' connections are dead, as this one sees it. A dead one's lease is
 * removed, by which a process that merely slept learns of it. Two that watch the same host agree or find out later.
 */
export class HostWatch {
  readonly #leases: ReadStore['leases'];
  readonly #isGone: (owner: string) => boolean;
  readonly #deadMs: number;
  readonly #now: () => number;
  readonly #hosts = new Map<string, Watched>();

  constructor(options: HostWatchOptions) {
    this.#leases = options.leases;
    this.#isGone = options.isGone ?? (() => false);
    this.#deadMs = options.deadMs ?? LEASE_TIMINGS.deadMs;
    this.#now = options.now ?? (() => performance.now());
  }

  /** As of the last look. */
  isDead(host: string): boolean {
    return this.#hosts.get(host)?.dead ?? false;
  }

  /** How many it has an eye on. */
  get size(): number {
    return this.#hosts.size;
  }

  /**
   * Looks at the lease of each host once. One that has been listed is watched until its lease has gone: should it die
   * after its clients have come back elsewhere, nobody else would remove what it leaves behind.
   * @param listed those that hold an interview now
   * @throws {ReadStoreUnavailable} look again
   */
  async look(listed: ReadonlySet<string>): Promise<void> {
    for (const host of listed) {
      if (!this.#hosts.has(host)) this.#hosts.set(host, { seen: null, dead: false });
    }
    await Promise.all([...this.#hosts].map(([host, watched]) => this.#attend(host, watched)));
    for (const [host, { seen }] of this.#hosts) {
      if (seen?.lease === null && !listed.has(host)) this.#hosts.delete(host);
    }
  }

  async #attend(host: string, watched: Watched): Promise<void> {
    const lease = await this.#leases.get(leaseOfHost(host));
    const at = this.#now();
    // A lease that has stood there and gone does not come back; one that never stood there may be late.
    const gone = lease === null ? watched.seen?.lease != null : this.#isGone(lease.owner);
    const since = gone ? -Infinity : this.#stillSince(watched, lease, at);
    watched.seen = { lease, since, at };
    if (lease !== null) watched.dead = false;
    if (watched.dead || at - since < this.#deadMs) return;
    if (lease !== null && !(await this.#leases.swap(leaseOfHost(host), lease, null))) return;
    watched.seen = { lease: null, since, at };
    watched.dead = true;
  }

  #stillSince({ seen }: Watched, lease: Lease | null, at: number): number {
    // What stood still while nobody looked, a store that was away say, may move as soon as anybody can look.
    if (seen === null || at - seen.at >= this.#deadMs / 2) return at;
    const same = seen.lease?.owner === lease?.owner && seen.lease?.counter === lease?.counter;
    return same ? seen.since : at;
  }
}
