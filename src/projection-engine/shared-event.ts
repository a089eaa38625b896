import type { Codec, Decoded } from '../event-store/codec.js';
import type { Position, RecordedEvent } from '../event-store/port.js';
import { settle } from './json.js';

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
    this.position = recorded.position;
    this.storedType = recorded.type;
    this.bytes = recorded.data.byteLength + recorded.metadata.byteLength;
    this.#recorded = recorded;
    this.#decoder = decoder;
  }

  /** False only where it is certain that upcasting makes it none of these types. */
  mayBe(types: ReadonlySet<string>): boolean {
    const latest = this.#decoder.latestTypes?.(this.storedType) ?? null;
    return latest === null || latest.some((type) => types.has(type));
  }

  /** @throws {MissingKey} and whatever else decoding throws; the next call tries again */
  decode(): Promise<Decoded> {
    this.#decoding ??= this.#decode().finally(() => (this.#decoding = null));
    return this.#decoding;
  }

  async #decode(): Promise<Decoded> {
    if (this.decoded !== null || this.#recorded === null) return this.#settled();
    const decoded = await this.#decoder.decode(this.#recorded);
    if (decoded.kind === 'event') settle(decoded.event);
    this.decoded = decoded;
    this.#recorded = null;
    return decoded;
  }

  #settled(): Decoded {
    if (this.decoded === null) throw new Error('The event was let go before it was decoded.');
    return this.decoded;
  }
}
