import type { Codec, Decoded } from '../../core/codec.js';
import type { MaybePromise } from '../../core/vault/sealing.js';
import {
  type Position,
  type RecordedEvent,
  START,
  type FeedItem,
  type StreamName,
} from '../../core/event-store.js';
import { freezeJson } from '../../core/json.js';

/** What the engine needs of a codec. */
export type EventDecoder = Pick<Codec, 'decode'> & {
  /**
   * The latest types that an event stored as `storedType` may turn out to be; `null`: cannot be said. With it,
   * events that no view of a process handles are never decoded; without it all are, since upcasting may rename.
   */
  readonly latestTypes?: (storedType: string) => readonly string[] | null;
};

/** An event of the feed, decoded at most once however many views fold it, and then frozen, since they share it. */
export class SharedEvent {
  readonly id: string;
  readonly stream: StreamName;
  readonly position: Position;
  readonly storedType: string;
  readonly bytes: number;
  /** Set once decoded, so that the usual case needs no promise. */
  decoded: Decoded | null = null;
  readonly #decoder: EventDecoder;
  /** Let go once decoded: the ring would otherwise hold everything twice. */
  #recorded: RecordedEvent | null;
  #decoding: Promise<Decoded> | null = null;

  constructor(recorded: RecordedEvent, decoder: EventDecoder) {
    this.id = recorded.id;
    this.stream = recorded.stream;
    this.position = recorded.position;
    this.storedType = recorded.type;
    this.bytes = recorded.data.byteLength + recorded.metadata.byteLength;
    this.#recorded = recorded;
    this.#decoder = decoder;
  }

  /** The latest types that upcasting may make it; `null`: any. */
  get types(): readonly string[] | null {
    return this.#decoder.latestTypes?.(this.storedType) ?? null;
  }

  /** False only where it is certain that upcasting makes it none of these types. */
  mayBe(types: ReadonlySet<string>): boolean {
    const latest = this.types;
    return latest === null || latest.some((type) => types.has(type));
  }

  /**
   * Without a promise where the decoder needs none. What fails is tried again by the next call.
   * @throws {MissingKey} and whatever else decoding throws, at once or by the promise
   */
  decode(): MaybePromise<Decoded> {
    if (this.decoded !== null) return this.decoded;
    if (this.#decoding !== null) return this.#decoding;
    const decoded = this.#decoder.decode(this.#stillThere());
    if (!(decoded instanceof Promise)) return this.#keep(decoded);
    this.#decoding = decoded.then((late) => this.#keep(late)).finally(() => (this.#decoding = null));
    return this.#decoding;
  }

  #keep(decoded: Decoded): Decoded {
    if (decoded.kind === 'event' && !Object.isFrozen(decoded.event)) freezeJson(decoded.event);
    this.decoded = decoded;
    this.#recorded = null;
    return decoded;
  }

  #stillThere(): RecordedEvent {
    if (this.#recorded === null) throw new Error('The event was let go before it was decoded.');
    return this.#recorded;
  }
}

/** Consecutive events of the log: all after the asked position, up to and including `position`. */
export interface Batch {
  readonly events: readonly SharedEvent[];
  /** The consumer's position after `events`; without events it is the asked position. */
  readonly position: Position;
  /** More events follow directly. */
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
