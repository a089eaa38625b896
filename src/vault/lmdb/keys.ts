import { VaultUnavailable } from '../../core/errors.js';
import type { PersonId, PersonKey } from '../../core/vault/port.js';
import type { KeyStore, WrappedKey } from '../driver.js';
import { KeyCache } from '../key-cache.js';
import type { ChunkErasures } from './chunk-entries.js';
import { type Environment, FROM_RESERVE } from './environment.js';
import type { KeyFiles } from './key-files.js';

/** Marks of erasures in the environment: `erased <person>` for good, `erasing <person>` until one is complete. */
export class ErasureMarks {
  constructor(private readonly environment: Environment) {}

  /** Whether the erasure has begun. */
  isErased(person: PersonId): boolean {
    return this.environment.get(['erased', person]) !== undefined;
  }

  /** Whether the erasure has begun but is not complete. */
  isBeingErased(person: PersonId): boolean {
    return this.environment.get(['erasing', person]) !== undefined;
  }

  /** Every person whose erasure has begun. */
  erased(): Iterable<PersonId> {
    return this.persons('erased');
  }

  /** Erasures that are not complete: under way, or interrupted by a crash. */
  unfinished(): readonly PersonId[] {
    return [...this.persons('erasing')];
  }

  /**
   * Removes the person's entries and refuses new ones from now on. Their buckets are sealed by new keys. Former copies
   * of the buckets remain in the vault's files, and are readable until `end` destroys the former keys.
   */
  async begin(person: PersonId): Promise<void> {
    await this.environment.transact(
      ({ keys, put, remove }) => {
        // `person <person> <key…>` lists each entry of the person.
        for (const listing of keys(['person', person])) {
          const [, , ...entry] = listing;
          remove(listing);
          remove(entry);
        }
        put(['erased', person], true);
        put(['erasing', person], person);
      },
      { ...FROM_RESERVE, renews: true },
    );
  }

  /** Completes the erasure: from here on no file contains data that leads from an address to the person. */
  async end(person: PersonId): Promise<void> {
    await this.environment.transact(({ remove, destroyFormerKeys }) => {
      destroyFormerKeys();
      remove(['erasing', person]);
    }, FROM_RESERVE);
  }

  private *persons(kind: 'erased' | 'erasing'): Iterable<PersonId> {
    for (const { key } of this.environment.walk([kind])) yield key[1] as PersonId;
  }
}

/**
 * Keys and tombstones as files, with the steps of an erasure. A step that is done is skipped, so that an interrupted
 * erasure can be completed.
 */
export class EmbeddedKeys implements KeyStore {
  private readonly cache = new KeyCache();
  private readonly marks: ErasureMarks;

  constructor(
    private readonly environment: Environment,
    private readonly files: KeyFiles,
    private readonly chunks: ChunkErasures,
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
    if (!this.marks.isErased(person)) await this.marks.begin(person);
    if (!this.files.isErased(person)) await this.files.makeTombstone(person);
    this.cache.forget(person);
    await this.files.destroy(person);
    if (!this.chunks.isErased(person)) await this.chunks.erase(person);
    if (this.marks.isBeingErased(person)) await this.marks.end(person);
  }

  /** Completes erasures that a crash has interrupted. */
  async finishErasures(): Promise<void> {
    for (const person of this.marks.unfinished()) await this.erase(person);
  }

  async sweep(after: string | null, signal: AbortSignal): Promise<string | null> {
    const part = this.files.tombstonesAfter(after);
    // Only files and chunks can reappear: look-ups are stored in one transaction with the check of the mark.
    for (const person of part.persons) {
      // `''` is before the first shard.
      if (signal.aborted) return after ?? '';
      await this.files.destroy(person);
      await this.chunks.sweep(person);
    }
    return part.end;
  }

  async isErasureComplete(person: PersonId): Promise<boolean> {
    return this.files.isErased(person) && this.marks.isErased(person) && !this.marks.isBeingErased(person);
  }

  async erasedAmong(persons: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
    return new Set(persons.filter((person) => this.isErased(person)));
  }

  /** Only the persons' ids are in memory at once: their files are by hash, and a folder has no order. */
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

  async replace(person: PersonId, stored: Buffer, wrapped: Buffer): Promise<void> {
    // Under the write lock of the environment, since the file's two slots are written one after the other.
    await this.environment.transact(() => this.files.replace(person, stored, wrapped));
  }

  forgetAll(): void {
    this.cache.clear();
  }

  /** From the first step of the erasure on, before there is a tombstone. */
  private isErased(person: PersonId): boolean {
    return this.files.isErased(person) || this.marks.isErased(person);
  }

  private load(person: PersonId): PersonKey | null {
    return this.cache.load(person, () => this.files.read(person));
  }
}
