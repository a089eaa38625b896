import { LRUCache } from 'lru-cache';
import { type BatchHeader, RECORD_OVERHEAD } from './batch-bytes.js';
import { type Batch, DELETED, type Entry, type Stream, TOMBSTONE } from './entry.js';

/** The number of recent ids with which an append without an exact expectation is compared. */
const RECENT_IDS = 100_000;

/** The place of every record of the log. It is kept in memory and built at each start. */
export class LogIndex {
  /** In log order. */
  readonly entries: Entry[] = [];
  readonly #streams = new Map<string, Stream>();
  readonly #recent = new LRUCache<string, Entry>({ max: RECENT_IDS });
  /** The position of the next record. A log begins with bytes that are no event. */
  end = 101;

  stream(name: string): Stream | undefined {
    return this.#streams.get(name);
  }

  /** The stream for a write. An unknown one is created, and counts as absent while it has no entry. */
  open(name: string): Stream {
    let stream = this.#streams.get(name);
    if (!stream) {
      stream = { name, entries: [], truncateBefore: 0, maxCount: DELETED, tombstoned: false };
      this.#streams.set(name, stream);
    }
    return stream;
  }

  recent(id: string): Entry | undefined {
    return this.#recent.get(id);
  }

  /** Adds a batch. @returns its last entry */
  add(header: BatchHeader, batch: Batch, offset: number): Entry {
    const stream = this.open(header.stream);
    let entry: Entry | undefined;
    let position = header.position;
    let revision = BigInt(header.revision);
    for (const { id, type, length } of header.events) {
      entry = { ordinal: this.entries.length, position, stream, revision, id, type, batch, offset, length };
      this.entries.push(entry);
      this.#recent.set(id, entry);
      if (revision === TOMBSTONE) stream.tombstoned = true;
      else stream.entries.push(entry);
      revision++;
      offset += length;
      position += length + RECORD_OVERHEAD;
    }
    this.end = position;
    if (!entry) throw new Error('a batch holds at least one event');
    return entry;
  }

  /** Applies the settings of the stream `name` in an event of `$$name`. */
  describe(metastream: string, metadata: Uint8Array): void {
    const stream = this.open(metastream.slice(2));
    const { $tb, $maxCount } = parse(metadata);
    stream.truncateBefore = typeof $tb === 'number' ? Math.min($tb, DELETED) : 0;
    stream.maxCount = typeof $maxCount === 'number' ? $maxCount : DELETED;
  }

  /** The ordinal of the first entry at a position or after it. */
  atOrAfter(position: number): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.entries[middle]!.position < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function parse(json: Uint8Array): { $tb?: unknown; $maxCount?: unknown } {
  try {
    return (JSON.parse(Buffer.from(json).toString()) ?? {}) as object;
  } catch {
    return {};
  }
}
