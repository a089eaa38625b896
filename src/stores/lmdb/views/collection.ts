import type { StoreUnusable } from '../../../core/errors.js';
import type { Position } from '../../../core/event-store.js';
import { freshBytes } from '../../../core/random.js';
import { readCursor, writeCursor } from '../../cursor.js';
import { BEHIND, encodeKey, encodePlace, encodeStart, indexKeyOf } from '../../index-key.js';
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
import {
  guardOf,
  holds,
  refusal,
  type Guard,
  assertBatch,
  assertPage,
  type DeclaredIndexes,
  documentText,
  viewOf,
} from '../../rules.js';
import type { Cost } from '../growing-file.js';
import type { DocumentCache, PageCache } from './caches.js';
import {
  encodeRecord,
  entriesUnless,
  lend,
  packEntries,
  readDocument,
  readHead,
  type Lent,
} from './record.js';
import type { Session } from './session.js';

/** A write that was encoded before the transaction. */
interface Prepared {
  readonly key: Buffer;
  readonly id: string;
  readonly guard: Guard;
  /** Its keys in the index table. */
  readonly entries: readonly Buffer[];
  /** The same keys, as in the document's record. */
  readonly packed: Buffer;
  readonly record: Buffer;
}

type StretchOptions = Pick<PageOptions, 'index' | 'prefix' | 'from' | 'upTo' | 'startsWith'>;

const NOTHING = Buffer.alloc(0);
/** Random bytes of a mark: enough that no two marks are equal. */
const MARK_BYTES = 12;
/** Documents that `all` reads in one go, so that no snapshot is open while the caller works. */
const STRIDE = 100;

/** A generation's documents in LMDB. */
export class EmbeddedCollection implements ViewCollection {
  readonly #prefix: Buffer;
  readonly #changeKey: Buffer;
  /** The prefix of each index's keys, in the order of the indexes' names. */
  readonly #indexes: ReadonlyMap<string, Buffer>;

  constructor(
    private readonly session: Session,
    private readonly name: GenerationName,
    private readonly cache: DocumentCache,
    private readonly pages: PageCache,
    private readonly declared: DeclaredIndexes,
  ) {
    this.#prefix = generationPrefix(name);
    this.#changeKey = changeKey(name);
    const indexes = [...declared.keys()].sort();
    this.#indexes = new Map(indexes.map((index) => [index, Buffer.from(`${name}\0${index}\0`)]));
  }

  async get(id: string): Promise<StoredDocument | null> {
    const key = this.#key(id);
    return this.session.read(() => {
      const lent = this.#lend(key);
      return lent && this.#openedHot(key, lent);
    });
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    return this.session.read(() => {
      const found = new Map<string, StoredDocument>();
      for (const id of ids) {
        const document = this.#read(this.#key(id));
        if (document) found.set(id, document);
      }
      return found;
    });
  }

  async heads(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentHead>> {
    return this.session.read(() => {
      const found = new Map<string, DocumentHead>();
      for (const id of ids) {
        const lent = this.#lend(this.#key(id));
        if (!lent) continue;
        const head = readHead(lent);
        if (!head) throw this.#damaged(`document ${id}`);
        found.set(id, { position: head.position as Position, repairs: head.repairs });
      }
      return found;
    });
  }

  async page(options: PageOptions): Promise<Page> {
    const cached = this.pages.get(this.name, options, () =>
      this.session.read(() => readChangeMark(this.session, this.#changeKey)),
    );
    if (cached.page) return cached.page;
    const { index, limit, cursor, reverse = false, startsWith, maxBytes = Infinity } = options;
    assertPage(options, this.declared);
    const scope = {
      ...{ view: viewOf(this.name), index, prefix: encodeKey(options.prefix), startsWith, reverse },
    };
    const stretch = this.#stretch(options);
    const { list } = stretch;
    let { from, highest } = stretch;
    if (cursor !== undefined) {
      const at = Buffer.concat([list, readCursor(scope, cursor)]);
      if (reverse) highest = lower(at, highest);
      else if (Buffer.compare(at, from) > 0) from = at;
    }
    if (Buffer.compare(from, highest) >= 0) return { items: [], next: null };
    const range = reverse ? { start: highest, end: from, reverse } : { start: from, end: highest };
    return this.session.read(() => {
      const found = this.session.tables.entries.getRange({
        ...range,
        exclusiveStart: cursor !== undefined,
        limit: limit + 1,
      });
      const mark = readChangeMark(this.session, this.#changeKey);
      const items: StoredDocument[] = [];
      let bytes = 0;
      let last: Buffer | null = null;
      for (const { key, value: id } of found) {
        const place = Buffer.concat([this.#prefix, id]);
        const lent = this.#lend(place);
        if (!lent) throw this.#damaged(`index ${index} at ${key.toString('hex')}`);
        if (last && (items.length === limit || bytes + lent.size > maxBytes))
          return this.pages.keep(
            cached,
            mark,
            { items, next: writeCursor(scope, last.subarray(list.length)) },
            bytes,
          );
        bytes += lent.size;
        items.push(this.#openedHot(place, lent));
        last = key;
      }
      return this.pages.keep(cached, mark, { items, next: null }, bytes);
    });
  }

  async count(options: CountOptions): Promise<number> {
    assertPage(options, this.declared);
    const { from: start, highest: end } = this.#stretch(options);
    if (Buffer.compare(start, end) >= 0) return 0;
    const { limit } = options;
    return this.session.read(() => Math.min(this.session.tables.entries.getKeysCount({ start, end }), limit));
  }

  /** `list`: the bytes that all keys of the list begin with. `from` and `highest`: the bounds of the requested part. */
  #stretch({
    index,
    prefix,
    from,
    upTo,
    startsWith,
  }: StretchOptions): Readonly<Record<'list' | 'from' | 'highest', Buffer>> {
    const list = Buffer.concat([this.#indexes.get(index) ?? NOTHING, encodeKey(prefix)]);
    const start = startsWith === undefined ? list : Buffer.concat([list, encodeStart(startsWith)]);
    return {
      list,
      from: from === undefined ? start : Buffer.concat([list, encodeKey([from])]),
      highest: Buffer.concat(upTo === undefined ? [start, BEHIND] : [list, encodeKey([upTo]), BEHIND]),
    };
  }

  async apply(batch: readonly GuardedWrite[]): Promise<readonly WriteResult[]> {
    assertBatch(batch, this.declared);
    const prepared = batch.map((guarded) => this.#prepare(guarded));
    if (prepared.length === 0) return [];
    const effect = (): WriteResult[] => {
      const results = prepared.map((write) => this.#write(write));
      if (results.includes('written')) markChanged(this.session, this.#changeKey);
      return results;
    };
    return this.session.write(effect, { cost: costOf(prepared), room: 'free' });
  }

  async *all(): AsyncIterable<StoredDocument> {
    const end = Buffer.concat([this.#prefix, BEHIND]);
    let start = this.#prefix;
    for (let more = true; more;) {
      const range = { start, end, exclusiveStart: start !== this.#prefix, limit: STRIDE };
      const keys = this.session.read(() => [...this.session.tables.documents.getKeys(range)]);
      for (const key of keys) {
        const document = this.session.read(() => this.#read(key));
        if (document) yield document;
        start = key;
      }
      more = keys.length === STRIDE;
    }
  }

  #prepare(guarded: GuardedWrite): Prepared {
    const { document, keys } = guarded;
    const { id, deleted } = document;
    const guard = guardOf(guarded);
    const text = documentText(document);
    const entries = deleted ? [] : this.#entries(id, keys);
    const packed = packEntries(entries);
    return { key: this.#key(id), id, guard, entries, packed, record: encodeRecord(guard, packed, text) };
  }

  #entries(id: string, keys: GuardedWrite['keys']): readonly Buffer[] {
    const entries: Buffer[] = [];
    for (const [index, start] of this.#indexes) {
      const key = indexKeyOf(this.declared.get(index) ?? [], keys);
      if (key !== null) entries.push(encodePlace(start, key, id));
    }
    return entries;
  }

  /** Runs inside the write transaction: compares first, so that nothing fails once it has begun to put. */
  #write({ key, id, guard, entries, packed, record }: Prepared): WriteResult {
    const lent = this.#lend(key);
    const head = lent && readHead(lent);
    if (lent && !head) throw this.#damaged(`document ${id}`);
    if (!holds(guard, head)) return refusal(guard, head);
    const former = lent && head ? entriesUnless(lent, head, packed) : [];
    const { documents, entries: index } = this.session.tables;
    void documents.put(key, record);
    if (former === 'the same') return 'written';
    for (const stale of former) {
      if (!entries.some((kept) => kept.equals(stale))) void index.remove(stale);
    }
    for (const entry of entries) void index.put(entry, key.subarray(this.#prefix.length));
    return 'written';
  }

  #read(key: Buffer): StoredDocument | null {
    const lent = this.#lend(key);
    return lent && this.#opened(lent);
  }

  /** As `#opened`, with the cache: for documents that requests read often. */
  #openedHot(key: Buffer, lent: Lent): StoredDocument {
    const head = readHead(lent);
    if (head === null) return this.#opened(lent, head);
    return this.cache.get(key, head) ?? this.cache.keep(key, head, this.#opened(lent, head), lent.size);
  }

  #opened(lent: Lent, head = readHead(lent)): StoredDocument {
    const document = head && readDocument(lent, head);
    if (!document) throw this.#damaged('a document');
    return document;
  }

  #lend(key: Buffer): Lent | null {
    return lend(this.session.tables.documents, key);
  }

  #damaged(what: string): StoreUnusable {
    return this.session.faults.damaged(`${what} of ${this.name}`);
  }

  #key(id: string): Buffer {
    return encodePlace(this.#prefix, [], id);
  }
}

const lower = (a: Buffer, b: Buffer): Buffer => (Buffer.compare(a, b) < 0 ? a : b);

/** For each document its record, for each index an entry removed and one put, and the change mark. */
const costOf = (prepared: readonly Prepared[]): Cost => {
  let [changes, bytes] = [1, 0];
  for (const { entries, packed, record } of prepared) {
    changes += 1 + 2 * entries.length;
    bytes += packed.length + record.length;
  }
  return { changes, bytes };
};

/** The prefix of a generation's keys: its name, ended by a zero byte, which no name contains. */
export const generationPrefix = (name: string): Buffer => Buffer.from(`${name}\0`);

/** The key of a generation's change mark. */
export const changeKey = (generation: GenerationName): Buffer => Buffer.from(generation);

/** A generation's change mark: while it is the same, no document has changed. Runs inside a read. */
const readChangeMark = ({ tables }: Session, key: Buffer): Buffer => tables.changes.getBinary(key) ?? NOTHING;

/** Replaces a generation's change mark, inside the transaction that changes its documents. */
export const markChanged = ({ tables }: Session, key: Buffer): void => {
  // Random, not counted: a generation with the name of a dropped one must not get a mark that was cached for that one.
  void tables.changes.put(key, freshBytes(MARK_BYTES));
};
