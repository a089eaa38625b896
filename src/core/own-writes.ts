import type { Stored } from './event.js';
import type { EncodedEvent, RecordedEvent } from './event-store.js';
import { freezeJson, NotJson } from './json.js';
import { asBuffer } from './codec-stored.js';

/** The parts of an event that are read back from its bytes. */
export type ReadParts = Pick<Stored, 'data' | 'person' | 'personal' | 'metadata' | 'chain'>;

/**
 * Milliseconds after which events are let go that were not read back, or after twice as many: personal data must not stay
 * in memory.
 */
const KEPT_MS = 5_000;
/** Of the newer events; as many again of the older ones. */
const MAX_BYTES = 2 << 20;

/**
 * Events that this process has just written, until they are read back: a projector in the same process does so within a
 * moment, and need not decrypt and parse them. They are given only for the same bytes as were written, and are plain JSON,
 * so they are what those bytes would be read as.
 */
export class OwnWrites {
  #newer = new Map<string, Written>();
  #older = new Map<string, Written>();
  #bytes = 0;
  #ageing: NodeJS.Timeout | undefined;

  /** @param parts are frozen; they are not kept if they are not plain JSON */
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
    this.#ageing ??= setInterval(() => this.#age(), KEPT_MS).unref();
  }

  /** Gives an event's parts, once. @returns `null`: they are not kept, or the bytes are others */
  take({ id, type, data, metadata }: RecordedEvent): ReadParts | null {
    const written = this.#newer.get(id) ?? this.#older.get(id);
    if (written === undefined) return null;
    this.#newer.delete(id);
    this.#older.delete(id);
    const { bytes, parts } = written;
    const isSame = type === bytes.type && isEqual(data, bytes.data) && isEqual(metadata, bytes.metadata);
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

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => asBuffer(one).equals(other);
