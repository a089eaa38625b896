import { START, type FeedItem, type Position } from '../core/event-store.js';
import type { SharedEvent } from './shared-event.js';

/** Consecutive events of the log: all that stand after the asked position, up to and including `position`. */
export interface Batch {
  readonly events: readonly SharedEvent[];
  /** Where a consumer stands once it has dealt with `events`; equal to what it asked from when there is nothing. */
  readonly position: Position;
  /** More is known to stand right behind it. */
  readonly more: boolean;
}

interface Entry {
  readonly after: Position;
  readonly position: Position;
  /** `null`: positions passed over. */
  readonly event: SharedEvent | null;
  /** When it came, in milliseconds of this process's monotonic clock. */
  readonly at: number;
}

/** The newest stretch of the live feed, without a gap: what is slower than it reads pages. */
export class Ring {
  #entries: Entry[] = [];
  #bytes = 0;
  /** Where the stretch begins (exclusive). */
  #origin: Position;
  #position: Position;

  constructor(
    origin: Position,
    private readonly maxEntries: number,
    private readonly maxBytes: number,
  ) {
    this.#origin = origin;
    this.#position = origin;
  }

  get position(): Position {
    return this.#position;
  }

  add(item: Exclude<FeedItem, { kind: 'live' }>, event: SharedEvent | null, at = performance.now()): void {
    // What was delivered again after a reconnection.
    if (item.position <= this.#position) return;
    if (item.after > this.#position) this.#restart(item.after);
    this.#entries.push({ after: this.#position, position: item.position, event, at });
    this.#bytes += event?.bytes ?? 0;
    this.#position = item.position;
    if (this.#entries.length > 1.25 * this.maxEntries || this.#bytes > 1.25 * this.maxBytes) this.#trim();
  }

  /** @returns what follows `after`, or `null` where the ring does not reach back that far */
  following(after: Position, limit: number): Batch | null {
    if (after < this.#origin) return null;
    const start = this.#firstBeyond(after);
    const taken = this.#entries.slice(start, start + limit);
    return {
      events: taken.flatMap(({ event }) => event ?? []),
      position: taken.at(-1)?.position ?? after,
      more: start + taken.length < this.#entries.length,
    };
  }

  /** Lets go of what came before a moment of the monotonic clock. */
  forget(before: number): void {
    const kept = this.#entries.findIndex(({ at }) => at >= before);
    this.#drop(kept < 0 ? this.#entries.length : kept);
  }

  /** There was a gap: nothing before it may be joined with what comes. */
  #restart(origin: Position): void {
    this.#entries = [];
    this.#bytes = 0;
    this.#origin = origin;
    this.#position = origin;
  }

  #trim(): void {
    let dropped = 0;
    let bytes = this.#bytes;
    while (
      dropped < this.#entries.length - 1 &&
      (this.#entries.length - dropped > this.maxEntries || bytes > this.maxBytes)
    )
      bytes -= this.#entries[dropped++]?.event?.bytes ?? 0;
    this.#drop(dropped);
  }

  /** The oldest so many. */
  #drop(count: number): void {
    if (count === 0) return;
    for (const { event } of this.#entries.slice(0, count)) this.#bytes -= event?.bytes ?? 0;
    this.#entries = this.#entries.slice(count);
    this.#origin = this.#entries[0]?.after ?? this.#position;
  }

  #firstBeyond(after: Position): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.position ?? START) <= after) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
