import { LEASE_TIMINGS, WatchedLease, type PresenceOptions } from '../../engine/presence.js';
import type { ReadStore } from '../../stores/read-store.js';
import { leaseOfHost } from './host.js';

export interface HostWatchOptions {
  readonly leases: ReadStore['leases'];
  /** Whether the owner of a lease is known to be gone; without it a dead one is waited out. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
  /** How long a lease must stand still, or be missing, on this process's own clock, in milliseconds. */
  readonly deadMs?: number | undefined;
  /** Monotonic milliseconds; of this process alone, never compared with another's. */
  readonly now?: (() => number) | undefined;
}

interface Host {
  readonly lease: WatchedLease;
  dead: boolean;
}

/**
 * Which of the processes that hold interviews' connections are dead, as this one sees it. A dead one's lease is
 * removed, by which a process that merely slept learns of it. Two that watch the same host agree or find out later.
 */
export class HostWatch {
  readonly #options: PresenceOptions;
  readonly #hosts = new Map<string, Host>();

  constructor({
    leases,
    isGone = () => false,
    deadMs = LEASE_TIMINGS.deadMs,
    now = () => performance.now(),
  }: HostWatchOptions) {
    this.#options = { leases, isGone, deadMs, now };
  }

  /** As of the last look. */
  isDead(host: string): boolean {
    return this.#hosts.get(host)?.dead ?? false;
  }

  /** How many it watches. */
  get size(): number {
    return this.#hosts.size;
  }

  /**
   * Reads the lease of each host once. One that has been listed is watched until its lease is gone: should it die
   * after its clients have come back elsewhere, no other process would remove what it leaves behind.
   * @param listed those that hold an interview now
   * @throws {ReadStoreUnavailable} look again
   */
  async look(listed: ReadonlySet<string>): Promise<void> {
    for (const host of listed) {
      if (this.#hosts.has(host)) continue;
      this.#hosts.set(host, { lease: new WatchedLease(this.#options, leaseOfHost(host)), dead: false });
    }
    await Promise.all([...this.#hosts.values()].map((host) => this.#attend(host)));
    for (const [host, { lease }] of this.#hosts)
      if (lease.record === null && !listed.has(host)) this.#hosts.delete(host);
  }

  async #attend(host: Host): Promise<void> {
    const { lease } = host;
    const former = lease.record;
    const record = await lease.look();
    if (record !== null) {
      host.dead = lease.isDead && (await lease.replace(null));
    } else {
      // A lease that was there and is gone does not come back; one that was never there may be late.
      host.dead ||= former !== null || lease.isStale;
    }
  }
}
