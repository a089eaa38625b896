import { LEASE_TIMINGS, WatchedLease, type PresenceOptions } from '../../engine/ownership/presence.js';
import type { ReadStore } from '../../stores/read-store.js';
import { leaseOfHost } from './host.js';

export interface HostWatchOptions {
  readonly leases: ReadStore['leases'];
  /** Whether the owner of a lease is known to be gone. Default: an owner is dead only after `deadMs`. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
  /** Time for which a lease must be unchanged or missing until its owner counts as dead, in milliseconds. */
  readonly deadMs?: number | undefined;
  /** Monotonic milliseconds. Never compared with another process's. */
  readonly now?: (() => number) | undefined;
}

interface Host {
  readonly lease: WatchedLease;
  dead: boolean;
}

/**
 * Detects which hosts of interviews are dead. It removes a dead host's lease, so that a process that was only suspended
 * detects that it was declared dead. Processes that watch the same host agree eventually.
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

  /** Number of hosts that it watches. */
  get size(): number {
    return this.#hosts.size;
  }

  /**
   * Reads the lease of each host once. A host is watched until its lease is gone: if it dies after its clients have
   * connected elsewhere, its lease still has to be removed.
   * @param listed hosts that have an interview now
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
      // A lease that was removed never comes back. A lease that was never seen may not have been taken yet.
      host.dead ||= former !== null || lease.isStale;
    }
  }
}
