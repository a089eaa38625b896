import { VaultUnavailable } from '../../core/errors.js';
import type { PersonId, PersonKey } from '../../core/vault/port.js';
import type { KeyStore, WrappedKey } from '../driver.js';
import { KeyCache } from '../key-cache.js';
import type { Environment } from './environment.js';
import type { Erasures } from './erasures.js';
import type { KeyFiles } from './key-files.js';

/** Keys and tombstones as files. */
export class EmbeddedKeys implements KeyStore {
  private readonly cache = new KeyCache();
  constructor(
    private readonly environment: Environment,
    private readonly files: KeyFiles,
    private readonly erasures: Erasures,
  ) {}

  async create(person: PersonId): Promise<PersonKey> {
    await this.files.create(person);
    const key = this.load(person);
    if (key) return key;
    throw new VaultUnavailable(`The key of person ${person} vanished while it was made: try again.`);
  }

  async get(person: PersonId): Promise<PersonKey | null> {
    return this.peek(person);
  }

  peek(person: PersonId): PersonKey | null {
    return this.cache.get(person) ?? this.load(person);
  }

  async erase(person: PersonId): Promise<void> {
    await this.erasures.erase(person, () => this.cache.forget(person));
  }

  async isErasureComplete(person: PersonId): Promise<boolean> {
    return this.erasures.isComplete(person);
  }

  async erasedAmong(persons: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
    return new Set(persons.filter((person) => this.erasures.isErased(person)));
  }

  /** Only the persons' ids are in memory at once: their files lie by hash, and a folder has no order. */
  async *erased(): AsyncGenerator<PersonId, void, undefined> {
    yield* [...this.erasures.persons()].sort();
  }

  async *scan(): AsyncGenerator<WrappedKey, void, undefined> {
    for (const person of [...this.files.persons()].sort()) {
      const wrapped = this.erasures.isErased(person) ? null : this.files.wrapped(person);
      if (wrapped !== null && wrapped !== 'erased') yield { person, wrapped };
    }
  }

  async insertIfAbsent(person: PersonId, wrapped: Buffer): Promise<Buffer | null> {
    if (this.erasures.hasBegun(person)) return null;
    await this.files.insert(person, () => wrapped);
    const stored = this.files.wrapped(person);
    return stored === 'erased' ? null : stored;
  }

  async replace(person: PersonId, _stored: Buffer, wrapped: Buffer): Promise<void> {
    // Under the write lock of the environment, since the file's two slots are written one after the other.
    await this.environment.transact(() => this.files.replace(person, wrapped));
  }

  forgetAll(): void {
    this.cache.clear();
  }

  private load(person: PersonId): PersonKey | null {
    return this.cache.load(person, () => this.files.read(person));
  }
}
