import { assertPersonId } from '../../core/vault/person-id.js';
import type { KeyedHash, PersonId } from '../../core/vault/port.js';
import type { Collections } from './collections.js';
import { standing } from './insert.js';

/** From the hash of a command's id to its first person, each a document. No erasure touches it. */
export class Claims {
  constructor(private readonly claims: Collections['claims']) {}

  async claim(hash: KeyedHash, person: PersonId): Promise<PersonId> {
    assertPersonId(person);
    return (await standing(this.claims, { _id: hash, person })).person;
  }

  async move(hash: KeyedHash, from: PersonId, to: PersonId): Promise<boolean> {
    assertPersonId(to);
    const { matchedCount } = await this.claims.updateOne(
      { _id: hash, person: from },
      { $set: { person: to } },
    );
    return matchedCount === 1;
  }
}
