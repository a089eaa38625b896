import type { ReadStore } from '../stores/read-store.js';
import { backoff, pause } from '../core/backoff.js';
import { ReadModelBehind, reasonOf } from './errors.js';
import { silentLog, Troubles, type EngineLog } from './log.js';
import {
  LEASE_TIMINGS,
  OwnLease,
  Waiting,
  WatchedLease,
  type LeaseTimings,
  type PresenceOptions,
} from './presence.js';

export interface LeasesOptions {
  readonly leases: ReadStore['leases'];
  /** Unique to the process's run: a restart is another owner. */
  readonly owner: string;
  readonly timings?: Partial<LeaseTimings>;
  /** Whether an owner is known to be gone, so that its leases are dead at once. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
  /** Monotonic milliseconds; of this process alone, never compared with another's. */
  readonly now?: () => number;
  readonly log?: EngineLog;
}

/** A lease that this process wants. */
export class WantedLease {
  readonly own: OwnLease;
  readonly current: WatchedLease;
  /** For its being held. */
  readonly waiting = new Waiting();
  /** Aborts once the lease is lost, or must be handed over to another process. */
  term = new AbortController();
  /** Not to be taken before, so that another process can. */
  notBefore = 0;
  /** The one operation on it that is under way. */
  busy: Promise<void> | null = null;

  constructor(
    readonly name: string,
    owner: string,
    options: PresenceOptions,
    outageMs?: number,
  ) {
    this.own = new OwnLease(options, name, owner);
    this.current = new WatchedLease(options, name, outageMs);
  }
}

/**
 * The leases that a process wants, all on one timer. They only save work: a worker that goes on without its lease does
 * no harm, so nothing here is exact about the moment of a loss.
 */
export abstract class Leases<Wanted extends WantedLease> {
  protected readonly owner: string;
  protected readonly timings: LeaseTimings;
  protected readonly presence: PresenceOptions;
  protected readonly now: () => number;
  protected readonly wanted = new Map<string, Wanted>();
  protected stopped = false;
  readonly #troubles: Troubles;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LeasesOptions) {
    const { leases, isGone = () => false, now = () => performance.now() } = options;
    this.owner = options.owner;
    this.timings = { ...LEASE_TIMINGS, ...options.timings };
    this.now = now;
    this.presence = { leases, deadMs: this.timings.deadMs, isGone, now };
    this.#troubles = new Troubles(options.log ?? silentLog);
  }

  holds(name: string): boolean {
    const wanted = this.wanted.get(name);
    return wanted !== undefined && this.isHeld(wanted);
  }

  /**
   * Resolves once the lease is held (at once if it is), or when the signal ends.
   * @returns aborts once the lease is lost, or must be handed over: give it up then
   */
  async acquired(name: string, signal: AbortSignal): Promise<AbortSignal> {
    let wanted = this.wanted.get(name);
    if (wanted === undefined) this.wanted.set(name, (wanted = this.newlyWanted(name)));
    if (this.isHeld(wanted) || signal.aborted || this.stopped) return wanted.term.signal;
    const wait = wanted.waiting.until(signal);
    this.#timer ??= setInterval(() => void this.tick(), this.timings.renewMs).unref();
    this.begin(wanted);
    await wait;
    return wanted.term.signal;
  }

  /** Releases a lease, and leaves it to others for `coolDownMs`. */
  async giveUp(name: string, coolDownMs = 0): Promise<void> {
    const wanted = this.wanted.get(name);
    if (wanted === undefined) return;
    wanted.notBefore = Math.max(wanted.notBefore, this.now() + coolDownMs);
    await this.release(wanted);
  }

  /** Releases a lease for good: it is not wanted any more. */
  async forget(name: string): Promise<void> {
    const wanted = this.wanted.get(name);
    if (wanted === undefined) return;
    this.wanted.delete(name);
    await this.release(wanted);
    wanted.waiting.end();
  }

  /** Releases every lease. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    const wanted = [...this.wanted.values()];
    await Promise.all(wanted.map((one) => this.release(one)));
    for (const { waiting } of wanted) waiting.end();
  }

  /** The timer's work, exposed for tests with a clock of their own. */
  async tick(): Promise<void> {
    await Promise.all([...this.wanted.values()].map((wanted) => this.attend(wanted)));
  }

  protected abstract newlyWanted(name: string): Wanted;
  protected abstract isHeld(wanted: Wanted): boolean;
  /** Takes or keeps it, as far as it can be by now. */
  protected abstract takeOrKeep(wanted: Wanted): Promise<void>;

  /** A lease is waited for. */
  protected begin(wanted: Wanted): void {
    void this.attend(wanted);
  }

  protected attend(wanted: Wanted): Promise<void> {
    if (this.stopped || this.now() < wanted.notBefore) return Promise.resolve();
    wanted.busy ??= this.guarded('A lease could not be read or written.', () =>
      this.takeOrKeep(wanted),
    ).finally(() => {
      wanted.busy = null;
      if (this.isHeld(wanted)) wanted.waiting.end();
    });
    return wanted.busy;
  }

  protected lose(wanted: Wanted): void {
    wanted.own.drop();
    wanted.term.abort();
  }

  protected async release(wanted: Wanted): Promise<void> {
    await wanted.busy;
    const held = wanted.own.record !== null;
    wanted.term.abort();
    if (held) await this.guarded('A lease was not released; it dies out.', () => wanted.own.release());
  }

  /** What failed is logged once while it lasts; the next tick repeats it. */
  protected async guarded(failed: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.#troubles.over(failed);
    } catch (error) {
      // Whether it took effect is not known: a held lease counts as held until it would be dead for others too.
      const fields = { owner: this.owner, reason: reasonOf(error) };
      this.#troubles.warn(failed, fields, failed);
    }
  }
}

/** Leases that each process wants as a whole: one holds it and renews it, the others take it once it is dead. */
export class LeaseKeeper extends Leases<WantedLease> {
  protected newlyWanted(name: string): WantedLease {
    return new WantedLease(name, this.owner, this.presence);
  }

  protected isHeld({ own }: WantedLease): boolean {
    return own.record !== null && this.now() - own.provedAt < this.timings.deadMs;
  }

  protected async takeOrKeep(wanted: WantedLease): Promise<void> {
    const { own, current } = wanted;
    if (await own.renew()) return;
    this.lose(wanted);
    const record = await current.look();
    if (record !== null && record.owner !== this.owner && !current.isDead) return;
    if (await own.take(record)) wanted.term = new AbortController();
  }
}

export interface LeasedLooksOptions<T> {
  /** One process at a time looks: the one that holds it. */
  readonly lease: string;
  readonly keeper: Pick<LeaseKeeper, 'acquired' | 'holds'>;
  readonly signal: AbortSignal;
  readonly log: EngineLog;
  /** Logged if a look failed. */
  readonly trouble: string;
  /** The longest wait after looks that failed, in milliseconds. */
  readonly capMs: number;
  look(): Promise<T>;
  /** Waits until the next look. @param found by the one before */
  wait(found: T): Promise<void>;
}

const BASE_MS = 250;

/** Looks again and again while this process has the lease, until it is stopped. A look that failed is made again. */
export async function lookUnderLease<T>(options: LeasedLooksOptions<T>): Promise<void> {
  const { lease, keeper, signal, log, trouble, capMs } = options;
  const troubles = new Troubles(log);
  const going = (): boolean => !signal.aborted && keeper.holds(lease);
  for (let failures = 0; !signal.aborted;) {
    await keeper.acquired(lease, signal);
    if (!going()) continue;
    try {
      const found = await options.look();
      failures = 0;
      troubles.over(lease);
      await options.wait(found);
    } catch (error) {
      // A view that is only just being built is no trouble.
      if (!(error instanceof ReadModelBehind)) troubles.warn(lease, { reason: reasonOf(error) }, trouble);
      await pause(backoff(failures++, BASE_MS, capMs), signal);
    }
  }
}
