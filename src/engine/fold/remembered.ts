import { LRUCache } from 'lru-cache';
import { mostJsonBytes } from '../../core/json.js';
import type { GuardedWrite, StoredDocument, ViewCollection, WriteResult } from '../../stores/read-store.js';

/** Enough for the documents that one segment changes again and again. */
const DOCUMENTS = 256;
/** Of all of them together. Each counts as the most that its body can take as JSON. */
const BYTES = 4 * 1024 * 1024;

/**
 * A segment's documents, the last ones written kept in memory: what is written next is guarded by the position that was
 * read, so a document that another process has changed since is refused as one from a stale replica is.
 */
export class RememberedDocuments implements Pick<ViewCollection, 'get' | 'getMany' | 'apply'> {
  readonly #written = new LRUCache<string, StoredDocument>({
    max: DOCUMENTS,
    maxSize: BYTES,
    sizeCalculation: ({ body }) => mostJsonBytes(body),
  });

  constructor(private readonly collection: Pick<ViewCollection, 'get' | 'getMany' | 'apply'>) {}

  /** After a failure, a refused write or a lost lease. */
  forget(): void {
    this.#written.clear();
  }

  async get(id: string): Promise<StoredDocument | null> {
    return this.#written.get(id) ?? (await this.collection.get(id));
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    const known = ids.flatMap((id) => {
      const document = this.#written.get(id);
      return document === undefined ? [] : [[id, document] as const];
    });
    if (known.length === 0) return this.collection.getMany(ids);
    const found = new Map(known);
    const others = ids.filter((id) => !found.has(id));
    if (others.length > 0)
      for (const [id, document] of await this.collection.getMany(others)) found.set(id, document);
    return found;
  }

  async apply(batch: readonly GuardedWrite[]): Promise<readonly WriteResult[]> {
    const results = await this.collection.apply(batch);
    for (const [n, { document }] of batch.entries()) {
      if (results[n] === 'written') this.#written.set(document.id, document);
      else this.#written.delete(document.id);
    }
    return results;
  }
}
