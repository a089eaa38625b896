import type { Codec, Decoded } from '../../core/codec.js';
import { isPromise, type MaybePromise } from '../../core/concurrency.js';
import {
  type Position,
  type RecordedEvent,
  START,
  type FeedItem,
  type StreamName,
} from '../../core/event-store.js';
import { freezeJson } from '../../core/json.js';

/** The part of a codec that the engine uses. */
export type EventDecoder = Pick<Codec, 'decode'> & {
  /**
   * The latest types that upcasting may make of `storedType`; `null`: unknown. With this method, events that no view of
   * a process handles are not decoded; without it all are.
   */
  readonly latestTypes?: (storedType: string) => readonly string[] | null;
};

/** An event of the feed. All views share it, so it is decoded once and frozen. */
export class SharedEvent {
  readonly id: string;
  readonly stream: StreamName;
  readonly position: Position;
  readonly storedType: string;
  readonly bytes: number;
  /** The latest types that upcasting may make it; `null`: any. */
  readonly types: readonly string[] | null;
  /** `null` until it is decoded. Most callers find it set and need no promise. */
  decoded: Decoded | null = null;
  readonly #decoder: EventDecoder;
  /** `null` once decoded, so that the ring does not hold everything twice. */
  #recorded: RecordedEvent | null;
  #decoding: Promise<Decoded> | null = null;

  constructor(recorded: RecordedEvent, decoder: EventDecoder) {
    this.id = recorded.id;
    this.stream = recorded.stream;
    this.position = recorded.position;
    this.storedType = recorded.type;
    this.bytes = recorded.data.byteLength + recorded.metadata.byteLength;
    this.types = decoder.latestTypes?.(recorded.type) ?? null;
    this.#recorded = recorded;
    this.#decoder = decoder;
  }

  /** False only if the event cannot be of one of these types after upcasting. */
  mayBe(types: ReadonlySet<string>): boolean {
    return this.types === null || this.types.some((type) => types.has(type));
  }

  /**
   * Without a promise if the decoder needs none. After a failure the next call tries again.
   * @throws {MissingKey} and what else decoding throws, at once or by the promise
   */
  decode(): MaybePromise<Decoded> {
    if (this.decoded !== null) return this.decoded;
    if (this.#decoding !== null) return this.#decoding;
    if (this.#recorded === null) throw new Error('The event was freed before it was decoded.');
    const decoded = this.#decoder.decode(this.#recorded);
    if (!isPromise(decoded)) return this.#keep(decoded);
    this.#decoding = decoded.then((late) => this.#keep(late)).finally(() => (this.#decoding = null));
    return this.#decoding;
  }

  #keep(decoded: Decoded): Decoded {
    if (decoded.kind === 'event' && !Object.isFrozen(decoded.event)) freezeJson(decoded.event);
    this.decoded = decoded;
    this.#recorded = null;
    return decoded;
  }
}

/** Consecutive events of the log: all after the requested position, up to and including `position`. */
export interface Batch {
  readonly events: readonly SharedEvent[];
  /** The consumer's position after `events`; without events it is the requested position. */
  readonly position: Position;
  /** Whether more events follow directly. */
  readonly more: boolean;
}

interface Entry {
  readonly after: Position;
  readonly position: Position;
  /** `null`: positions without an event for views. */
  readonly event: SharedEvent | null;
  /** When it came, in monotonic milliseconds. */
  readonly at: number;
}

/** The newest stretch of the live feed, without a gap. Views that are further back read pages. */
export class Ring {
  #entries: Entry[] = [];
  #bytes = 0;
  /** The position before the first entry. */
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

  /** That of the last item; before the first one, the `origin`. */
  get position(): Position {
    return this.#position;
  }

  /** Adds an item of the subscription. An item that was delivered before changes nothing. */
  add(item: Exclude<FeedItem, { kind: 'live' }>, event: SharedEvent | null, at = performance.now()): void {
    // Delivered again after a reconnection.
    if (item.position <= this.#position) return;
    if (item.after > this.#position) this.#restart(item.after);
    this.#entries.push({ after: this.#position, position: item.position, event, at });
    this.#bytes += event?.bytes ?? 0;
    this.#position = item.position;
    if (this.#entries.length > 1.25 * this.maxEntries || this.#bytes > 1.25 * this.maxBytes) this.#trim();
  }

  /** @returns at most `limit` entries after `after`; `null`: the ring does not reach back that far */
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

  /** Drops entries that came before this time, in monotonic milliseconds. */
  forget(before: number): void {
    const kept = this.#entries.findIndex(({ at }) => at >= before);
    this.#drop(kept < 0 ? this.#entries.length : kept);
  }

  /** Drops all entries and starts at `origin`, after a gap. */
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

  /** Drops the oldest `count` entries. */
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

/**
 * A segment that has folded everything up to the feed's position. Events that its view does not handle move it without
 * a pass; the first one that it may handle ends this.
 */
export class CaughtUpSegment {
  #endedAt: Position | null = null;
  #wake: (() => void) | null = null;

  constructor(
    readonly handled: ReadonlySet<string>,
    private readonly ring: Pick<Ring, 'position'>,
    private readonly leave: (segment: CaughtUpSegment) => void,
  ) {}

  /** The segment has folded everything up to here. */
  get position(): Position {
    return this.#endedAt ?? this.ring.position;
  }

  /** Whether it no longer moves with the feed. */
  get isEnded(): boolean {
    return this.#endedAt !== null;
  }

  /** Stops moving with the feed: the position stays. */
  end(): void {
    if (this.#endedAt !== null) return;
    this.#endedAt = this.ring.position;
    this.leave(this);
    this.wake();
  }

  /** Resolves once it has ended, or with the next `wake`. */
  changed(): Promise<void> {
    return this.isEnded ? Promise.resolve() : new Promise((resolve) => (this.#wake = resolve));
  }

  /** Resolves the wait of `changed`, if there is one, without ending the segment. */
  wake(): void {
    this.#wake?.();
  }
}

/**
 * The segments that are at a feed's position, by the types that they handle: an event reaches only the segments that
 * handle its type.
 */
export class CaughtUpSegments {
  readonly #all = new Set<CaughtUpSegment>();
  readonly #byType = new Map<string, Set<CaughtUpSegment>>();

  constructor(private readonly ring: Pick<Ring, 'position'>) {}

  /** Adds a segment that is at the ring’s position. @param handled the types that end it */
  add(handled: ReadonlySet<string>): CaughtUpSegment {
    const segment = new CaughtUpSegment(handled, this.ring, (ended) => this.#remove(ended));
    this.#all.add(segment);
    for (const type of handled) {
      const others = this.#byType.get(type);
      if (others === undefined) this.#byType.set(type, new Set([segment]));
      else others.add(segment);
    }
    return segment;
  }

  /**
   * To be called before the ring adds an item: ends the segments that may handle it, at the position before it.
   * @param types the latest types that the item's event may be; `null`: any
   */
  before(item: Exclude<FeedItem, { kind: 'live' }>, types: readonly string[] | null): void {
    if (this.#all.size === 0 || item.position <= this.ring.position) return;
    // In a gap there may be events of any type.
    if (types === null || item.after > this.ring.position) this.end();
    else for (const type of types) for (const segment of this.#byType.get(type) ?? []) segment.end();
  }

  /** Ends every segment. */
  end(): void {
    for (const segment of this.#all) segment.end();
  }

  #remove(segment: CaughtUpSegment): void {
    this.#all.delete(segment);
    for (const type of segment.handled) {
      const others = this.#byType.get(type);
      others?.delete(segment);
      if (others?.size === 0) this.#byType.delete(type);
    }
  }
}
