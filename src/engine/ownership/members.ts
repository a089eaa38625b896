import type { Lease, ReadStore } from '../../stores/read-store.js';
import type { Member } from './assignments.js';
import { OwnLease, WatchedLease, type PresenceOptions } from './presence.js';

export interface MembersOptions extends PresenceOptions {
  /** An id that is new with each start of a process. It does not end with a space. */
  readonly owner: string;
}

/** The name of a slot's lease. @param index counted from 0 */
const nameOf = (index: number): string => `projectors.${index + 1}`;
/** The owner of a free slot. Slots are never removed, since readers stop at the first missing one. */
const NO_OWNER = '';
/** How many slots a process tries to take in one renewal: another process may be first at each. */
const JOINING_TRIES = 10;

/**
 * The processes on one read store that feed views or do background work. Each takes the lowest slot that is free or
 * dead and renews the slot's lease, by which the others see that it is alive. Call `poll` and `renew` repeatedly, each
 * one call at a time; `publish` before a renewal, and `leave` once, at the end.
 */
export class Members {
  readonly #options: MembersOptions;
  #slots: WatchedLease[] = [];
  #own: { readonly index: number; readonly lease: OwnLease } | null = null;
  #provedAt = -Infinity;
  #digest = '';
  readonly #known = new Set<string>();

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  /** When this process last proved that it is alive, in monotonic milliseconds of its own. */
  get provedAt(): number {
    return this.#provedAt;
  }

  /** Whether this process has a slot. It may have lost it since its last renewal. */
  get joined(): boolean {
    return this.#own !== null;
  }

  /** The living ones as of the last poll, with this process once it has a slot; in the slots' order. */
  alive(): readonly Member[] {
    return this.#slots.flatMap((_, index) => this.#member(index) ?? []);
  }

  /** `unknown`: never seen in a slot, so that its leases themselves must be watched. */
  stateOf(owner: string): 'alive' | 'dead' | 'unknown' {
    if (this.#options.isGone(owner)) return 'dead';
    if (this.alive().some((member) => member.owner === owner)) return 'alive';
    return this.#known.has(owner) ? 'dead' : 'unknown';
  }

  /** Publishes, from the next renewal on, the digest of the segments that this process can feed. */
  publish(digest: string): void {
    this.#digest = digest;
  }

  /** Reads every slot but the own one. */
  async poll(): Promise<void> {
    const found: WatchedLease[] = [];
    const exists = (index: number): boolean =>
      this.#own?.index === index || (found[index]?.record ?? null) !== null;
    do {
      const from = found.length;
      const end = Math.max(from, this.#slots.length) + 1;
      for (let index = from; index < end; index++) found.push(this.#slots[index] ?? this.#watch(index));
      await Promise.all(found.slice(from).map((slot, n) => this.#read(slot, from + n)));
    } while (exists(found.length - 1));
    // A store that was emptied has no slots at all.
    while (found.length > 0 && !exists(found.length - 1)) found.pop();
    this.#slots = found;
    // After the slots are set: an owner that is known but in no slot counts as dead.
    for (const { owner } of this.alive()) this.#known.add(owner);
    await Promise.all(found.map((slot, index) => this.#vacate(slot, index)));
  }

  /** Raises the counter of this process's slot, or takes a slot if it has none. */
  async renew(): Promise<void> {
    if (this.#own !== null) {
      const { lease } = this.#own;
      if (await lease.take(lease.record, this.#text())) {
        this.#provedAt = lease.provedAt;
        return;
      }
      // Another process has taken it, or an earlier write took effect without an answer: join again, perhaps the same slot.
      this.#own = null;
      await this.poll();
    }
    for (let tries = 0; tries < JOINING_TRIES && !(await this.#join()); tries++) await this.poll();
  }

  /** Frees the slot, so that the others need not wait until this process counts as dead. */
  async leave(): Promise<void> {
    const own = this.#own;
    this.#own = null;
    if (own?.lease.record != null) await own.lease.take(own.lease.record, NO_OWNER);
  }

  async #read(slot: WatchedLease, index: number): Promise<void> {
    if (this.#own?.index !== index) await slot.poll();
  }

  /** Frees the slot of a dead process. Without that, a process that starts would first watch whether its owner is alive. */
  async #vacate(slot: WatchedLease, index: number): Promise<void> {
    if (this.#own?.index === index || !slot.isDead || slot.record === null) return;
    if (slot.record.owner === NO_OWNER) return;
    await slot.replace({ owner: NO_OWNER, counter: slot.record.counter + 1 });
  }

  async #join(): Promise<boolean> {
    const { owner } = this.#options;
    const mine = this.#slots.findIndex(
      ({ record }) => record !== null && readText(record.owner).owner === owner,
    );
    const free = mine >= 0 ? mine : this.#slots.findIndex(isFree);
    const index = free >= 0 ? free : this.#slots.length;
    const lease = new OwnLease(this.#options, nameOf(index), owner);
    if (!(await lease.take(this.#slots[index]?.record ?? null, this.#text()))) return false;
    this.#own = { index, lease };
    this.#provedAt = lease.provedAt;
    while (this.#slots.length <= index) this.#slots.push(this.#watch(this.#slots.length));
    return true;
  }

  #member(index: number): Member | null {
    const slot = index + 1;
    if (this.#own?.index === index) return { slot, owner: this.#options.owner, digest: this.#digest };
    const seen = this.#slots[index];
    if (seen === undefined || seen.record === null || isFree(seen)) return null;
    return { slot, ...readText(seen.record.owner) };
  }

  #watch(index: number): WatchedLease {
    const { isGone } = this.#options;
    const options = { ...this.#options, isGone: (text: string) => isGone(readText(text).owner) };
    return new WatchedLease(options, nameOf(index));
  }

  /** The owner field of the slot's lease. */
  #text(): string {
    return `${this.#options.owner} ${this.#digest}`;
  }
}

const isFree = ({ record, isDead }: WatchedLease): boolean =>
  isDead || record === null || record.owner === NO_OWNER;

/** Parses a slot's text; a free slot has an empty owner. */
function readText(text: string): Pick<Member, 'owner' | 'digest'> {
  const space = text.lastIndexOf(' ');
  return space < 0
    ? { owner: text, digest: '' }
    : { owner: text.slice(0, space), digest: text.slice(space + 1) };
}

/** How many slots an observer reads at once. */
const AT_ONCE = 4;

/** The leases in the slots that are taken, for an observer that takes none. `owner` is without the digest. */
export async function memberLeases(leases: Pick<ReadStore['leases'], 'get'>): Promise<readonly Lease[]> {
  const found: Lease[] = [];
  for (let from = 0; ; from += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, index) => nameOf(from + index));
    for (const lease of await Promise.all(names.map((name) => leases.get(name)))) {
      if (lease === null) return found;
      const { owner } = readText(lease.owner);
      if (owner !== NO_OWNER) found.push({ owner, counter: lease.counter });
    }
  }
}

/** The owners in slots, for an observer. A dead one is included until a member has noticed. */
export const ownersInSlots = async (leases: Pick<ReadStore['leases'], 'get'>): Promise<ReadonlySet<string>> =>
  new Set((await memberLeases(leases)).map(({ owner }) => owner));
