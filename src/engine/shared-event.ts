import type { Codec, Decoded } from '../core/codec.js';
import type { Position, RecordedEvent } from '../core/event-store.js';
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
  readonly id: string;
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

  /**
   * Without a promise where the decoder needs none. What fails is tried again by the next call.
   * @throws {MissingKey} and whatever else decoding throws, at once or by the promise
   */
  decode(): Decoded | Promise<Decoded> {
    if (this.decoded !== null) return this.decoded;
    if (this.#decoding !== null) return this.#decoding;
    const decoded = this.#decoder.decode(this.#stillThere());
    if (!(decoded instanceof Promise)) return this.#keep(decoded);
    this.#decoding = decoded.then((late) => this.#keep(late)).finally(() => (this.#decoding = null));
    return this.#decoding;
  }

  #keep(decoded: Decoded): Decoded {
    if (decoded.kind === 'event' && !Object.isFrozen(decoded.event)) settle(decoded.event);
    this.decoded = decoded;
    this.#recorded = null;
    return decoded;
  }

  #stillThere(): RecordedEvent {
    if (this.#recorded === null) throw new Error('The event was let go before it was decoded.');
    return this.#recorded;
  }
}
