import { randomBytes } from 'node:crypto';
import { keyChanged, unreadable } from '../data-key.js';
import { insertIfAbsent, type Table } from '../driver.js';
import type { PersonId, PersonKey } from '../../core/vault/port.js';
import type { WrappingKey } from '../wrapping.js';
import { bytesOf, type Collections, type KeyDocument } from './collections.js';
import type { Calls } from './calls.js';
import { MongoTable, WRAPPED } from './tables.js';
import type { Tombstones } from './tombstones.js';

const KEY_BYTES = 32;

/** What is stored about a person's key: as it is wrapped, its tombstone, or nothing. */
export type StoredKey = Buffer | 'erased' | null;

/** Keys and tombstones as MongoDB has them now. Nothing is atomic over the two, so each is looked at in its turn. */
export class StoredKeys {
  private readonly keys: Table<Buffer>;

  constructor(
    calls: Calls,
    private readonly collections: Collections,
    private readonly tombstones: Tombstones,
    private readonly wrapping: WrappingKey,
  ) {
    this.keys = new MongoTable<Buffer, KeyDocument>(calls, collections.keys, tombstones, WRAPPED);
  }

  /** Asks for any number of keys in the time of one. Every person asked for is in the answer. */
  async read(persons: readonly PersonId[]): Promise<ReadonlyMap<PersonId, StoredKey>> {
    const [found, erased] = await Promise.all([
      this.collections.keys.find({ _id: { $in: [...persons] } }).toArray(),
      this.tombstones.among(persons),
    ]);
    const wrapped = new Map(found.map((document) => [document._id, bytesOf(document.wrapped)]));
    // An erasure may have set the tombstone after the one look and removed the key before the other.
    const missing = persons.filter((person) => !wrapped.has(person) && !erased.has(person));
    const erasedSince = await this.tombstones.among(missing);
    const of = (person: PersonId): StoredKey =>
      erased.has(person) || erasedSince.has(person) ? 'erased' : (wrapped.get(person) ?? null);
    return new Map(persons.map((person) => [person, of(person)]));
  }

  /** Makes a key if there is neither one nor a tombstone; returns the stored one. */
  create(person: PersonId): Promise<Buffer | 'erased'> {
    return this.insert(person, this.wrapping.wrap(randomBytes(KEY_BYTES), person));
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
