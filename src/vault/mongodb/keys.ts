import { VaultUnavailable } from '../../core/errors.js';
import { assertPersonId, type PersonId, type PersonKey } from '../../core/vault/port.js';
import type { Session } from '../../stores/mongodb/session.js';
import type { KeyStore, WrappedKey } from '../driver.js';
import { KeyCache } from '../key-cache.js';
import { bytesOf, type Collections, PAGE, pageOf, pages, type Tombstones } from './collections.js';
import { KeyReader } from './key-reader.js';
import type { StoredKeys } from './stored-keys.js';

/** Keys and tombstones as documents, with the steps of an erasure: first the tombstone, which is effective at once. */
export class MongoKeys implements KeyStore {
  private readonly cache = new KeyCache();
  private readonly reader: KeyReader;

  constructor(
    private readonly session: Session,
    private readonly collections: Collections,
    private readonly tombstones: Tombstones,
    private readonly stored: StoredKeys,
  ) {
    this.reader = new KeyReader(session, stored, this.cache);
  }

  async create(person: PersonId): Promise<PersonKey> {
    const readAt = this.cache.clock();
    const key = this.stored.open(person, await this.stored.create(person));
    if (key) this.cache.keep(person, key, readAt);
    // If the store took too long, the cached key has expired: the person may have been erased since, so it is read
    // again.
    const stored = this.cache.get(person) ?? (await this.reader.get(person));
    if (stored) return stored;
    throw new VaultUnavailable(`The key of person ${person} vanished while it was made: try again.`);
  }

  async get(person: PersonId): Promise<PersonKey | null> {
    assertPersonId(person);
    return this.peek(person) ?? this.reader.get(person);
  }

  peek(person: PersonId): PersonKey | undefined {
    return this.cache.get(person);
  }

  async erase(person: PersonId): Promise<void> {
    await this.tombstones.set(person);
    this.cache.keep(person, { kind: 'erased' }, this.cache.clock());
    await this.finishErasure(person);
  }

  /** Completes interrupted erasures of any process. */
  async finishErasures(): Promise<void> {
    const persons = await this.session.call(() => this.tombstones.pending());
    for (const person of persons) await this.session.call(() => this.finishErasure(person));
  }

  async sweep(after: string | null): Promise<string | null> {
    const { erased } = this.collections;
    const page = await this.session.call(() => pageOf(erased, after ?? undefined));
    if (page.length > 0) await this.session.longCall(() => this.remove(page.map(({ _id }) => _id)));
    return page.length < PAGE ? null : (page.at(-1)?._id ?? null);
  }

  isErasureComplete(person: PersonId): Promise<boolean> {
    return this.tombstones.isComplete(person);
  }

  erasedAmong(persons: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
    return this.tombstones.among(persons);
  }

  async *erased(): AsyncGenerator<PersonId, void, undefined> {
    for await (const page of pages(this.session, this.collections.erased))
      for (const { _id } of page) yield _id;
  }

  async *scan(): AsyncGenerator<WrappedKey, void, undefined> {
    for await (const page of pages(this.session, this.collections.keys)) {
      const found = page.map(({ _id, wrapped }) => ({ person: _id as PersonId, wrapped: bytesOf(wrapped) }));
      const erased = await this.session.call(() => this.tombstones.among(found.map(({ person }) => person)));
      for (const key of found) {
        if (erased.has(key.person)) continue;
        this.stored.open(key.person, key.wrapped);
        yield key;
      }
    }
  }

  async insertIfAbsent(person: PersonId, wrapped: Buffer): Promise<Buffer | null> {
    const stored = (await this.tombstones.has(person)) ? 'erased' : await this.stored.insert(person, wrapped);
    if (stored !== 'erased') return stored;
    await this.stored.destroy(person);
    return null;
  }

  replace(person: PersonId, stored: Buffer, wrapped: Buffer): Promise<void> {
    return this.stored.replace(person, stored, wrapped);
  }

  forgetAll(): void {
    this.cache.clear();
  }

  private async finishErasure(person: PersonId): Promise<void> {
    await this.remove([person]);
    await this.tombstones.complete(person);
  }

  private async remove(persons: readonly PersonId[]): Promise<void> {
    const { keys, identities, carriers, audio, files } = this.collections;
    const among = { $in: [...persons] };
    await Promise.all([
      keys.deleteMany({ _id: among }),
      identities.deleteMany({ person: among }),
      carriers.deleteMany({ person: among }),
      audio.deleteMany({ person: among }),
      files.deleteMany({ person: among }),
    ]);
  }
}
