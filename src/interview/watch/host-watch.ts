import { LEASE_TIMINGS, WatchedLease, type PresenceOptions } from '../../engine/ownership/presence.js';
import type { ReadStore } from '../../stores/read-store.js';
import { leaseOfHost } from './host.js';

export interface HostWatchOptions {
  readonly leases: ReadStore['leases'];
  /** Whether the owner of a lease is known to be gone; without it a dead one is waited out. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
  /**
   * How long a lease must be unchanged or missing until its owner is dead, on this process's clock, in milliseconds.
   */
  readonly deadMs?: number | undefined;
  /** Monotonic milliseconds; of this process alone, never compared with another's. */
  readonly now?: (() => number) | undefined;
}

interface Host {
  readonly lease: WatchedLease;
  dead: boolean;
}

/**
 * Which hosts of interviews are dead, as this process sees it. A dead host's lease is removed, so that a process that
 * only slept notices. Two processes that watch the same host agree in the end.
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

  /** Whether the last `poll` found the host dead. */
  isDead(host: string): boolean {
    return this.#hosts.get(host)?.dead ?? false;
  }

  /** How many it watches. */
  get size(): number {
    return this.#hosts.size;
  }

  /**
   * Reads the lease of each host once. A host is watched until its lease is gone: if it dies after its clients have
   * connected elsewhere, its lease still has to be removed.
   * @param listed hosts that hold an interview now
   * @throws {ReadStoreUnavailable} call again
   */
  async poll(listed: ReadonlySet<string>): Promise<void> {
    for (const host of listed) {
      if (this.#hosts.has(host)) continue;
      this.#hosts.set(host, { lease: new WatchedLease(this.#options, leaseOfHost(host)), dead: false });
    }
    await Promise.all([...this.#hosts.values()].map((host) => this.#pollLease(host)));
    for (const [host, { lease }] of this.#hosts)
      if (lease.record === null && !listed.has(host)) this.#hosts.delete(host);
  }

  async #pollLease(host: Host): Promise<void> {
    const { lease } = host;
    const former = lease.record;
    const record = await lease.poll();
    if (record !== null) {
      host.dead = lease.isDead && (await lease.replace(null));
    } else {
      // A lease that is gone does not come back; one that was never seen can be late.
      host.dead ||= former !== null || lease.isStale;
    }
  }
}
