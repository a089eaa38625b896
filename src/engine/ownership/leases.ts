/*
 * ownership/: which process works on what. It promises that work is dealt out evenly among the living processes with the
 * same work, and that what a dead one held is taken within seconds. It may assume nothing about clocks of other machines:
 * a process is dead if its counter has not moved for `deadMs` on one's own clock. Nothing correct may rest on a lease.
 * Order: a process takes a slot (`members`, by `presence`), proves at each tick that it lives, reads the others' slots,
 * and takes, keeps or hands over the leases that it was asked for (`acquired`, `share`, `giveUp`, `forget`, `stop`).
 */
import type { Lease, ReadStore } from '../../stores/read-store.js';
import { everyBeat } from '../../core/pulse.js';
import { reasonOf } from '../errors.js';
import { silentLog, Troubles, type EngineLog } from '../log.js';
import { digestOf, Members, sharesOf } from './members.js';
import {
  LEASE_TIMINGS,
  leaseCountsOf,
  OwnLease,
  Waiting,
  WatchedLease,
  type LeaseCounts,
  type LeaseTimings,
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

/** How often an open lease that is about to be handed over is read, in a renewal's time. */
const LOOKS_A_RENEWAL = 4;
/** Fraction of `deadMs` that a lease of another's share must be free before it is taken. */
const LEFT_OVER = 0.6;
/** A lease that was left over is offered again after so many times `deadMs`, the next time after twice as many. */
const OFFERED_AGAIN = 12;
const MAX_DOUBLINGS = 6;

/** A lease that this process wants. */
interface Wanted {
  readonly name: string;
  readonly own: OwnLease;
  readonly current: WatchedLease;
  /** For its being held. */
  readonly waiting: Waiting;
  /** Aborts once the lease is lost, or must be handed over to another process. */
  term: AbortController;
  /** Not to be taken before, so that another process can. */
  notBefore: number;
  /** The one operation on it that is under way. */
  busy: Promise<void> | null;
  /** The members when it was left over: the one whose share it is did not take it, so it is kept for a while. */
  leftOver: string | null;
  /** How often in a row it was left over. */
  timesLeftOver: number;
  /** Since when no living process has held it, as far as was seen. */
  openSince: number | null;
  lookedAt: number;
  lookedAmong: string;
}

/** The leases of a process. A lease names its owner, so all are proved by the one slot that the process renews. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #timings: LeaseTimings;
  readonly #members: Members;
  readonly #counts: LeaseCounts;
  readonly #troubles: Troubles;
  readonly #now: () => number;
  readonly #wanted = new Map<string, Wanted>();
  #stopped = false;
  #stopBeating: (() => void) | null = null;
  #shared: readonly string[] = [];
  #shares: ReadonlyMap<string, string> = new Map();
  /** All living members, as one text: when it changes, the shares are computed anew. */
  #among = '';
  #changedAt = -Infinity;
  #soon: NodeJS.Timeout | null = null;
  #begun: Promise<void> | null = null;
  #looking: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#timings = { ...LEASE_TIMINGS, ...options.timings };
    this.#now = options.now ?? (() => performance.now());
    this.#counts = leaseCountsOf(options.leases);
    this.#troubles = new Troubles(options.log ?? silentLog);
    this.#members = new Members({ ...this.#presence, owner: options.owner });
  }

  holds(name: string): boolean {
    const wanted = this.#wanted.get(name);
    return wanted !== undefined && this.#isHeld(wanted);
  }

  /**
   * Resolves once the lease is held (at once if it is), or when the signal ends.
   * @returns aborts once the lease is lost, or must be handed over: give it up then
   */
  async acquired(name: string, signal: AbortSignal): Promise<AbortSignal> {
    const wanted = this.#wanted.get(name) ?? this.#want(name);
    if (this.#isHeld(wanted) || signal.aborted || this.#stopped) return wanted.term.signal;
    const wait = wanted.waiting.until(signal);
    this.#stopBeating ??= everyBeat(this.#timings.renewMs, () => void this.tick());
    // The members are read once before the first lease is taken.
    this.#begun ??= this.#look().then(() => void this.#renew());
    void this.#begun.then(() => this.#attend(wanted));
    await wait;
    return wanted.term.signal;
  }

  /**
   * From now on these are shared with the processes that work on the same. Before, each is taken as it is found open, so
   * that nothing waits for the last view to be known.
   * @param names of all the shared work of this process
   */
  share(names: readonly string[]): void {
    this.#shared = names;
    this.#members.feed(digestOf(names));
    if (this.#begun !== null) void this.tick();
  }

  /** Releases a lease, and leaves it to others for `coolDownMs`. */
  async giveUp(name: string, coolDownMs = 0): Promise<void> {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined) return;
    wanted.notBefore = Math.max(wanted.notBefore, this.#now() + coolDownMs);
    await this.#release(wanted);
  }

  /** Releases a lease for good: it is not wanted any more. */
  async forget(name: string): Promise<void> {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined) return;
    this.#wanted.delete(name);
    await this.#release(wanted);
    wanted.waiting.end();
  }

  /** Releases every lease, and leaves the members. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopBeating?.();
    if (this.#soon !== null) clearTimeout(this.#soon);
    await Promise.all([this.#renewing, this.#looking]);
    const wanted = [...this.#wanted.values()];
    const leave = () => this.#members.leave();
    await Promise.all([
      this.#guarded('The slot was not given back; it dies out.', leave),
      ...wanted.map((one) => this.#release(one)),
    ]);
    for (const { waiting } of wanted) waiting.end();
  }

  /** Renews the slot, reads the others', and looks after the leases: what each beat does. */
  async tick(): Promise<void> {
    await Promise.all([this.#renew(), this.#look()]);
  }

  get #presence() {
    const { leases, isGone = () => false } = this.#options;
    return { leases, deadMs: this.#timings.deadMs, isGone, now: this.#now };
  }

  #want(name: string): Wanted {
    const wanted: Wanted = {
      name,
      own: new OwnLease(this.#presence, name, this.#options.owner),
      // Looks are up to `deadMs` apart, so an outage cannot be told from a pause.
      current: new WatchedLease(this.#presence, name, Infinity),
      waiting: new Waiting(),
      term: new AbortController(),
      notBefore: 0,
      busy: null,
      leftOver: null,
      timesLeftOver: 0,
      openSince: null,
      lookedAt: -Infinity,
      lookedAmong: '',
    };
    this.#wanted.set(name, wanted);
    return wanted;
  }

  #isHeld(wanted: Wanted): boolean {
    return wanted.own.record !== null && !this.#isOverdue(wanted);
  }

  #attend(wanted: Wanted): Promise<void> {
    if (this.#stopped || this.#now() < wanted.notBefore) return Promise.resolve();
    wanted.busy ??= this.#guarded('A lease could not be read or written.', () =>
      this.#takeOrKeep(wanted),
    ).finally(() => {
      wanted.busy = null;
      if (this.#isHeld(wanted)) wanted.waiting.end();
    });
    return wanted.busy;
  }

  async #takeOrKeep(wanted: Wanted): Promise<void> {
    if (wanted.own.record === null) {
      if (this.#isDue(wanted)) await this.#tryToTake(wanted);
    } else if (this.#isAnothers(wanted)) {
      wanted.term.abort();
    } else if (this.#now() - wanted.lookedAt >= this.#timings.deadMs) {
      const verified = await wanted.own.verify();
      wanted.lookedAt = this.#now();
      if (!verified) this.#lose(wanted);
    }
    if (this.#isAboutToCome(wanted)) this.#lookSoon();
  }

  #lose(wanted: Wanted): void {
    this.#counts.lost++;
    wanted.lookedAt = -Infinity;
    wanted.own.drop();
    wanted.term.abort();
  }

  async #release(wanted: Wanted): Promise<void> {
    await wanted.busy;
    const held = wanted.own.record !== null;
    if (held) this.#counts['given up']++;
    wanted.lookedAt = -Infinity;
    wanted.openSince = this.#now();
    wanted.term.abort();
    if (held) await this.#guarded('A lease was not released; it dies out.', () => wanted.own.release());
  }

  #renew(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#renewing ??= this.#guarded('The slot could not be renewed.', async () => {
      const overdue = [...this.#wanted.values()].flatMap((wanted) =>
        this.#isOverdue(wanted) ? [{ wanted, mine: wanted.own.record }] : [],
      );
      await this.#members.renew();
      this.#shareOut();
      // Dead to the others meanwhile, as far as is known here: what was held may be another's.
      for (const { wanted, mine } of overdue)
        if (mine !== null && wanted.own.record === mine) this.#lose(wanted);
    }).finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  #look(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#looking ??= this.#guarded('The members could not be read.', async () => {
      await this.#members.look();
      this.#shareOut();
      await Promise.all([...this.#wanted.values()].map((wanted) => this.#attend(wanted)));
    }).finally(() => (this.#looking = null));
    return this.#looking;
  }

  #shareOut(): void {
    const members = this.#members.alive();
    const among = members.map(({ owner, feeds }) => `${owner} ${feeds}`).join();
    if (among !== this.#among) this.#changedAt = this.#now();
    this.#among = among;
    // Without a slot this process has no share, and cannot know what the others' will be.
    this.#shares = this.#members.joined ? sharesOf(this.#shared, members) : new Map();
  }

  /** A lease of a living process need not be read, as long as the same members are alive. */
  #isDue(wanted: Wanted): boolean {
    const owner = wanted.current.record?.owner;
    return (
      this.#isAboutToCome(wanted) ||
      wanted.openSince !== null ||
      (owner !== undefined && this.#members.stateOf(owner) !== 'alive') ||
      wanted.lookedAmong !== this.#among ||
      this.#now() - wanted.lookedAt >= this.#timings.deadMs
    );
  }

  async #tryToTake(wanted: Wanted): Promise<void> {
    const current = await wanted.current.look();
    const at = this.#now();
    wanted.lookedAt = at;
    wanted.lookedAmong = this.#among;
    wanted.openSince = this.#isOpen(wanted, current) ? (wanted.openSince ?? at) : null;
    if (wanted.openSince === null) return;
    const first = this.#comesFirst(wanted) || current?.owner === this.#options.owner;
    if (!first && at - wanted.openSince < LEFT_OVER * this.#timings.deadMs) return;
    if (!(await wanted.own.take(current))) return;
    this.#counts.taken++;
    wanted.term = new AbortController();
    wanted.leftOver = first ? null : this.#among;
    wanted.timesLeftOver = first ? 0 : wanted.timesLeftOver + 1;
    wanted.openSince = null;
  }

  /** Whether no living process has it. */
  #isOpen(wanted: Wanted, current: Lease | null): boolean {
    if (current === null || current.owner === this.#options.owner) return true;
    const state = this.#members.stateOf(current.owner);
    return state === 'dead' || (state === 'unknown' && wanted.current.isStale);
  }

  /** It is not dealt out to another process. */
  #comesFirst({ name }: Wanted): boolean {
    const owner = this.#shares.get(name);
    return owner === undefined || owner === this.#options.owner;
  }

  #isAnothers(wanted: Wanted): boolean {
    if (this.#comesFirst(wanted)) return false;
    const doubled = 2 ** Math.min(wanted.timesLeftOver - 1, MAX_DOUBLINGS);
    const kept = this.#now() - wanted.own.provedAt < OFFERED_AGAIN * doubled * this.#timings.deadMs;
    return wanted.leftOver !== this.#among || !kept;
  }

  /** Others may count it as dead by now. */
  #isOverdue({ own }: Wanted): boolean {
    return this.#now() - Math.max(own.provedAt, this.#members.provedAt) >= this.#timings.deadMs;
  }

  /** This process's share since a moment ago: its holder gives it up after the pass at hand. */
  #isAboutToCome({ name, own }: Wanted): boolean {
    const recently = this.#now() - this.#changedAt < this.#timings.deadMs;
    return own.record === null && recently && this.#shares.get(name) === this.#options.owner;
  }

  #lookSoon(): void {
    if (this.#stopped) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = null;
      for (const wanted of this.#wanted.values()) if (this.#isAboutToCome(wanted)) void this.#attend(wanted);
    }, this.#timings.renewMs / LOOKS_A_RENEWAL).unref();
  }

  /** What failed is logged once while it lasts; the next tick repeats it. */
  async #guarded(failed: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.#troubles.over(failed);
    } catch (error) {
      // Whether it took effect is not known: a held lease counts as held until it would be dead for others too.
      const fields = { owner: this.#options.owner, reason: reasonOf(error) };
      this.#troubles.warn(failed, fields, failed);
    }
  }
}
