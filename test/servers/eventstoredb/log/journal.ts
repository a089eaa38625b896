import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import type { EncodedEvent, RecordedEvent, StreamName } from '../../../../src/core/event-store.js';
import type { EmbeddedEventStore } from '../../../../src/stores/lmdb/log/log.js';
import type { Batch } from './entry.js';

/** The stream of the embedded log with all batches, in the order in which they were accepted. */
const STREAM = 'journal-0' as StreamName;
/** An append to the embedded log is limited to 1 MiB: a batch with its names and lengths may be larger. */
const PART_BYTES = 512 * 1024;
const CACHE_BYTES = 64 * 1024 * 1024;
/** Number of batches that are read ahead of the requested one. */
const READ_AHEAD = 256;
const READ_AHEAD_BYTES = 8 * 1024 * 1024;

export type Order = 'forward' | 'backward' | 'any';
const NOTHING = new Uint8Array();

/**
 * Batches of bytes on disk, each stored completely or not at all. Only this process writes them. A batch without its
 * last part was cut off by a kill and never acknowledged: it is skipped.
 */
export class Journal {
  readonly #cache = new LRUCache<number, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (b) => b.length + 1,
  });
  #parts = 0;

  constructor(private readonly log: EmbeddedEventStore) {}

  /** Every complete batch, in order. Must be read to its end once before the first write. */
  async *load(): AsyncGenerator<{ batch: Batch; bytes: Buffer }> {
    yield* this.#batches(0, Infinity, (parts) => (this.#parts = parts));
  }

  /** Writes a batch. Batches are stored in the order of the calls. */
  write(bytes: Buffer): { readonly batch: Batch; readonly durable: Promise<void> } {
    const parts: EncodedEvent[] = [];
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      const first = at === 0 ? 'first' : '';
      const type = `${first}${at + PART_BYTES < bytes.length ? '' : 'last'}` || 'middle';
      parts.push({ id: randomUUID(), type, data: bytes.subarray(at, at + PART_BYTES), metadata: NOTHING });
    }
    const batch = { first: this.#parts, parts: parts.length };
    const durable = Promise.all(parts.map((part) => this.#append(part)));
    this.#cache.set(batch.first, bytes);
    return { batch, durable: durable.then(() => undefined) };
  }

  /** A batch, if it was used lately; synchronous. */
  cached(batch: Batch): Buffer | undefined {
    return this.#cache.get(batch.first);
  }

  /** @param order the caller's order: if it is the stored order, several batches are read at once */
  async read({ first, parts }: Batch, order: Order): Promise<Buffer> {
    const from = order === 'backward' ? Math.max(0, first + parts - READ_AHEAD) : first;
    const limit = order === 'backward' ? first + parts - from : order === 'forward' ? READ_AHEAD : parts;
    let found: Buffer | undefined;
    let size = 0;
    for await (const ahead of this.#batches(from, Math.max(limit, parts))) {
      if (ahead.batch.first === first) found = ahead.bytes;
      this.#cache.set(ahead.batch.first, ahead.bytes);
      if (order === 'forward' && (size += ahead.bytes.length) > READ_AHEAD_BYTES) break;
    }
    if (!found) throw new Error(`batch ${first} of the journal is missing`);
    return found;
  }

  async #append(part: EncodedEvent): Promise<void> {
    const revision = this.#parts++;
    const outcome = await this.log.append(STREAM, revision === 0 ? 'no-stream' : revision - 1, [part]);
    if (outcome.kind === 'conflict') throw new Error('another process writes to this journal');
  }

  async *#batches(
    from: number,
    limit: number,
    passed: (parts: number) => void = () => undefined,
  ): AsyncGenerator<{ batch: Batch; bytes: Buffer }> {
    let parts: RecordedEvent[] = [];
    for await (const part of this.log.readStream(STREAM, { from, limit })) {
      passed(part.revision + 1);
      if (part.type.startsWith('first')) parts = [];
      else if (parts.length === 0) continue;
      parts.push(part);
      if (!part.type.endsWith('last')) continue;
      yield { batch: { first: parts[0]!.revision, parts: parts.length }, bytes: join(parts) };
      parts = [];
    }
  }
}

const join = (parts: readonly RecordedEvent[]): Buffer => {
  const [{ data }] = parts as [RecordedEvent];
  if (parts.length > 1) return Buffer.concat(parts.map((part) => part.data));
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
};
