import type { PersonId, PersonKey } from '../../core/vault/port.js';
import type { Session } from '../../stores/mongodb/session.js';
import { keyChanged, unreadable, type WrappingKey } from '../data-key.js';
import { insertIfAbsent, type Table } from '../driver.js';
import { bytesOf, type Collections, type Tombstones, type WrappedDocument } from './collections.js';
import { MongoTable, WRAPPED } from './tables.js';

/** A person's stored key, wrapped; `erased`: the person has a tombstone; `null`: neither. */
export type StoredKey = Buffer | 'erased' | null;

/**
 * Keys and tombstones, read from MongoDB without a cache. No transaction spans the two, so their order matters: an
 * erasure sets the tombstone before it removes the key, and a tombstone overrules a key.
 */
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

  /** Reads any number of keys in one round trip. The map has an entry for every person. */
  async read(persons: readonly PersonId[]): Promise<ReadonlyMap<PersonId, StoredKey>> {
    const [found, erased] = await Promise.all([
      this.collections.keys.find({ _id: { $in: [...persons] } }).toArray(),
      this.tombstones.among(persons),
    ]);
    const wrapped = new Map<string, Buffer>(found.map(({ _id, wrapped }) => [_id, bytesOf(wrapped)]));
    // For an erasure between the two queries: its tombstone was not found, and its key was already removed.
    const missing = persons.filter((person) => !wrapped.has(person) && !erased.has(person));
    const erasedSince = await this.tombstones.among(missing);
    const of = (person: PersonId): StoredKey =>
      erased.has(person) || erasedSince.has(person) ? 'erased' : (wrapped.get(person) ?? null);
    return new Map(persons.map((person) => [person, of(person)]));
  }

  /** Makes a key if there is neither one nor a tombstone. @returns the stored key, wrapped, or `erased` */
  create(person: PersonId): Promise<Buffer | 'erased'> {
    return this.insert(person, this.wrapping.wrapNew(person));
  }

  /**
   * Stores a wrapped key if there is neither one nor a tombstone.
   * @returns the stored key, or `erased`
   * @throws {StoreUnusable} DATA_KEY was changed meanwhile, so that the key may not be used
   */
  async insert(person: PersonId, wrapped: Buffer): Promise<Buffer | 'erased'> {
    const stored = await insertIfAbsent(this.keys, [person], wrapped);
    // An erasure sets the tombstone before it removes the key. A change of DATA_KEY stores the vault's description
    // before it rewraps keys. So if one of them is under way, either it finds the key that was just inserted, or this
    // check detects it.
    const [isErased] = await Promise.all([this.tombstones.has(person), this.assertCurrent()]);
    if (stored !== null && !isErased) return stored;
    await this.destroy(person);
    return 'erased';
  }

  /** Replaces `stored`, if it is unchanged, by the same key in another wrapping. */
  async replace(person: PersonId, stored: Buffer, wrapped: Buffer): Promise<void> {
    await this.keys.replace([person], stored, wrapped);
  }

  /** Removes the key, if there is one. */
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

  /** @throws {StoreUnusable} DATA_KEY was changed: the value that was just wrapped is wrapped by the former one */
  async assertCurrent(): Promise<void> {
    const description = await this.collections.description.findOne({ _id: 'vault' });
    if (description?.check !== this.wrapping.check) throw keyChanged();
  }
}
