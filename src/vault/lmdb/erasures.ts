import type { PersonId } from '../../core/vault/port.js';
import { type Environment, KEPT_BACK } from './environment.js';
import type { AudioEntries } from './audio-entries.js';
import type { KeyFiles } from './key-files.js';

/** Marks of erasures in the environment: `erased <person>` for good, `erasing <person>` until one is complete. */
export class ErasureMarks {
  constructor(private readonly environment: Environment) {}

  isErased(person: PersonId): boolean {
    return this.environment.get(['erased', person]) !== undefined;
  }

  isBeingErased(person: PersonId): boolean {
    return this.environment.get(['erasing', person]) !== undefined;
  }

  /** Every person whose erasure has begun. */
  erased(): Iterable<PersonId> {
    return this.persons('erased');
  }

  /** Erasures that were begun and not completed: running, or cut off by a crash. */
  unfinished(): readonly PersonId[] {
    return [...this.persons('erasing')];
  }

  /**
   * Removes the person's entries and refuses new ones from now on. Until `end`, they can still be found in the vault's
   * files.
   */
  async begin(person: PersonId): Promise<void> {
    await this.environment.transact(
      ({ keys, put, remove }) => {
        for (const key of keys(['person', person])) {
          remove(key);
          remove(key.slice(2));
        }
        put(['erased', person], true);
        put(['erasing', person], person);
      },
      { ...KEPT_BACK, renews: true },
    );
  }

  /** From here on no file holds anything that leads from an address to the person. */
  async end(person: PersonId): Promise<void> {
    await this.environment.transact(({ remove, destroyFormer }) => {
      destroyFormer();
      remove(['erasing', person]);
    }, KEPT_BACK);
  }

  private *persons(kind: 'erased' | 'erasing'): Iterable<PersonId> {
    for (const { key } of this.environment.walk([kind])) yield key[1] as PersonId;
  }
}

/** Erases persons, step by step. A step that is done is passed over, so that one cut off by a crash is completed. */
export class Erasures {
  private readonly marks: ErasureMarks;

  constructor(
    environment: Environment,
    private readonly files: KeyFiles,
    private readonly chunks: AudioEntries,
  ) {
    this.marks = new ErasureMarks(environment);
  }

  /** From the first step on, before there is a tombstone. */
  hasBegun(person: PersonId): boolean {
    return this.marks.isErased(person);
  }

  isErased(person: PersonId): boolean {
    return this.files.isErased(person) || this.marks.isErased(person);
  }

  isComplete(person: PersonId): boolean {
    return this.files.isErased(person) && this.marks.isErased(person) && !this.marks.isBeingErased(person);
  }

  /** Every person whose erasure has begun. */
  persons(): Set<PersonId> {
    return new Set([...this.files.tombstones(), ...this.marks.erased()]);
  }

  /** @param forget lets go of the key in memory; called again when its file is destroyed */
  async erase(person: PersonId, forget: () => void = () => undefined): Promise<void> {
    if (!this.marks.isErased(person) || this.marks.isBeingErased(person)) await this.marks.begin(person);
    if (!this.files.isErased(person)) await this.files.entomb(person);
    forget();
    await this.files.destroy(person);
    forget();
    if (!this.chunks.isErased(person)) await this.chunks.erase(person);
    if (this.marks.isBeingErased(person)) await this.marks.end(person);
  }

  /** Completes erasures that a crash has cut off. */
  async completeAll(): Promise<void> {
    for (const person of this.marks.unfinished()) await this.erase(person);
  }
}
