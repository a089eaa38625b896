import type { PersonId } from '../../core/vault/port.js';
import { type Environment, KEPT_BACK } from './environment.js';

/** Who was erased or is being erased, in the environment: `erased <person>` for good, `erasing <person>` meanwhile. */
export class ErasureMarks {
  constructor(private readonly environment: Environment) {}

  isErased(person: PersonId): boolean {
    return this.environment.get(['erased', person]) !== undefined;
  }

  isBeingErased(person: PersonId): boolean {
    return this.environment.get(['erasing', person]) !== undefined;
  }

  /** Everybody whose erasure has begun. */
  erased(): Iterable<PersonId> {
    return this.persons('erased');
  }

  /** Erasures that were begun and not ended: running, or cut off by a crash. */
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
