import { createHash } from 'node:crypto';

/** How long a process that cannot feed a segment is not assigned it, in milliseconds. */
const WITHDRAWN_MS = 10 * 60_000;

/** A living process with a slot, as read from the slot's lease. */
export interface Member {
  /** Counted from 1. */
  readonly slot: number;
  readonly owner: string;
  /** `digestOf` the segments that it can feed, as it published it last. */
  readonly digest: string;
}

/**
 * Which of the segments that this process feeds are assigned to it: it shares them with the members that can feed the
 * same ones. `share` sets these segments, `digest` is read before each renewal of the slot, and `update` is called
 * after it and after each poll of the members.
 */
export class Assignments {
  readonly #owner: string;
  readonly #now: () => number;
  readonly #newMs: number;
  #shared: readonly string[] = [];
  /** Those of `#shared` that this process could feed at the last `digest`. */
  #able: readonly string[] = [];
  /** By segment: the time, by `now`, until which `digest` leaves it out. */
  readonly #withdrawn = new Map<string, number>();
  /** By segment: the assigned owner. */
  #assigned: ReadonlyMap<string, string> = new Map();
  #members = '';
  #changedAt = -Infinity;

  /**
   * @param owner this process, as in its `Member`
   * @param now monotonic milliseconds
   * @param newMs for how long after a change of the members its assignments count as new
   */
  constructor(owner: string, now: () => number, newMs: number) {
    this.#owner = owner;
    this.#now = now;
    this.#newMs = newMs;
  }

  /** All living members with their digests, as one text. If it changes, segments may be assigned to other members. */
  get members(): string {
    return this.#members;
  }

  /**
   * Sets the segments to share, from the next `update` on.
   * @param names all that this process feeds, in the order in which they are assigned
   */
  share(names: readonly string[]): void {
    this.#shared = names;
  }

  /**
   * Leaves the segment out of the digest for `WITHDRAWN_MS`. The members that still publish it then share it without
   * this process. `isFreeHere` remains true: the caller itself waits before it takes the lease again.
   */
  withdraw(name: string): void {
    this.#withdrawn.set(name, this.#now() + WITHDRAWN_MS);
  }

  /** Ends a withdrawal; without one it does nothing. */
  restore(name: string): void {
    this.#withdrawn.delete(name);
  }

  /** The digest to publish in the slot, of the segments that this process can feed now. */
  digest(): string {
    const now = this.#now();
    this.#able = this.#shared.filter((name) => (this.#withdrawn.get(name) ?? now) <= now);
    return digestOf(this.#able);
  }

  /**
   * Assigns the segments to these members.
   * @param hasSlot false: this process is not a member, and assigns nothing
   */
  update(members: readonly Member[], hasSlot: boolean): void {
    const text = members.map(({ owner, digest }) => `${owner} ${digest}`).join();
    if (text !== this.#members) this.#changedAt = this.#now();
    this.#members = text;
    this.#assigned = hasSlot ? assignmentsOf(this.#shared, this.#able, members) : new Map<string, string>();
  }

  /** Whether the segment is not assigned to another process: this one may take its lease if that is free. */
  isFreeHere(name: string): boolean {
    const owner = this.#assigned.get(name);
    return owner === undefined || owner === this.#owner;
  }

  /**
   * Whether the segment is assigned to this process, and the members changed less than `newMs` ago: a process that had
   * it before then releases the lease after its current pass.
   */
  isNewHere(name: string): boolean {
    return this.#now() - this.#changedAt < this.#newMs && this.#assigned.get(name) === this.#owner;
  }
}

/** Names a set of segments. Members that publish the same digest share these segments. */
export const digestOf = (segments: readonly string[]): string =>
  createHash('sha256').update(segments.join('\n')).digest('hex').slice(0, 12);

/**
 * Assigns the segments of a process in turn to its peers: the members, itself included, that can feed the same ones. So
 * the segments of a view, which follow one another, are spread over all peers, and no peer has more than one segment
 * more than another while all segments can be fed. All peers compute the same result.
 * @param segments the process's segments, in the order in which they are assigned
 * @param able those of them that this process can feed now: the others are assigned to none of its peers
 * @returns segment to owner; empty if this process has no peers
 */
export function assignmentsOf(
  segments: readonly string[],
  able: readonly string[],
  members: readonly Member[],
): ReadonlyMap<string, string> {
  const shared = digestOf(able);
  const feedable = new Set(able);
  const peers = members.filter(({ digest }) => digest === shared).sort((a, b) => a.slot - b.slot);
  return new Map(
    segments.flatMap((segment, index) => {
      const peer = peers[index % peers.length];
      return peer === undefined || !feedable.has(segment) ? [] : [[segment, peer.owner] as const];
    }),
  );
}
