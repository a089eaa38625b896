import { createHash } from 'node:crypto';
import type { Lease, ReadStore } from '../../stores/read-store.js';
import { OwnLease, WatchedLease, type PresenceOptions } from './presence.js';

/** A process with leases that is alive, as the others know it. */
export interface Member {
  readonly slot: number;
  readonly owner: string;
  /** The segments that it can feed, as a digest; empty until it knows. */
  readonly feeds: string;
}

export interface MembersOptions extends PresenceOptions {
  /** Unique to the process's run, without a space at its end. */
  readonly owner: string;
}

const nameOf = (index: number): string => `projectors.${index + 1}`;
/** The owner of a free slot: slots are never removed, since readers stop at the first that is missing. */
const NOBODY = '';
const JOINING_TRIES = 10;

/**
 * The processes on one read store that feed views or do background work. Each takes the lowest slot that is free or dead
 * and renews the slot's lease, by which the others know that it is alive.
 */
export class Members {
  readonly #options: MembersOptions;
  #slots: WatchedLease[] = [];
  #own: { readonly index: number; readonly lease: OwnLease } | null = null;
  #provedAt = -Infinity;
  #feeds = '';
  readonly #known = new Set<string>();

  constructor(options: MembersOptions) {
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

  /** The living ones as of the last poll, with this process once it has a slot; in the slots' order. */
  alive(): readonly Member[] {
    return this.#slots.flatMap((_, index) => this.#member(index) ?? []);
  }

  /** `unknown`: never seen in a slot, so that its leases must be watched themselves. */
  stateOf(owner: string): 'alive' | 'dead' | 'unknown' {
    if (this.#options.isGone(owner)) return 'dead';
    if (this.alive().some((member) => member.owner === owner)) return 'alive';
    return this.#known.has(owner) ? 'dead' : 'unknown';
  }

  /** Publishes, from the next renewal on, the digest of the segments that this process can feed. */
  feed(digest: string): void {
    this.#feeds = digest;
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
    // Only now: an owner that is known and in no slot counts as dead.
    for (const { owner } of this.alive()) this.#known.add(owner);
    await Promise.all(found.map((slot, index) => this.#vacate(slot, index)));
  }

  /** Moves the own counter, or takes a slot where this process has none. */
  async renew(): Promise<void> {
    if (this.#own !== null) {
      const { lease } = this.#own;
      if (await lease.take(lease.record, this.#text())) {
        this.#provedAt = lease.provedAt;
        return;
      }
      // Taken by another, or the answer to an earlier write was lost: joining tells.
      this.#own = null;
      await this.poll();
    }
    for (let tries = 0; tries < JOINING_TRIES && !(await this.#join()); tries++) await this.poll();
  }

  /** Frees the slot, so that the others need not wait until this process counts as dead. */
  async leave(): Promise<void> {
    const own = this.#own;
    this.#own = null;
    if (own?.lease.record != null) await own.lease.take(own.lease.record, NOBODY);
  }

  async #read(slot: WatchedLease, index: number): Promise<void> {
    if (this.#own?.index !== index) await slot.poll();
  }

  /** Frees the slot of a dead process: one that starts could not tell yet that it is dead, and would wait. */
  async #vacate(slot: WatchedLease, index: number): Promise<void> {
    if (this.#own?.index === index || !slot.isDead || slot.record === null) return;
    if (slot.record.owner === NOBODY) return;
    await slot.replace({ owner: NOBODY, counter: slot.record.counter + 1 });
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
    if (this.#own?.index === index) return { slot, owner: this.#options.owner, feeds: this.#feeds };
    const seen = this.#slots[index];
    if (seen === undefined || seen.record === null || isFree(seen)) return null;
    return { slot, ...readText(seen.record.owner) };
  }

  #watch(index: number): WatchedLease {
    const { isGone } = this.#options;
    const options = { ...this.#options, isGone: (text: string) => isGone(readText(text).owner) };
    return new WatchedLease(options, nameOf(index));
  }

  #text(): string {
    return `${this.#options.owner} ${this.#feeds}`;
  }
}

const isFree = ({ record, isDead }: WatchedLease): boolean =>
  isDead || record === null || record.owner === NOBODY;

function readText(text: string): { readonly owner: string; readonly feeds: string } {
  const space = text.lastIndexOf(' ');
  return space < 0
    ? { owner: text, feeds: '' }
    : { owner: text.slice(0, space), feeds: text.slice(space + 1) };
}

const AT_ONCE = 4;

/** The leases in the slots that are not free, for an observer: the owner as in its other leases, and its counter. */
export async function memberLeases(leases: Pick<ReadStore['leases'], 'get'>): Promise<readonly Lease[]> {
  const found: Lease[] = [];
  for (let from = 0; ; from += AT_ONCE) {
    const names = Array.from({ length: AT_ONCE }, (_, index) => nameOf(from + index));
    for (const lease of await Promise.all(names.map((name) => leases.get(name)))) {
      if (lease === null) return found;
      const { owner } = readText(lease.owner);
      if (owner !== NOBODY) found.push({ owner, counter: lease.counter });
    }
  }
}

/** The owners in slots, for an observer. A dead one is included until a member has noticed. */
export const ownersInSlots = async (leases: Pick<ReadStore['leases'], 'get'>): Promise<ReadonlySet<string>> =>
  new Set((await memberLeases(leases)).map(({ owner }) => owner));

/** Processes with the same digest share their segments. */
export const digestOf = (segments: readonly string[]): string =>
  createHash('sha256').update(segments.join('\n')).digest('hex').slice(0, 12);

/**
 * Assigns the segments in turn, so that every view is spread over all members that can feed the same ones, and none of
 * these has more than one segment more than another. All of them compute the same.
 * @param segments in the order in which they are assigned
 * @param able those of them that this process can feed now: the others are assigned to no member
 * @returns segment to owner; empty while no member is known to feed them
 */
export function assignmentsOf(
  segments: readonly string[],
  able: readonly string[],
  members: readonly Member[],
): ReadonlyMap<string, string> {
  const digest = digestOf(able);
  const feedable = new Set(able);
  const peers = members.filter(({ feeds }) => feeds === digest).sort((a, b) => a.slot - b.slot);
  return new Map(
    segments.flatMap((segment, index) => {
      const peer = peers[index % peers.length];
      return peer === undefined || !feedable.has(segment) ? [] : [[segment, peer.owner] as const];
    }),
  );
}

/**
 * The name of the lease under which a build worker feeds a segment, so that a serving process need not wait until the
 * worker has ended. For some seconds both feed it, which the guards of the documents allow.
 */
export const builderOf = (segment: string): string => `${segment}.builder`;
