import type { Lease, ReadStore } from '../stores/read-store.js';
import { reasonOf } from './errors.js';
import { LEASE_TIMINGS, type LeaseKeeperOptions, type LeaseTimings } from './leases.js';
import { leaseCountsOf, type LeaseCounts } from './lease-counts.js';
import { silentLog, Troubles } from './log.js';
import { digestOf, sharesOf } from './shares.js';
import { Slots } from './slots.js';
import { lose, newlyWanted, type Wanted } from './wanted-lease.js';

/** How often an open lease that is waited for is looked at, in a renewal's time. */
const LOOKS_A_RENEWAL = 4;
/** A lease of another's share is taken after it was open for this part of the time after which one counts as dead. */
const LEFT_OVER = 0.6;
/** A lease that was left over is offered again after so many such times, the next time after twice as many. */
const OFFERED_AGAIN = 12;
const MOST_DOUBLINGS = 6;

/**
 * Keeps the leases of the segments that a process works on, shared evenly with the processes that work on the same.
 * A lease names its owner, and the owner's slot stands for the process: only the slot is renewed, and a lease is dead
 * when its owner's slot is. They only save work (one worker for each segment): a worker that goes on without its
 * lease does no harm, so nothing here is exact about the moment of a loss.
 */
export class SegmentLeases {
  readonly #leases: ReadStore['leases'];
  readonly #owner: string;
  readonly #timings: LeaseTimings;
  readonly #now: () => number;
  readonly #troubles: Troubles;
  readonly #slots: Slots;
  readonly #counts: LeaseCounts;
  readonly #wanted = new Map<string, Wanted>();
  #segments: readonly string[] = [];
  #shares: ReadonlyMap<string, string> = new Map();
  /** Everybody alive, as one text: another one is another time to share. */
  #among = '';
  #changedAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;
  #begun: Promise<void> | null = null;
  #looking: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;
  #stopped = false;

  constructor(options: LeaseKeeperOptions) {
    this.#leases = options.leases;
    this.#owner = options.owner;
    this.#timings = { ...LEASE_TIMINGS, ...options.timings };
    this.#now = options.now ?? (() => performance.now());
    this.#troubles = new Troubles(options.log ?? silentLog);
    this.#counts = leaseCountsOf(options.leases);
    this.#slots = new Slots({
      leases: options.leases,
      owner: options.owner,
      deadMs: this.#timings.deadMs,
      isGone: options.isGone ?? (() => false),
      now: this.#now,
    });
  }

  /**
   * From now on these are shared with the processes that work on the same. Before, leases are taken as they are found
   * open, so that nothing waits for the last view to be known.
   * @param segments all that this process works on
   */
  share(segments: readonly string[]): void {
    this.#segments = segments;
    this.#slots.feed(digestOf(segments));
    if (this.#begun !== null) void this.tick();
  }

  holds(name: string): boolean {
    const wanted = this.#wanted.get(name);
    return wanted !== undefined && this.#isHeld(wanted);
  }

  /**
   * Resolves once the lease is held (at once if it is), or when the signal ends.
   * @returns ends once it is lost, or another process is to have it and it should be given up
   */
  async acquired(name: string, signal: AbortSignal): Promise<AbortSignal> {
    const wanted = this.#want(name);
    if (this.#isHeld(wanted) || signal.aborted || this.#stopped) return wanted.term.signal;
    const wait = wanted.waiting.until(signal);
    void this.#begin().then(() => this.#attend(wanted));
    await wait;
    return wanted.term.signal;
  }

  /** Lets a lease go, and leaves it to others for `coolDownMs`. */
  async giveUp(name: string, coolDownMs = 0): Promise<void> {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined) return;
    wanted.notBefore = Math.max(wanted.notBefore, this.#now() + coolDownMs);
    await this.#release(wanted);
  }

  /** Lets a lease go for good: it is not wanted any more. */
  async forget(name: string): Promise<void> {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined) return;
    this.#wanted.delete(name);
    await this.#release(wanted);
    wanted.waiting.end();
  }

  /** Releases every lease, and leaves. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#soon !== null) clearTimeout(this.#soon);
    await Promise.all([this.#renewing, this.#looking]);
    const leaving = this.#guarded('The slot was not given back; it dies out.', () => this.#slots.leave());
    await Promise.all([leaving, ...[...this.#wanted.values()].map((wanted) => this.#release(wanted))]);
    for (const wanted of this.#wanted.values()) wanted.waiting.end();
  }

  /** Proves to be alive, sees who else is, and looks after the leases; the timer's work, exposed for tests. */
  async tick(): Promise<void> {
    await Promise.all([this.#renew(), this.#look()]);
  }

  #want(name: string): Wanted {
    let wanted = this.#wanted.get(name);
    if (wanted === undefined) {
      wanted = newlyWanted(name);
      this.#wanted.set(name, wanted);
    }
    return wanted;
  }

  /** One look at who else is there, before the first lease is taken. */
  #begin(): Promise<void> {
    this.#timer ??= setInterval(() => void this.tick(), this.#timings.renewMs).unref();
    this.#begun ??= this.#look().then(() => void this.#renew());
    return this.#begun;
  }

  #renew(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#renewing ??= this.#guarded('The slot could not be looked after.', async () => {
      const overdue = [...this.#wanted.values()].flatMap((wanted) =>
        this.#isOverdue(wanted) ? [{ wanted, mine: wanted.mine }] : [],
      );
      await this.#slots.renew();
      this.#shareOut();
      // Taken for dead meanwhile, as far as is known here: what was held may be another's.
      for (const { wanted, mine } of overdue) if (mine !== null && wanted.mine === mine) this.#lose(wanted);
    }).finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  #look(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#looking ??= this.#guarded('Leases could not be looked at.', async () => {
      await this.#slots.look();
      this.#shareOut();
      await Promise.all([...this.#wanted.values()].map((wanted) => this.#attend(wanted)));
    }).finally(() => (this.#looking = null));
    return this.#looking;
  }

  #shareOut(): void {
    const members = this.#slots.members();
    const among = members.map(({ owner, feeds }) => `${owner} ${feeds}`).join();
    if (among !== this.#among) this.#changedAt = this.#now();
    this.#among = among;
    // Without a slot this process has no share, and cannot know what the others' will be.
    this.#shares = this.#slots.joined ? sharesOf(this.#segments, members) : new Map();
  }

  #attend(wanted: Wanted): Promise<void> {
    if (this.#stopped || this.#now() < wanted.notBefore) return Promise.resolve();
    wanted.busy ??= this.#guarded('A lease could not be looked after.', () =>
      this.#lookAfter(wanted),
    ).finally(() => (wanted.busy = null));
    return wanted.busy;
  }

  async #lookAfter(wanted: Wanted): Promise<void> {
    if (wanted.mine === null) {
      if (this.#isDue(wanted)) await this.#tryToTake(wanted);
    } else if (this.#isAnothers(wanted)) {
      wanted.term.abort();
    } else if (this.#now() - wanted.lookedAt >= this.#timings.deadMs) {
      await this.#verify(wanted);
    }
    if (this.#isHeld(wanted)) wanted.waiting.end();
    else if (this.#isAboutToCome(wanted)) this.#lookSoon();
  }

  /** A lease that another has needs no looking at, as long as the same are alive. */
  #isDue(wanted: Wanted): boolean {
    return (
      this.#comesFirst(wanted) ||
      wanted.openSince !== null ||
      wanted.lookedAmong !== this.#among ||
      this.#now() - wanted.lookedAt >= this.#timings.deadMs
    );
  }

  async #tryToTake(wanted: Wanted): Promise<void> {
    const standing = await this.#leases.get(wanted.name);
    const at = this.#now();
    const open = this.#isOpen(wanted, standing, at);
    wanted.lookedAt = at;
    wanted.lookedAmong = this.#among;
    wanted.openSince = open ? (wanted.openSince ?? at) : null;
    if (wanted.openSince === null) return;
    const first = this.#comesFirst(wanted) || standing?.owner === this.#owner;
    if (!first && at - wanted.openSince < LEFT_OVER * this.#timings.deadMs) return;
    const next = { owner: this.#owner, counter: (standing?.counter ?? 0) + 1 };
    if (!(await this.#leases.swap(wanted.name, standing, next))) return;
    this.#counts.taken++;
    wanted.mine = next;
    wanted.takenAt = at;
    wanted.term = new AbortController();
    wanted.leftOver = first ? null : this.#among;
    wanted.timesLeftOver = first ? 0 : wanted.timesLeftOver + 1;
    wanted.seen = null;
    wanted.openSince = null;
  }

  /** Whether nobody alive has it. */
  #isOpen(wanted: Wanted, standing: Lease | null, at: number): boolean {
    const { seen } = wanted;
    const same =
      seen !== null && seen.lease?.owner === standing?.owner && seen.lease?.counter === standing?.counter;
    const since = same ? seen.since : at;
    wanted.seen = { lease: standing, since };
    if (standing === null || standing.owner === this.#owner) return true;
    const state = this.#slots.stateOf(standing.owner);
    return state === 'dead' || (state === 'unknown' && at - since >= this.#timings.deadMs);
  }

  /** It is this process's share, or there is nobody to share it with. */
  #comesFirst({ name }: Wanted): boolean {
    const owner = this.#shares.get(name);
    if (owner !== undefined) return owner === this.#owner;
    return this.#slots.members().every((member) => member.owner === this.#owner);
  }

  #isAnothers(wanted: Wanted): boolean {
    const owner = this.#shares.get(wanted.name);
    if (owner === undefined || owner === this.#owner) return false;
    const doubled = 2 ** Math.min(wanted.timesLeftOver - 1, MOST_DOUBLINGS);
    const kept = this.#now() - wanted.takenAt < OFFERED_AGAIN * doubled * this.#timings.deadMs;
    return wanted.leftOver !== this.#among || !kept;
  }

  async #verify(wanted: Wanted): Promise<void> {
    const standing = await this.#leases.get(wanted.name);
    wanted.lookedAt = this.#now();
    if (standing?.owner !== this.#owner) this.#lose(wanted);
    else wanted.mine = standing;
  }

  #lose(wanted: Wanted): void {
    this.#counts.lost++;
    lose(wanted);
  }

  #isHeld(wanted: Wanted): boolean {
    return wanted.mine !== null && !this.#isOverdue(wanted);
  }

  /** Others may count it as dead by now. */
  #isOverdue(wanted: Wanted): boolean {
    return this.#now() - Math.max(wanted.takenAt, this.#slots.provedAt) >= this.#timings.deadMs;
  }

  async #release(wanted: Wanted): Promise<void> {
    await wanted.busy;
    const { mine } = wanted;
    lose(wanted);
    wanted.openSince = this.#now();
    if (mine === null) return;
    this.#counts['given up']++;
    await this.#guarded('A lease was not released; it dies out.', async () => {
      await this.#leases.swap(wanted.name, mine, null);
    });
  }

  /** This process's share since a moment ago: whoever had it gives it up after the pass at hand. */
  #isAboutToCome({ name, mine }: Wanted): boolean {
    const recently = this.#now() - this.#changedAt < this.#timings.deadMs;
    return mine === null && recently && this.#shares.get(name) === this.#owner;
  }

  #lookSoon(): void {
    if (this.#stopped) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = null;
      for (const wanted of this.#wanted.values()) {
        if (this.#isAboutToCome(wanted)) void this.#attend(wanted);
      }
    }, this.#timings.renewMs / LOOKS_A_RENEWAL).unref();
  }

  async #guarded(failed: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.#troubles.over(failed);
    } catch (error) {
      // Whether it took effect is not known: what is held counts as held until it would be dead for others too.
      const fields = { owner: this.#owner, reason: reasonOf(error) };
      this.#troubles.warn(failed, fields, failed);
    }
  }
}
