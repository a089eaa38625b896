import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../../core/event-store.js';

/** Revision u64, then the lengths of stream, id, type, data and metadata, u32 each, big-endian. */
const HEADER_BYTES = 28;

/**
 * SHA-256 over every event of a log, in its order: for each the header above, then stream, id, type, data and
 * metadata. It holds nothing that a store makes up itself (positions, times), so two stores' logs can be compared.
 */
export class LogDigest {
  events = 0;
  readonly #hash = createHash('sha256');

  add({ stream, revision, id, type, data, metadata }: RecordedEvent): void {
    const texts = [stream, id, type].map((text) => Buffer.from(text));
    const header = Buffer.allocUnsafe(HEADER_BYTES);
    header.writeBigUInt64BE(BigInt(revision), 0);
    [...texts, data, metadata].forEach((part, index) => header.writeUInt32BE(part.byteLength, 8 + 4 * index));
    this.#hash
      .update(Buffer.concat([header, ...texts]))
      .update(data)
      .update(metadata);
    this.events++;
  }

  /** Of what was added so far, in hex. */
  sha256(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** Whether both are one event, in whichever stores they were read. */
export const isSameEvent = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.stream === other.stream &&
  one.revision === other.revision &&
  one.id === other.id &&
  one.type === other.type &&
  Buffer.compare(one.data, other.data) === 0 &&
  Buffer.compare(one.metadata, other.metadata) === 0;
