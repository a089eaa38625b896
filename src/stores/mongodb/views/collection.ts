import type { Collection, Db } from 'mongodb';
import { SharedReads } from '../../../core/concurrency.js';
import { readCursor, writeCursor } from '../../cursor.js';
import { encodeKey, encodeStart } from '../../index-key.js';
import type {
  CountOptions,
  DocumentHead,
  GenerationName,
  GuardedWrite,
  Page,
  PageOptions,
  StoredDocument,
  ViewCollection,
  WriteResult,
} from '../../read-store.js';
import { assertBatch, assertPage, type DeclaredIndexes, viewOf } from '../../rules.js';
import type { Session } from '../session.js';
import { bytesOf } from './body.js';
import type { Generations } from './generations.js';
import { writeGuarded } from './guarded-writes.js';
import { Range } from './listing.js';
import { documentOf, headOf, prepare, type Prepared, type StoredRecord } from './record.js';
import { keyOf } from './text-key.js';

/** Writes that are sent at once. */
const MAX_WRITES = 1_000;
/** Characters that are sent at once: at three bytes each well below the 48 MB of a message. */
const MAX_SIZE = 4 * 1024 * 1024;
/** Documents that `all` and `getMany` read in one command. */
const STRIDE = 500;
/** Documents that a page with `maxBytes` fetches at once: a little more than the default length of a list. */
const AT_ONCE = 52;

/** A generation's documents in MongoDB. */
export class MongoCollection implements ViewCollection {
  readonly #pages = new SharedReads<Page>();

  constructor(
    private readonly session: Session,
    private readonly generations: Generations,
    private readonly name: GenerationName,
    private readonly indexes: DeclaredIndexes,
  ) {}

  async get(id: string): Promise<StoredDocument | null> {
    if (!isId(id)) return null;
    const record = await this.session.call((db) => this.#records(db).findOne({ _id: keyOf(id) }));
    return record && documentOf(record);
  }

  getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    return this.#many(ids, {}, documentOf);
  }

  heads(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentHead>> {
    return this.#many(ids, { position: 1, repairs: 1 }, headOf);
  }

  /** Calls for the same page at the same time share one read and its result: callers must not change it. */
  page(options: PageOptions): Promise<Page> {
    return this.#pages.read(JSON.stringify(options), () => this.#page(options));
  }

  async #page(options: PageOptions): Promise<Page> {
    const { index, prefix, limit, cursor, reverse = false, startsWith, maxBytes = Infinity } = options;
    assertPage(options, this.indexes);
    // Only to throw for a text of more than 255 bytes, as every adapter does.
    if (startsWith !== undefined) encodeStart(startsWith);
    const scope = { view: viewOf(this.name), index, prefix: encodeKey(prefix), startsWith, reverse };
    const range = new Range(this.indexes.get(index) ?? [], options);
    const within = range.filter(cursor === undefined ? null : range.readPlace(readCursor(scope, cursor)));
    // One more than the query's `limit`, so that the first batch closes the server's cursor.
    const batchSize = Math.min(limit + 2, maxBytes === Infinity ? Infinity : AT_ONCE);
    return this.session.longCall(async (db) => {
      const found = this.#records(db).find(within, {
        sort: range.sort,
        limit: limit + 1,
        batchSize,
      });
      const items: StoredDocument[] = [];
      let bytes = 0;
      let last: StoredRecord | undefined;
      for await (const record of found) {
        if (maxBytes !== Infinity) bytes += bytesOf(record.body);
        if (last !== undefined && (items.length === limit || bytes > maxBytes))
          return { items, next: writeCursor(scope, Buffer.from(JSON.stringify(range.placeOf(last)))) };
        items.push(documentOf(record));
        last = record;
      }
      return { items, next: null };
    });
  }

  async count(options: CountOptions): Promise<number> {
    assertPage(options, this.indexes);
    const range = new Range(this.indexes.get(options.index) ?? [], options);
    const { limit } = options;
    return this.session.longCall((db) => this.#records(db).countDocuments(range.filter(null), { limit }));
  }

  async prepare(): Promise<void> {
    await this.session.longCall((db) => this.generations.createIndexes(db, this.name, this.indexes));
  }

  async apply(batch: readonly GuardedWrite[]): Promise<readonly WriteResult[]> {
    assertBatch(batch, this.indexes);
    const results: WriteResult[] = [];
    for (const writes of sendable(batch.map(prepare))) {
      const partResults = await this.session.longCall(async (db) => {
        await this.generations.createIndexes(db, this.name, this.indexes);
        return writeGuarded(this.#records(db), writes);
      });
      results.push(...partResults);
    }
    return results;
  }

  async *all(): AsyncIterable<StoredDocument> {
    for (let last = ''; ;) {
      const after = last;
      // One batch, which the server ends at 16 MiB: no cursor stays open while the caller works.
      const records = await this.session.longCall((db) =>
        this.#records(db)
          .find(
            { _id: { $gt: after } },
            { sort: { _id: 1 }, limit: STRIDE, batchSize: STRIDE, singleBatch: true },
          )
          .toArray(),
      );
      if (records.length === 0) return;
      for (const record of records) {
        yield documentOf(record);
        last = record._id;
      }
    }
  }

  async #many<T>(
    ids: readonly string[],
    projection: Readonly<Partial<Record<keyof StoredRecord, 1>>>,
    read: (record: StoredRecord) => T,
  ): Promise<ReadonlyMap<string, T>> {
    const found = new Map<string, T>();
    const keys = ids.filter(isId).map(keyOf);
    // All parts have one deadline together, that of a page: a request may wait for them.
    await this.session.longCall(async (db) => {
      for (const some of inParts(keys, STRIDE)) {
        const records = await this.#records(db)
          .find({ _id: { $in: some } }, { projection, batchSize: STRIDE + 1 })
          .toArray();
        for (const record of records) found.set(record._id, read(record));
      }
    });
    const entries = ids.flatMap((id) => {
      const one = isId(id) ? found.get(keyOf(id)) : undefined;
      return one === undefined ? [] : [[id, one] as const];
    });
    return new Map(entries);
  }

  #records(db: Db): Collection<StoredRecord> {
    return this.generations.records(db, this.name);
  }
}

/**
 * Whether a document can have the id. An id with half a surrogate pair would otherwise find the document whose id has
 * the replacement character.
 */
const isId = (id: string): boolean => id !== '' && id.isWellFormed();

function* inParts<T>(items: readonly T[], size: number): Iterable<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The writes in their order, in parts of the size of one command. */
function* sendable(writes: readonly Prepared[]): Iterable<Prepared[]> {
  let part: Prepared[] = [];
  let size = 0;
  for (const write of writes) {
    if (part.length === MAX_WRITES || (part.length > 0 && size + write.size > MAX_SIZE)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(write);
    size += write.size;
  }
  if (part.length > 0) yield part;
}
