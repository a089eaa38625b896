import type { Lease, ReadStore } from '../stores/read-store.js';
import { reasonOf } from './errors.js';
import { silentLog, Troubles, type EngineLog } from './log.js';
import { Waiting } from './waiting.js';

export interface LeaseTimings {
  /** How often a held lease is renewed and a wanted one looked at, in milliseconds. */
  readonly renewMs: number;
  /** How long a counter must stand still, on this process's own clock, before its owner counts as dead. */
  readonly deadMs: number;
}

export const LEASE_TIMINGS: LeaseTimings = { renewMs: 1000, deadMs: 5000 };

export interface LeaseKeeperOptions {
  readonly leases: ReadStore['leases'];
  /** Unique to the process's run: a restart is another owner. */
  readonly owner: string;
  readonly timings?: Partial<LeaseTimings>;
  /** Whether an owner is known to be gone, so that nobody need wait until it counts as dead. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
  /** Monotonic milliseconds; of this process alone, never compared with another's. */
  readonly now?: () => number;
  readonly log?: EngineLog;
}

interface Wanted {
  readonly name: string;
  mine: Lease | null;
  renewedAt: number;
  /** Somebody else's lease as last seen, and since when it has stood still. */
  seen: { readonly lease: Lease; readonly since: number; readonly at: number } | null;
  /** Not to be taken before, so that another process can. */
  notBefore: number;
  /** What is being done about it: one thing at a time. */
  busy: Promise<void> | null;
  readonly waiting: Waiting;
}

/**
 * Keeps the leases that a process wants, all on one timer. They only save work (one worker for each segment): a
 * worker that goes on without its lease does no harm, so nothing here is exact about the moment of a loss.
 */
export class LeaseKeeper {
  readonly #leases: ReadStore['leases'];
  readonly #owner: string;
  readonly #timings: LeaseTimings;
  readonly #isGone: (owner: string) => boolean;
  readonly #now: () => number;
  readonly #troubles: Troubles;
  readonly #wanted = new Map<string, Wanted>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: LeaseKeeperOptions) {
    this.#leases = options.leases;
    this.#owner = options.owner;
    this.#timings = { ...LEASE_TIMINGS, ...options.timings };
    this.#isGone = options.isGone ?? (() => false);
    this.#now = options.now ?? (() => performance.now());
    this.#troubles = new Troubles(options.log ?? silentLog);
  }

  holds(name: string): boolean {
    const wanted = this.#wanted.get(name);
    return wanted?.mine != null && this.#now() - wanted.renewedAt < this.#timings.deadMs;
  }

  /** Resolves once the lease is held (at once if it is), or when the signal ends. */
  async acquired(name: string, signal: AbortSignal): Promise<void> {
    if (this.holds(name) || signal.aborted || this.#stopped) return;
    const wanted = this.#want(name);
    const wait = wanted.waiting.until(signal);
    void this.#attend(wanted);
    await wait;
  }

  /** Lets a lease go, and leaves it to others for `coolDownMs`. */
  async giveUp(name: string, coolDownMs = 0): Promise<void> {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined) return;
    wanted.notBefore = this.#now() + coolDownMs;
    await this.#release(wanted);
  }

  /** Releases every lease. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.all([...this.#wanted.values()].map((wanted) => this.#release(wanted)));
    for (const wanted of this.#wanted.values()) wanted.waiting.end();
  }

  /** Renews what is held and looks at what is wanted; the timer's work, exposed for tests with a clock of their own. */
  async tick(): Promise<void> {
    await Promise.all([...this.#wanted.values()].map((wanted) => this.#attend(wanted)));
  }

  #want(name: string): Wanted {
    let wanted = this.#wanted.get(name);
    if (wanted === undefined) {
      const waiting = new Waiting();
      wanted = { name, mine: null, renewedAt: 0, seen: null, notBefore: 0, busy: null, waiting };
      this.#wanted.set(name, wanted);
    }
    this.#timer ??= setInterval(() => void this.tick(), this.#timings.renewMs).unref();
    return wanted;
  }

  #attend(wanted: Wanted): Promise<void> {
    if (this.#stopped || this.#now() < wanted.notBefore) return Promise.resolve();
    wanted.busy ??= this.#takeOrRenew(wanted).finally(() => (wanted.busy = null));
    return wanted.busy;
  }

  async #takeOrRenew(wanted: Wanted): Promise<void> {
    try {
      await (wanted.mine === null ? this.#tryToTake(wanted) : this.#renew(wanted, wanted.mine));
      this.#troubles.over(wanted.name);
    } catch (error) {
      // Whether it was renewed is not known: it counts as held until it would be dead for others too.
      const fields = { lease: wanted.name, reason: reasonOf(error) };
      this.#troubles.warn(wanted.name, fields, 'A lease could not be looked after.');
    }
    // A lease that could not be renewed for too long is no use to whoever waits.
    if (this.holds(wanted.name)) wanted.waiting.end();
  }

  async #renew(wanted: Wanted, mine: Lease): Promise<void> {
    const at = this.#now();
    const next = { owner: this.#owner, counter: mine.counter + 1 };
    if (await this.#leases.swap(wanted.name, mine, next)) {
      wanted.mine = next;
      wanted.renewedAt = at;
    } else {
      wanted.mine = null;
      await this.#tryToTake(wanted);
    }
  }

  async #tryToTake(wanted: Wanted): Promise<void> {
    const standing = await this.#leases.get(wanted.name);
    const at = this.#now();
    if (standing !== null && standing.owner !== this.#owner && !this.#isDead(wanted, standing, at)) return;
    const next = { owner: this.#owner, counter: (standing?.counter ?? 0) + 1 };
    if (!(await this.#leases.swap(wanted.name, standing, next))) return;
    wanted.mine = next;
    wanted.renewedAt = at;
    wanted.seen = null;
  }

  #isDead(wanted: Wanted, standing: Lease, at: number): boolean {
    if (this.#isGone(standing.owner)) return true;
    const { seen } = wanted;
    const { deadMs } = this.#timings;
    const same = seen?.lease.owner === standing.owner && seen.lease.counter === standing.counter;
    // What stood still while nobody looked, a store that was away say, may move as soon as anybody can look.
    const since = same && at - seen.at < deadMs / 2 ? seen.since : at;
    wanted.seen = { lease: standing, since, at };
    return at - since >= deadMs;
  }

  async #release(wanted: Wanted): Promise<void> {
    await wanted.busy;
    const { mine } = wanted;
    wanted.mine = null;
    if (mine === null) return;
    try {
      await this.#leases.swap(wanted.name, mine, null);
    } catch (error) {
      const fields = { lease: wanted.name, reason: reasonOf(error) };
      this.#troubles.warn(`${wanted.name} released`, fields, 'A lease was not released; it dies out.');
    }
  }
}
