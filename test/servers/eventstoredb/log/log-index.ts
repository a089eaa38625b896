import { LRUCache } from 'lru-cache';
import { type BatchHeader, RECORD_OVERHEAD } from './batch-bytes.js';
import { type Batch, DELETED, type Entry, type Stream, TOMBSTONE } from './entry.js';

/** How many ids a writer without an exact expectation is compared with. */
const RECENT_IDS = 100_000;

/** Where every record of the log stands, kept in memory and made anew at each start. */
export class LogIndex {
  /** In log order. */
  readonly entries: Entry[] = [];
  readonly #streams = new Map<string, Stream>();
  readonly #recent = new LRUCache<string, Entry>({ max: RECENT_IDS });
  /** Where the next record will stand. What the server begins a log with is no event. */
  end = 101;

  stream(name: string): Stream | undefined {
    return this.#streams.get(name);
  }

  /** A stream to be written to; an unknown one is made, and counts as absent while it has no entry. */
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

  /** Takes a batch into account; its last entry. */
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

  /** What the last event of `$$name` says of the stream `name`. */
  describe(metastream: string, metadata: Uint8Array): void {
    const stream = this.open(metastream.slice(2));
    const { $tb, $maxCount } = parse(metadata);
    stream.truncateBefore = typeof $tb === 'number' ? Math.min($tb, DELETED) : 0;
    stream.maxCount = typeof $maxCount === 'number' ? $maxCount : DELETED;
  }

  /** Ordinal of the first entry that stands at a position or after it. */
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
