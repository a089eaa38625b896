import type { Lease, ReadStore } from '../stores/read-store.js';
import { Leases, WantedLease, type LeasesOptions } from './leases.js';
import { digestOf, Members, sharesOf } from './members.js';

/** How often an open lease that is about to be handed over is read, in a renewal's time. */
const LOOKS_A_RENEWAL = 4;
/** Fraction of `deadMs` that a lease of another's share must be free before it is taken. */
const LEFT_OVER = 0.6;
/** A lease that was left over is offered again after so many times `deadMs`, the next time after twice as many. */
const OFFERED_AGAIN = 12;
const MOST_DOUBLINGS = 6;

/** `lost`: another process had it, or may have had it; `given up`: left to others, at the latest when it stops. */
export type LeaseChange = 'taken' | 'lost' | 'given up';

/** How often leases of segments have changed hands here since the process started: for figures alone. */
export type LeaseCounts = Record<LeaseChange, number>;

const countsByStore = new WeakMap<ReadStore['leases'], LeaseCounts>();

/** The counts of the `SharedLeases` that use this very store object in this process. */
export function leaseCountsOf(leases: ReadStore['leases']): LeaseCounts {
  let counts = countsByStore.get(leases);
  if (counts === undefined) countsByStore.set(leases, (counts = { taken: 0, lost: 0, 'given up': 0 }));
  return counts;
}

/** The lease of a segment. */
class SegmentLease extends WantedLease {
  /** The members when it was left over: the one whose share it is did not take it, so it is kept for a while. */
  leftOver: string | null = null;
  /** How often in a row it was left over. */
  timesLeftOver = 0;
  /** Since when no living process has held it, as far as was seen. */
  openSince: number | null = null;
  lookedAt = -Infinity;
  lookedAmong = '';
}

/**
 * The leases of the segments that a process works on, shared evenly with the processes that work on the same. A lease
 * names its owner and is not renewed itself: it is dead when its owner's slot among the members is.
 */
export class SharedLeases extends Leases<SegmentLease> {
  readonly #members: Members;
  readonly #counts: LeaseCounts;
  #segments: readonly string[] = [];
  #shares: ReadonlyMap<string, string> = new Map();
  /** All living members, as one text: when it changes, the shares are computed anew. */
  #among = '';
  #changedAt = -Infinity;
  #soon: NodeJS.Timeout | null = null;
  #begun: Promise<void> | null = null;
  #looking: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;

  constructor(options: LeasesOptions) {
    super(options);
    this.#counts = leaseCountsOf(options.leases);
    this.#members = new Members({ ...this.presence, owner: this.owner });
  }

  /**
   * From now on these are shared with the processes that work on the same. Before, leases are taken as they are found
   * open, so that nothing waits for the last view to be known.
   * @param segments all that this process works on
   */
  share(segments: readonly string[]): void {
    this.#segments = segments;
    this.#members.feed(digestOf(segments));
    if (this.#begun !== null) void this.tick();
  }

  /** Releases every lease, and leaves the members. */
  override async stop(): Promise<void> {
    this.stopped = true;
    if (this.#soon !== null) clearTimeout(this.#soon);
    await Promise.all([this.#renewing, this.#looking]);
    const leaving = this.guarded('The slot was not given back; it dies out.', () => this.#members.leave());
    await Promise.all([leaving, super.stop()]);
  }

  /** Renews the slot, reads the others', and looks after the leases. */
  override async tick(): Promise<void> {
    await Promise.all([this.#renew(), this.#look()]);
  }

  protected newlyWanted(name: string): SegmentLease {
    // Looks are up to `deadMs` apart, so an outage cannot be told from a pause.
    return new SegmentLease(name, this.owner, this.presence, Infinity);
  }

  protected isHeld(wanted: SegmentLease): boolean {
    return wanted.own.record !== null && !this.#isOverdue(wanted);
  }

  /** The members are read once before the first lease is taken. */
  protected override begin(wanted: SegmentLease): void {
    this.#begun ??= this.#look().then(() => void this.#renew());
    void this.#begun.then(() => this.attend(wanted));
  }

  protected async takeOrKeep(wanted: SegmentLease): Promise<void> {
    if (wanted.own.record === null) {
      if (this.#isDue(wanted)) await this.#tryToTake(wanted);
    } else if (this.#isAnothers(wanted)) {
      wanted.term.abort();
    } else if (this.now() - wanted.lookedAt >= this.timings.deadMs) {
      const verified = await wanted.own.verify();
      wanted.lookedAt = this.now();
      if (!verified) this.lose(wanted);
    }
    if (this.#isAboutToCome(wanted)) this.#lookSoon();
  }

  protected override lose(wanted: SegmentLease): void {
    this.#counts.lost++;
    wanted.lookedAt = -Infinity;
    super.lose(wanted);
  }

  protected override async release(wanted: SegmentLease): Promise<void> {
    await wanted.busy;
    if (wanted.own.record !== null) this.#counts['given up']++;
    wanted.lookedAt = -Infinity;
    wanted.openSince = this.now();
    await super.release(wanted);
  }

  #renew(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.#renewing ??= this.guarded('The slot could not be renewed.', async () => {
      const overdue = [...this.wanted.values()].flatMap((wanted) =>
        this.#isOverdue(wanted) ? [{ wanted, mine: wanted.own.record }] : [],
      );
      await this.#members.renew();
      this.#shareOut();
      // Dead to the others meanwhile, as far as is known here: what was held may be another's.
      for (const { wanted, mine } of overdue)
        if (mine !== null && wanted.own.record === mine) this.lose(wanted);
    }).finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  #look(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.#looking ??= this.guarded('The members could not be read.', async () => {
      await this.#members.look();
      this.#shareOut();
      await super.tick();
    }).finally(() => (this.#looking = null));
    return this.#looking;
  }

  #shareOut(): void {
    const members = this.#members.alive();
    const among = members.map(({ owner, feeds }) => `${owner} ${feeds}`).join();
    if (among !== this.#among) this.#changedAt = this.now();
    this.#among = among;
    // Without a slot this process has no share, and cannot know what the others' will be.
    this.#shares = this.#members.joined ? sharesOf(this.#segments, members) : new Map();
  }

  /** Another's lease need not be read, as long as the same members are alive. */
  #isDue(wanted: SegmentLease): boolean {
    return (
      this.#comesFirst(wanted) ||
      wanted.openSince !== null ||
      wanted.lookedAmong !== this.#among ||
      this.now() - wanted.lookedAt >= this.timings.deadMs
    );
  }

  async #tryToTake(wanted: SegmentLease): Promise<void> {
    const current = await wanted.current.look();
    const at = this.now();
    wanted.lookedAt = at;
    wanted.lookedAmong = this.#among;
    wanted.openSince = this.#isOpen(wanted, current) ? (wanted.openSince ?? at) : null;
    if (wanted.openSince === null) return;
    const first = this.#comesFirst(wanted) || current?.owner === this.owner;
    if (!first && at - wanted.openSince < LEFT_OVER * this.timings.deadMs) return;
    if (!(await wanted.own.take(current))) return;
    this.#counts.taken++;
    wanted.term = new AbortController();
    wanted.leftOver = first ? null : this.#among;
    wanted.timesLeftOver = first ? 0 : wanted.timesLeftOver + 1;
    wanted.openSince = null;
  }

  /** Whether no living process has it. */
  #isOpen(wanted: SegmentLease, current: Lease | null): boolean {
    if (current === null || current.owner === this.owner) return true;
    const state = this.#members.stateOf(current.owner);
    return state === 'dead' || (state === 'unknown' && wanted.current.isStale);
  }

  /** It is this process's share, or there is no other process to share it with. */
  #comesFirst({ name }: SegmentLease): boolean {
    const owner = this.#shares.get(name);
    if (owner !== undefined) return owner === this.owner;
    return this.#members.alive().every((member) => member.owner === this.owner);
  }

  #isAnothers(wanted: SegmentLease): boolean {
    const owner = this.#shares.get(wanted.name);
    if (owner === undefined || owner === this.owner) return false;
    const doubled = 2 ** Math.min(wanted.timesLeftOver - 1, MOST_DOUBLINGS);
    const kept = this.now() - wanted.own.provedAt < OFFERED_AGAIN * doubled * this.timings.deadMs;
    return wanted.leftOver !== this.#among || !kept;
  }

  /** Others may count it as dead by now. */
  #isOverdue({ own }: SegmentLease): boolean {
    return this.now() - Math.max(own.provedAt, this.#members.provedAt) >= this.timings.deadMs;
  }

  /** This process's share since a moment ago: its holder gives it up after the pass at hand. */
  #isAboutToCome({ name, own }: SegmentLease): boolean {
    const recently = this.now() - this.#changedAt < this.timings.deadMs;
    return own.record === null && recently && this.#shares.get(name) === this.owner;
  }

  #lookSoon(): void {
    if (this.stopped) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = null;
      for (const wanted of this.wanted.values()) if (this.#isAboutToCome(wanted)) void this.attend(wanted);
    }, this.timings.renewMs / LOOKS_A_RENEWAL).unref();
  }
}
