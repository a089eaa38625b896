import type { KeyedHash, PersonId, PersonRef } from '../../core/vault/port.js';
import { type Environment, KEPT_BACK } from './environment.js';

/**
 * Keys of the environment, of which the first three are sealed:
 *
 *     identity <hash>              person
 *     carrier <hash> <person>      who carries an e-mail or a subject
 *     person <person> <key…>       every entry above that goes with the person
 *     erased <person>              gets no entries any more
 *     erasing <person>             while its key's file may still be there
 */
export class LookUps {
  constructor(private readonly environment: Environment) {}

  identity(hash: KeyedHash): PersonId | null {
    return (this.environment.get(['identity', hash]) as PersonId | undefined) ?? null;
  }

  async swapIdentity(hash: KeyedHash, expected: PersonId | null, person: PersonId): Promise<boolean> {
    return this.environment.transact(({ get, put, remove }) => {
      const entry = ['identity', hash];
      const standing = get(entry) ?? null;
      if (standing !== expected || get(['erased', person])) return false;
      if (expected) remove(['person', expected, ...entry]);
      put(entry, person);
      put(['person', person, ...entry], true);
      return true;
    });
  }

  carriers(hash: KeyedHash): readonly PersonRef[] {
    return this.environment.list(['carrier', hash]) as PersonRef[];
  }

  async addCarrier(hash: KeyedHash, { person, kind, organisationId }: PersonRef): Promise<void> {
    const entry = ['carrier', hash, person];
    if (this.environment.get(entry)) return;
    await this.environment.transact(({ get, put }) => {
      if (get(entry) || get(['erased', person])) return;
      put(entry, { person, kind, organisationId });
      put(['person', person, ...entry], true);
    });
  }

  /** Puts an identity where none stands; answers the one that stands, `null` for an erased person. */
  async putIdentity(hash: KeyedHash, person: PersonId): Promise<PersonId | null> {
    const standing = this.identity(hash);
    if (standing !== null && !this.isErased(person)) return standing;
    await this.swapIdentity(hash, null, person);
    return this.isErased(person) ? null : this.identity(hash);
  }

  /** As `putIdentity`, of one carrier of an e-mail or a subject. */
  async putCarrier(hash: KeyedHash, carrier: PersonRef): Promise<PersonRef | null> {
    await this.addCarrier(hash, carrier);
    return this.carrier(hash, carrier.person);
  }

  *identities(): Iterable<{ readonly hash: KeyedHash; readonly person: PersonId }> {
    for (const { key, value } of this.environment.walk(['identity']))
      yield { hash: key[1] as KeyedHash, person: value as PersonId };
  }

  *allCarriers(): Iterable<{ readonly hash: KeyedHash; readonly person: PersonRef }> {
    for (const { key, value } of this.environment.walk(['carrier']))
      yield { hash: key[1] as KeyedHash, person: value as PersonRef };
  }

  *erased(): Iterable<PersonId> {
    for (const { key } of this.environment.walk(['erased'])) yield key[1] as PersonId;
  }

  isErased(person: PersonId): boolean {
    return this.environment.get(['erased', person]) !== undefined;
  }

  isBeingErased(person: PersonId): boolean {
    return this.environment.get(['erasing', person]) !== undefined;
  }

  private carrier(hash: KeyedHash, person: PersonId): PersonRef | null {
    return (this.environment.get(['carrier', hash, person]) as PersonRef | undefined) ?? null;
  }

  /**
   * Takes the person's entries away and refuses new ones from now on. Until `endErasure`, whoever has the vault's files
   * can still find them.
   */
  async beginErasure(person: PersonId): Promise<void> {
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
  async endErasure(person: PersonId): Promise<void> {
    await this.environment.transact(({ remove, destroyFormer }) => {
      destroyFormer();
      remove(['erasing', person]);
    }, KEPT_BACK);
  }

  /** Erasures that were begun and not ended: running, or cut off by a crash. */
  unfinishedErasures(): readonly PersonId[] {
    return this.environment.list(['erasing']) as PersonId[];
  }
}
