import { type PersonId, type PersonKey, VaultUnavailable } from '../../core/vault/port.js';
import type { KeyStore, WrappedKey } from '../driver.js';
import { KeyCache } from '../key-cache.js';
import type { AudioEntries } from './audio-entries.js';
import type { Environment } from './environment.js';
import { ErasureMarks } from './erasure-marks.js';
import type { KeyFiles } from './key-files.js';

/** Keys and tombstones as files, with the steps of an erasure. Each step is repeated if a crash has cut it off. */
export class EmbeddedKeys implements KeyStore {
  private readonly cache = new KeyCache();
  private readonly marks: ErasureMarks;

  constructor(
    private readonly environment: Environment,
    private readonly files: KeyFiles,
    private readonly chunks: AudioEntries,
  ) {
    this.marks = new ErasureMarks(environment);
  }

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
    await this.marks.begin(person);
    await this.finishErasure(person);
  }

  /** Completes erasures that a crash has cut off. */
  async finishErasures(): Promise<void> {
    for (const person of this.marks.unfinished()) await this.finishErasure(person);
  }

  async isErasureComplete(person: PersonId): Promise<boolean> {
    return this.files.isErased(person) && this.marks.isErased(person) && !this.marks.isBeingErased(person);
  }

  async erasedAmong(persons: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
    return new Set(persons.filter((person) => this.isErased(person)));
  }

  /** Only the persons' ids are in memory at once: their files lie by hash, and a folder has no order. */
  async *erased(): AsyncGenerator<PersonId, void, undefined> {
    yield* [...new Set([...this.files.tombstones(), ...this.marks.erased()])].sort();
  }

  async *scan(): AsyncGenerator<WrappedKey, void, undefined> {
    for (const person of [...this.files.persons()].sort()) {
      const wrapped = this.isErased(person) ? null : this.files.wrapped(person);
      if (wrapped !== null && wrapped !== 'erased') yield { person, wrapped };
    }
  }

  async insertIfAbsent(person: PersonId, wrapped: Buffer): Promise<Buffer | null> {
    if (this.marks.isErased(person)) return null;
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

  private async finishErasure(person: PersonId): Promise<void> {
    await this.files.entomb(person);
    this.cache.forget(person);
    await this.files.destroy(person);
    this.cache.forget(person);
    await this.chunks.erase(person);
    await this.marks.end(person);
  }

  private isErased(person: PersonId): boolean {
    return this.files.isErased(person) || this.marks.isErased(person);
  }

  private load(person: PersonId): PersonKey | null {
    return this.cache.load(person, () => this.files.read(person));
  }
}
