import { assertPersonId } from '../../core/vault/person-id.js';
import type { KeyedHash, PersonId } from '../../core/vault/port.js';
import type { Environment } from './environment.js';

/** From the hash of a command's id to its first person, in the environment: `claim <hash>`. No erasure touches it. */
export class ClaimEntries {
  constructor(private readonly environment: Environment) {}

  async claim(hash: KeyedHash, person: PersonId): Promise<PersonId> {
    assertPersonId(person);
    const standing = this.get(hash);
    if (standing !== undefined) return standing;
    return this.environment.transact(({ get, put }) => {
      const first = get(keyOf(hash)) as PersonId | undefined;
      if (first === undefined) put(keyOf(hash), person);
      return first ?? person;
    });
  }

  async move(hash: KeyedHash, from: PersonId, to: PersonId): Promise<boolean> {
    assertPersonId(to);
    return this.environment.transact(({ get, put }) => {
      if (get(keyOf(hash)) !== from) return false;
      put(keyOf(hash), to);
      return true;
    });
  }

  *all(): Iterable<{ readonly hash: KeyedHash; readonly person: PersonId }> {
    for (const { key, value } of this.environment.walk(['claim']))
      yield { hash: key[1] as KeyedHash, person: value as PersonId };
  }

  private get(hash: KeyedHash): PersonId | undefined {
    return this.environment.get(keyOf(hash)) as PersonId | undefined;
  }
}

const keyOf = (hash: KeyedHash): string[] => ['claim', hash];
