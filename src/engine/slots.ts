import type { Lease, ReadStore } from '../stores/read-store.js';

/** A projector process that is alive, as the others know it. */
export interface Member {
  readonly slot: number;
  readonly owner: string;
  /** What it works on, as a digest; empty until it knows. */
  readonly feeds: string;
}

export interface SlotsOptions {
  readonly leases: ReadStore['leases'];
  /** Unique to the process's run, without a space at its end. */
  readonly owner: string;
  /** How long a slot's counter must stand still, on this process's own clock, before its owner counts as dead. */
  readonly deadMs: number;
  readonly isGone: (owner: string) => boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Slot {
  readonly lease: Lease;
  /** When its counter was first seen where it stands. */
  readonly since: number;
  readonly dead: boolean;
}

const nameOf = (slot: number): string => `projectors.${slot}`;
/** Who has left: a slot is never removed, so that whoever reads them in turn finds the last one. */
const NOBODY = '';
const JOINING_TRIES = 10;

/**
 * The projector processes on one read store. Each keeps the lowest slot that was free or dead when it came, and moves
 * the slot's counter: by that alone the others know that it is alive. No clock of two machines is compared.
 */
export class Slots {
  readonly #options: SlotsOptions;
  #slots: readonly (Slot | null)[] = [];
  #own: { readonly slot: number; readonly lease: Lease } | null = null;
  #provedAt = -Infinity;
  #lookedAt = -Infinity;
  #feeds = '';
  readonly #known = new Set<string>();

  constructor(options: SlotsOptions) {
    this.#options = options;
  }

  /** When this process last proved to be alive, on its own clock. */
  get provedAt(): number {
    return this.#provedAt;
  }

  /** Whether this process has a slot, as far as it knows. */
  get joined(): boolean {
    return this.#own !== null;
  }

  /** Everybody alive by what was seen last, this process too once it has a slot; in the slots' order. */
  members(): readonly Member[] {
    return this.#slots.flatMap((_, index) => this.#member(index + 1) ?? []);
  }

  /** `unknown`: never seen in a slot, so that a lease of theirs has to be watched itself. */
  stateOf(owner: string): 'alive' | 'dead' | 'unknown' {
    if (this.#options.isGone(owner)) return 'dead';
    if (this.members().some((member) => member.owner === owner)) return 'alive';
    return this.#known.has(owner) ? 'dead' : 'unknown';
  }

  /** Says from the next renewal on what this process works on. */
  feed(digest: string): void {
    this.#feeds = digest;
  }

  /** Reads every slot but the own one. */
  async look(): Promise<void> {
    const found: (Slot | null)[] = [];
    for (let more = true; more;) {
      const length = Math.max(found.length, this.#slots.length) + 1;
      const slots = Array.from({ length: length - found.length }, (_, index) => found.length + index + 1);
      const before = this.#options.now();
      const leases = await Promise.all(slots.map((slot) => this.#read(slot)));
      slots.forEach((slot, index) => found.push(this.#seen(slot, leases[index] ?? null, before)));
      more = found.at(-1) !== null;
    }
    // Beyond the last one there is nothing, and a store that was emptied has none at all.
    while (found.length > 0 && found.at(-1) === null) found.pop();
    this.#slots = found;
    this.#lookedAt = this.#options.now();
    await Promise.all(found.map((seen, index) => this.#clear(index + 1, seen)));
  }

  /** Moves the own counter, or takes a slot where this process has none. */
  async renew(): Promise<void> {
    const { leases, now } = this.#options;
    if (this.#own !== null) {
      const { slot, lease } = this.#own;
      const at = now();
      const next = { owner: this.#text(), counter: lease.counter + 1 };
      if (await leases.swap(nameOf(slot), lease, next)) {
        this.#own = { slot, lease: next };
        this.#provedAt = at;
        return;
      }
      // Taken by another, or an answer of ours was lost: what stands there says which.
      this.#own = null;
      await this.look();
    }
    for (let tries = 0; tries < JOINING_TRIES && !(await this.#join()); tries++) await this.look();
  }

  /** Gives the slot back, so that nobody need wait until this process counts as dead. */
  async leave(): Promise<void> {
    const own = this.#own;
    this.#own = null;
    if (own !== null) await this.#options.leases.swap(nameOf(own.slot), own.lease, vacated(own.lease));
  }

  /** Who has not been there before could not tell a dead one from a living one for a while, and would wait for it. */
  async #clear(slot: number, seen: Slot | null): Promise<void> {
    if (seen === null || !seen.dead || seen.lease.owner === NOBODY || this.#own?.slot === slot) return;
    await this.#options.leases.swap(nameOf(slot), seen.lease, vacated(seen.lease));
  }

  async #join(): Promise<boolean> {
    const { leases, now, owner } = this.#options;
    const index = this.#slots.findIndex(
      (slot) => slot !== null && readText(slot.lease.owner).owner === owner,
    );
    const free = index >= 0 ? index : this.#slots.findIndex((slot) => slot === null || isFree(slot));
    const slot = (free >= 0 ? free : this.#slots.length) + 1;
    const standing = this.#slots[slot - 1]?.lease ?? null;
    const at = now();
    const next = { owner: this.#text(), counter: (standing?.counter ?? 0) + 1 };
    if (!(await leases.swap(nameOf(slot), standing, next))) return false;
    this.#own = { slot, lease: next };
    this.#provedAt = at;
    this.#slots = Array.from(
      { length: Math.max(slot, this.#slots.length) },
      (_, n) => this.#slots[n] ?? null,
    );
    return true;
  }

  async #read(slot: number): Promise<Lease | null> {
    return this.#own?.slot === slot ? this.#own.lease : await this.#options.leases.get(nameOf(slot));
  }

  #seen(slot: number, lease: Lease | null, before: number): Slot | null {
    if (lease === null) return null;
    const { deadMs, isGone, now } = this.#options;
    const { owner } = readText(lease.owner);
    if (owner !== NOBODY) this.#known.add(owner);
    const former = this.#slots[slot - 1];
    // What stood still while nobody looked, a store that was away say, may move as soon as anybody can look.
    const watched = before - this.#lookedAt < deadMs / 2;
    const still = watched && former?.lease.owner === lease.owner && former.lease.counter === lease.counter;
    const since = still ? former.since : now();
    return { lease, since, dead: isGone(owner) || before - since >= deadMs };
  }

  #member(slot: number): Member | null {
    if (this.#own?.slot === slot) return { slot, owner: this.#options.owner, feeds: this.#feeds };
    const seen = this.#slots[slot - 1];
    return seen == null || isFree(seen) ? null : { slot, ...readText(seen.lease.owner) };
  }

  #text(): string {
    return `${this.#options.owner} ${this.#feeds}`;
  }
}

const vacated = ({ counter }: Lease): Lease => ({ owner: NOBODY, counter: counter + 1 });

const isFree = ({ lease, dead }: Slot): boolean => dead || lease.owner === NOBODY;

function readText(text: string): { readonly owner: string; readonly feeds: string } {
  const space = text.lastIndexOf(' ');
  return space < 0
    ? { owner: text, feeds: '' }
    : { owner: text.slice(0, space), feeds: text.slice(space + 1) };
}

const AT_ONCE = 4;

/** What stands in the slots that are not free, for whoever only looks: the owner as in its leases, and its counter. */
export async function slotLeases(leases: Pick<ReadStore['leases'], 'get'>): Promise<readonly Lease[]> {
  const found: Lease[] = [];
  for (let slot = 1; ; slot += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, index) => nameOf(slot + index));
    for (const lease of await Promise.all(names.map((name) => leases.get(name)))) {
      if (lease === null) return found;
      const { owner } = readText(lease.owner);
      if (owner !== NOBODY) found.push({ owner, counter: lease.counter });
    }
  }
}

/**
 * Who stands in a slot, for whoever only looks. A dead one does too, until another process of the kind has noticed.
 */
export const ownersInSlots = async (leases: Pick<ReadStore['leases'], 'get'>): Promise<ReadonlySet<string>> =>
  new Set((await slotLeases(leases)).map(({ owner }) => owner));
