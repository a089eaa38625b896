/*
 * ownership/: which process works on what. It promises that segments are assigned evenly to the living processes that
 * can feed the same ones, and that the leases of a dead or unable process are taken within seconds. It may assume
 * nothing about clocks of other machines: a process is dead if its counter has not moved for `deadMs` on the observer's
 * clock. Leases only save work; correctness does not depend on them. Order: a process takes a slot (`members`, by
 * `presence`). At each tick it renews the slot, reads the others' slots, and takes, keeps or hands over the leases that
 * its callers acquire. Callers use `acquired`, `share`, `giveUp`, `forget` and, at the end, `stop`.
 */
import { everyTick } from '../../core/shared-interval.js';
import { longLived } from '../../core/signals.js';
import type { Lease, ReadStore } from '../../stores/read-store.js';
import { reasonOf } from '../errors.js';
import { silentLog, RepeatedWarnings, type EngineLog } from '../log.js';
import { Assignments } from './assignments.js';
import { Members } from './members.js';
import {
  LEASE_TIMINGS,
  leaseCountsOf,
  wantLease,
  type LeaseCounts,
  type LeaseTimings,
  type WantedLease,
} from './presence.js';

export interface LeasesOptions {
  readonly leases: ReadStore['leases'];
  /** Unique to the process's run: a restart is another owner. */
  readonly owner: string;
  /** Default: `LEASE_TIMINGS`. */
  readonly timings?: Partial<LeaseTimings>;
  /** Whether an owner is known to be gone, so that its leases are dead at once. By default none is. */
  readonly isGone?: ((owner: string) => boolean) | undefined;
  /** Monotonic milliseconds; of this process alone, never compared with another's. */
  readonly now?: () => number;
  /** By default nothing is logged. */
  readonly log?: EngineLog;
}

/** How often a lease that another process is about to hand over is read within `renewMs`. */
const READS_A_RENEWAL = 4;

/** The leases of a process. A lease names its owner, so the one slot that the process renews proves all of them. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #timings: LeaseTimings;
  readonly #members: Members;
  readonly #assignments: Assignments;
  readonly #counts: LeaseCounts;
  readonly #warnings: RepeatedWarnings;
  readonly #now: () => number;
  /** Leases that are held or waited for, by name. */
  readonly #wanted = new Map<string, WantedLease>();
  /**
   * Released here, or taken by a write whose answer was lost. The store may still name this living process, so that no
   * other process takes them.
   */
  readonly #unreleased = new Set<WantedLease>();
  #stopped = false;
  #stopTicking: (() => void) | null = null;
  /** Timer of the next read of leases that another process is about to hand over; `null`: none is due. */
  #handOverTimer: NodeJS.Timeout | null = null;
  /** The members are read once before the first lease is taken; `null`: no lease was wanted yet. */
  #firstPoll: Promise<void> | null = null;
  /** The poll that is under way; `null`: none is. */
  #polling: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#timings = { ...LEASE_TIMINGS, ...options.timings };
    this.#now = options.now ?? (() => performance.now());
    this.#counts = leaseCountsOf(options.leases);
    this.#warnings = new RepeatedWarnings(options.log ?? silentLog);
    this.#members = new Members({ ...this.#presence, owner: options.owner });
    this.#assignments = new Assignments(options.owner, this.#now, this.#timings.deadMs);
  }

  /** Whether this process holds the lease, and no other process can count this one as dead yet. */
  holds(name: string): boolean {
    const wanted = this.#wanted.get(name);
    return wanted !== undefined && this.#isHeld(wanted);
  }

  /**
   * Resolves once the lease is held (at once if it is), when the signal aborts, or after `stop` or `forget`. `holds`
   * returns whether it is held.
   * @returns aborts once the lease is lost or must be handed over: call `giveUp` then
   */
  async acquired(name: string, signal: AbortSignal): Promise<AbortSignal> {
    const wanted = this.#wanted.get(name) ?? this.#want(name);
    if (this.#isHeld(wanted) || signal.aborted || this.#stopped) return wanted.term.signal;
    const wait = wanted.waiters.until(signal);
    this.#stopTicking ??= everyTick(this.#timings.renewMs, () => void this.tick());
    this.#firstPoll ??= this.#poll().then(() => void this.#renew());
    void this.#firstPoll.then(() => this.#takeOrKeep(wanted));
    await wait;
    return wanted.term.signal;
  }

  /**
   * From now on these are shared with the processes that can feed the same ones. Before that, each is taken if it is
   * free, so that no view waits for the others to be registered.
   * @param names the names of all the segments that this process feeds
   */
  share(names: readonly string[]): void {
    this.#assignments.share(names);
    this.#publish();
    if (this.#firstPoll !== null) void this.tick();
  }

  /**
   * Releases a lease. It stays wanted: calls of `acquired` continue to wait for it.
   * @param coolDownMs above 0: this process cannot feed the segment and does not take the lease for this time. The
   *   segment is assigned to others for ten minutes, or until this process has held the lease again for `deadMs`
   */
  async giveUp(name: string, coolDownMs = 0): Promise<void> {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined) return;
    wanted.notBefore = Math.max(wanted.notBefore, this.#now() + coolDownMs);
    if (coolDownMs > 0) this.#assignments.withdraw(name);
    await this.#release(wanted);
    // Publishes at once that this process cannot feed it.
    if (coolDownMs > 0) void this.#renew();
  }

  /** Releases a lease that is no longer wanted. The calls of `acquired` that wait for it resolve. */
  async forget(name: string): Promise<void> {
    const wanted = this.#wanted.get(name);
    if (wanted === undefined) return;
    this.#wanted.delete(name);
    this.#assignments.restore(name);
    await this.#release(wanted);
    wanted.waiters.end();
  }

  /** Releases every lease, and leaves the members. For good: `acquired` then resolves without a lease. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopTicking?.();
    if (this.#handOverTimer !== null) clearTimeout(this.#handOverTimer);
    await Promise.all([this.#renewing, this.#polling]);
    const wanted = [...this.#wanted.values()];
    const leave = () => this.#members.leave();
    await Promise.all([
      this.#guarded('The slot could not be released; it expires.', leave),
      ...wanted.map((one) => this.#release(one)),
    ]);
    for (const { waiters } of wanted) waiters.end();
  }

  /** Renews the slot, reads the others' slots, and takes, verifies or hands over leases. Called every `renewMs`. */
  async tick(): Promise<void> {
    await Promise.all([this.#renew(), this.#poll()]);
  }

  get #presence() {
    const { leases, isGone = () => false } = this.#options;
    return { leases, deadMs: this.#timings.deadMs, isGone, now: this.#now };
  }

  #want(name: string): WantedLease {
    const wanted = wantLease(this.#presence, name, this.#options.owner);
    this.#wanted.set(name, wanted);
    return wanted;
  }

  #isHeld(wanted: WantedLease): boolean {
    return wanted.own.record !== null && !this.#isOverdue(wanted);
  }

  /** Takes, verifies or hands over a lease. Calls during an operation on it share that operation. */
  #takeOrKeep(wanted: WantedLease): Promise<void> {
    // It may have been forgotten since this call was due: nothing would release it then.
    const isWanted = !this.#stopped && this.#wanted.get(wanted.name) === wanted;
    if (!isWanted || this.#now() < wanted.notBefore) return Promise.resolve();
    wanted.busy ??= this.#guarded('A lease could not be read or written.', () =>
      this.#takeVerifyOrHandOver(wanted),
    ).finally(() => {
      wanted.busy = null;
      if (this.#isHeld(wanted)) wanted.waiters.end();
    });
    return wanted.busy;
  }

  async #takeVerifyOrHandOver(wanted: WantedLease): Promise<void> {
    if (wanted.own.record === null) {
      if (this.#isDue(wanted)) await this.#tryToTake(wanted);
    } else if (!this.#assignments.isFreeHere(wanted.name)) {
      wanted.term.abort();
    } else if (this.#now() - wanted.readAt >= this.#timings.deadMs) {
      const verified = await wanted.own.verify();
      wanted.readAt = this.#now();
      if (verified) this.#assignments.restore(wanted.name);
      else this.#lose(wanted);
    }
    if (this.#isHandedOver(wanted)) this.#readBeforeNextTick();
  }

  #lose(wanted: WantedLease): void {
    this.#counts.lost++;
    wanted.readAt = -Infinity;
    wanted.own.drop();
    wanted.term.abort();
  }

  async #release(wanted: WantedLease): Promise<void> {
    await wanted.busy;
    const held = wanted.own.record !== null;
    if (held) this.#counts['given up']++;
    wanted.readAt = -Infinity;
    wanted.term.abort();
    if (held) this.#unreleased.add(wanted);
    if (this.#unreleased.has(wanted)) await this.#releaseInStore(wanted);
  }

  /** Removes from the store a lease that this process no longer holds. A failed removal is repeated at each tick. */
  #releaseInStore(wanted: WantedLease): Promise<void> {
    wanted.busy ??= this.#guarded('A lease was not released; this is tried again.', async () => {
      const { name, own } = wanted;
      // If this process wants the lease again now, it is not removed but taken again, and handed over after that.
      if ((this.#wanted.get(name) ?? wanted) === wanted) await own.release();
      this.#unreleased.delete(wanted);
    }).finally(() => (wanted.busy = null));
    return wanted.busy;
  }

  #renew(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#renewing ??= this.#guarded('The slot could not be renewed.', async () => {
      const overdue = [...this.#wanted.values()].flatMap((wanted) =>
        this.#isOverdue(wanted) ? [{ wanted, mine: wanted.own.record }] : [],
      );
      this.#publish();
      await this.#members.renew();
      this.#assign();
      // The others may have counted this process as dead and taken its leases.
      for (const { wanted, mine } of overdue)
        if (mine !== null && wanted.own.record === mine) this.#lose(wanted);
    }).finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  #poll(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#polling ??= this.#guarded('The members could not be read.', async () => {
      await this.#members.poll();
      this.#assign();
      for (const wanted of this.#unreleased) void this.#releaseInStore(wanted);
      await Promise.all([...this.#wanted.values()].map((wanted) => this.#takeOrKeep(wanted)));
    }).finally(() => (this.#polling = null));
    return this.#polling;
  }

  /** Publishes, from the next renewal on, what this process can feed. */
  #publish(): void {
    this.#members.publish(this.#assignments.digest());
  }

  #assign(): void {
    this.#assignments.update(this.#members.alive(), this.#members.joined);
  }

  /**
   * Whether to read a lease that is not held: that of a living process is read seldom while the members do not change.
   */
  #isDue(wanted: WantedLease): boolean {
    const owner = wanted.current.record?.owner;
    return (
      this.#isHandedOver(wanted) ||
      wanted.isFree ||
      (owner !== undefined && this.#members.stateOf(owner) !== 'alive') ||
      wanted.readMembers !== this.#assignments.members ||
      this.#now() - wanted.readAt >= this.#timings.deadMs
    );
  }

  async #tryToTake(wanted: WantedLease): Promise<void> {
    const current = await wanted.current.poll();
    wanted.readAt = this.#now();
    wanted.readMembers = this.#assignments.members;
    wanted.isFree = this.#isFree(wanted, current);
    const isOwn = current?.owner === this.#options.owner;
    if (!wanted.isFree || (!isOwn && !this.#assignments.isFreeHere(wanted.name))) return;
    // Set before the lease is held, so that `acquired` cannot return the former term.
    wanted.term = longLived();
    // If the answer is lost, the store may name this process all the same.
    this.#unreleased.add(wanted);
    const isTaken = await wanted.own.take(current);
    this.#unreleased.delete(wanted);
    if (!isTaken) return;
    this.#counts.taken++;
    wanted.isFree = false;
  }

  /** Whether no other living process has it. */
  #isFree(wanted: WantedLease, current: Lease | null): boolean {
    if (current === null || current.owner === this.#options.owner) return true;
    const state = this.#members.stateOf(current.owner);
    return state === 'dead' || (state === 'unknown' && wanted.current.isStale);
  }

  /** Whether others may count this process as dead by now. */
  #isOverdue({ own }: WantedLease): boolean {
    return this.#now() - Math.max(own.provedAt, this.#members.provedAt) >= this.#timings.deadMs;
  }

  /** Whether another process is about to hand it over to this one. */
  #isHandedOver({ name, own }: WantedLease): boolean {
    return own.record === null && this.#assignments.isNewHere(name);
  }

  #readBeforeNextTick(): void {
    if (this.#stopped) return;
    this.#handOverTimer ??= setTimeout(() => {
      this.#handOverTimer = null;
      for (const wanted of this.#wanted.values())
        if (this.#isHandedOver(wanted)) void this.#takeOrKeep(wanted);
    }, this.#timings.renewMs / READS_A_RENEWAL).unref();
  }

  /** Logs a failure once while it lasts. The next tick repeats the action. */
  async #guarded(failed: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
      this.#warnings.resolved(failed);
    } catch (error) {
      // The write may have taken effect: a held lease counts as held until others would count this process as dead.
      const fields = { owner: this.#options.owner, reason: reasonOf(error) };
      this.#warnings.warn(failed, fields, failed);
    }
  }
}
