import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../../core/event-store.js';
import type { VaultEntry } from '../../vault/archive.js';

/** Revision u64, then the lengths of stream, id, type, data and metadata, u32 each, big-endian. */
const HEADER_BYTES = 28;

/**
 * SHA-256 over all events of a log, in its order: for each the header above, then stream, id, type, data and metadata.
 * Positions and times that a store assigns are left out, so that logs of two stores can be compared.
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

  /** In hex. */
  sha256(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** Whether both are the same event, from any store. */
export const isSameEvent = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.stream === other.stream &&
  one.revision === other.revision &&
  one.id === other.id &&
  one.type === other.type &&
  Buffer.compare(one.data, other.data) === 0 &&
  Buffer.compare(one.metadata, other.metadata) === 0;

/** The parts of an entry that are compared. */
const partsOf = (entry: VaultEntry): readonly (string | Buffer)[] => {
  switch (entry.kind) {
    case 'key':
      return [entry.person, entry.wrapped];
    case 'erased':
      return [entry.person];
    case 'identity':
    case 'claim':
      return [entry.hash, entry.person];
    case 'carrier':
      return [entry.hash, entry.person.person, entry.person.kind, entry.person.organisationId];
    case 'secret':
      return [entry.name, entry.wrapped];
    case 'read': {
      const { evaluationId, at, id, organisationId, actor } = entry.entry;
      return [evaluationId, at, id, organisationId, actor.type, actor.id];
    }
    case 'audio_end':
      return [entry.person, entry.log, String(entry.lastSeq)];
    case 'audio':
    case 'file':
      return [
        entry.person,
        entry.log,
        ...[entry.part, entry.firstSeq, entry.lastSeq].map(String),
        entry.sealed,
      ];
  }
};

/** SHA-256 of one entry, in base64: its kind and parts, each after its length (u32, big-endian). */
export const entryDigest = (entry: VaultEntry): string => {
  const hash = createHash('sha256');
  for (const part of [entry.kind, ...partsOf(entry)].map((one) => Buffer.from(one as string))) {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(part.byteLength);
    hash.update(length).update(part);
  }
  return hash.digest('base64');
};

/** SHA-256, in base64, over the digests of the chunks of a turn or a file in their order. */
export class ChunksDigest {
  readonly #hash = createHash('sha256');

  add(digest: string): void {
    this.#hash.update(digest);
  }

  value(): string {
    return this.#hash.digest('base64');
  }
}

/** SHA-256, in hex, over the sorted digests of a vault's entries: adapters list entries in different orders. */
export const vaultDigest = (digests: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const digest of [...digests].sort()) hash.update(digest);
  return hash.digest('hex');
};
