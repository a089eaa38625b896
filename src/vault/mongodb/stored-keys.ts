import DataLoader from 'dataloader';
import { keyChanged, unreadable, type WrappingKey } from '../data-key.js';
import { insertIfAbsent, type Table } from '../driver.js';
import type { Session } from '../../stores/mongodb/session.js';
import { VaultUnavailable } from '../../core/errors.js';
import type { PersonId, PersonKey } from '../../core/vault/port.js';
import { KEPT_MS, type KeyCache } from '../key-cache.js';
import { bytesOf, type Collections, type Tombstones, type WrappedDocument } from './collections.js';
import { MongoTable, WRAPPED } from './tables.js';

/** What is stored about a person's key: as it is wrapped, its tombstone, or nothing. */
export type StoredKey = Buffer | 'erased' | null;

/** Keys and tombstones as MongoDB has them now. Nothing is atomic over the two, so each is looked at in its turn. */
export class StoredKeys {
  private readonly keys: Table<Buffer>;

  constructor(
    session: Session,
    private readonly collections: Collections,
    private readonly tombstones: Tombstones,
    private readonly wrapping: WrappingKey,
  ) {
    this.keys = new MongoTable<Buffer, WrappedDocument>(session, collections.keys, tombstones, WRAPPED);
  }

  /** Asks for any number of keys in the time of one. Every person asked for is in the answer. */
  async read(persons: readonly PersonId[]): Promise<ReadonlyMap<PersonId, StoredKey>> {
    const [found, erased] = await Promise.all([
      this.collections.keys.find({ _id: { $in: [...persons] } }).toArray(),
      this.tombstones.among(persons),
    ]);
    const wrapped = new Map<string, Buffer>(found.map(({ _id, wrapped }) => [_id, bytesOf(wrapped)]));
    // An erasure may have set the tombstone after the one look and removed the key before the other.
    const missing = persons.filter((person) => !wrapped.has(person) && !erased.has(person));
    const erasedSince = await this.tombstones.among(missing);
    const of = (person: PersonId): StoredKey =>
      erased.has(person) || erasedSince.has(person) ? 'erased' : (wrapped.get(person) ?? null);
    return new Map(persons.map((person) => [person, of(person)]));
  }

  /** Makes a key if there is neither one nor a tombstone; returns the stored one. */
  create(person: PersonId): Promise<Buffer | 'erased'> {
    return this.insert(person, this.wrapping.wrapNew(person));
  }

  /**
   * Stores a wrapped key if there is neither one nor a tombstone; returns the stored one.
   * @throws {StoreUnusable} DATA_KEY was changed meanwhile, so that the key may not be used
   */
  async insert(person: PersonId, wrapped: Buffer): Promise<Buffer | 'erased'> {
    const stored = await insertIfAbsent(this.keys, [person], wrapped);
    // An erasure sets the tombstone first, and a change of DATA_KEY the description: either has seen this key or is
    // seen here.
    const [isErased] = await Promise.all([this.tombstones.has(person), this.assertCurrent()]);
    if (stored !== null && !isErased) return stored;
    await this.destroy(person);
    return 'erased';
  }

  async replace(person: PersonId, stored: Buffer, wrapped: Buffer): Promise<void> {
    await this.keys.replace([person], stored, wrapped);
  }

  async destroy(person: PersonId): Promise<void> {
    await this.collections.keys.deleteOne({ _id: person });
  }

  /** @throws {StoreUnusable} DATA_KEY does not open it */
  open(person: PersonId, stored: StoredKey): PersonKey | null {
    if (stored === null) return null;
    if (stored === 'erased') return { kind: 'erased' };
    const key = this.wrapping.unwrap(stored, person);
    if (!key) throw unreadable(`The key of person ${person}`);
    return { kind: 'key', key };
  }

  /** @throws {StoreUnusable} what was just wrapped is not wrapped by the vault's DATA_KEY any more */
  async assertCurrent(): Promise<void> {
    const description = await this.collections.description.findOne({ _id: 'vault' });
    if (description?.check !== this.wrapping.check) throw keyChanged();
  }
}

/** Keys asked for in one query, and queries at once: a key's age counts from when its own query is sent. */
const MAX = 250;
const AT_ONCE = 4;
/** After so long, a key that was asked for is given up. */
const PATIENCE_MS = 3_000;

interface Reading {
  readonly key: PersonKey | null;
  /** The moment before MongoDB was asked. */
  readonly readAt: number;
}

/**
 * Reads keys: those asked for in one turn of the event loop, or while earlier ones are read, in one query; and the
 * same one once at a time.
 */
export class KeyReader {
  private readonly readings = new Map<PersonId, Promise<Reading>>();
  /** Queries that wait until fewer are running; further keys join the last one. */
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private readonly loader = new DataLoader<PersonId, Reading>((persons) => this.read(persons), {
    cache: false,
    maxBatchSize: MAX,
    batchScheduleFn: (send) =>
      void setImmediate(() => {
        this.waiting.push(send);
        this.sendNext();
      }),
  });

  constructor(
    private readonly session: Session,
    private readonly stored: StoredKeys,
    private readonly cache: KeyCache,
  ) {}

  get(person: PersonId): Promise<PersonKey | null> {
    const askedAt = this.cache.clock();
    return this.session.call(async () => {
      do {
        const { key, readAt } = await this.reading(person);
        if (this.isOf(askedAt, key, readAt)) return key;
      } while (this.cache.clock() - askedAt < PATIENCE_MS);
      throw new VaultUnavailable('The vault answers too slowly for its keys to be used: try again.');
    });
  }

  /** A key that may have been erased long ago is not used, and one made before we asked is not missing. */
  private isOf(askedAt: number, key: PersonKey | null, readAt: number): boolean {
    if (key === null) return readAt >= askedAt;
    return key.kind === 'erased' || this.cache.clock() - readAt < KEPT_MS;
  }

  private reading(person: PersonId): Promise<Reading> {
    const running = this.readings.get(person);
    if (running) return running;
    const reading = this.loader.load(person);
    // The caller may have given up by then.
    reading.catch(() => undefined);
    this.readings.set(person, reading);
    return reading;
  }

  private sendNext(): void {
    while (this.running < AT_ONCE && this.waiting.length > 0) {
      this.running++;
      this.waiting.shift()?.();
    }
  }

  private async read(persons: readonly PersonId[]): Promise<readonly (Reading | Error)[]> {
    const readAt = this.cache.clock();
    try {
      const found = await this.session.call(() => this.stored.read(persons));
      return persons.map((person) => this.opened(person, found.get(person) ?? null, readAt));
    } finally {
      for (const person of persons) this.readings.delete(person);
      this.running--;
      this.sendNext();
    }
  }

  private opened(person: PersonId, stored: StoredKey, readAt: number): Reading | Error {
    try {
      const key = this.stored.open(person, stored);
      if (key) this.cache.keep(person, key, readAt);
      return { key, readAt };
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
