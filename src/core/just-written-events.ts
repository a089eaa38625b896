import type { EncodedEvent, RecordedEvent } from './event-store.js';
import type { Stored } from './event.js';
import { freezeJson, NotJson } from './json.js';

/** The parts of an event that decoding its bytes returns. */
export type ReadParts = Pick<Stored, 'data' | 'person' | 'personal' | 'metadata' | 'chain'>;

/**
 * Interval at which the older events are dropped and the newer ones become the older, in milliseconds: personal data
 * must not stay in memory. An event that is not read back is dropped within two intervals.
 */
const AGE_MS = 5_000;
/** If more bytes than this were kept since the older events were last dropped, the next event drops them at once. */
const MAX_BYTES = 2 << 20;

/**
 * Events that this process has just written, until it reads them back: its projector does so within milliseconds, and
 * need not decrypt and parse them. The codec keeps each event as it encodes it and takes it when it decodes the same
 * bytes. Only plain JSON is kept, so decoding the bytes would give the same event.
 */
export class JustWrittenEvents {
  #newer = new Map<string, Written>();
  #older = new Map<string, Written>();
  #bytes = 0;
  #ageing: NodeJS.Timeout | undefined;

  /** Keeps an event until `take`. @param parts are frozen here; an event is not kept if they are not plain JSON */
  keep(bytes: EncodedEvent, parts: ReadParts): void {
    try {
      freezeJson(parts);
    } catch (error) {
      if (error instanceof NotJson) return;
      throw error;
    }
    if (this.#bytes > MAX_BYTES) this.#age();
    this.#newer.set(bytes.id, { bytes, parts });
    this.#bytes += bytes.data.byteLength + bytes.metadata.byteLength;
    this.#ageing ??= setInterval(() => this.#age(), AGE_MS).unref();
  }

  /**
   * Removes an event, and returns its parts.
   * @returns `null`: it was not kept, or was kept with other bytes
   */
  take({ id, type, data, metadata }: RecordedEvent): ReadParts | null {
    const written = this.#newer.get(id) ?? this.#older.get(id);
    if (written === undefined) return null;
    this.#newer.delete(id);
    this.#older.delete(id);
    const { bytes, parts } = written;
    const isSame =
      type === bytes.type &&
      Buffer.compare(data, bytes.data) === 0 &&
      Buffer.compare(metadata, bytes.metadata) === 0;
    return isSame ? parts : null;
  }

  #age(): void {
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#bytes = 0;
    if (this.#older.size > 0) return;
    clearInterval(this.#ageing);
    this.#ageing = undefined;
  }
}

interface Written {
  readonly bytes: EncodedEvent;
  readonly parts: ReadParts;
}
