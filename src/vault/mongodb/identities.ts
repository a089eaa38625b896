import { assertPersonId } from '../../core/vault/person-id.js';
import type { KeyedHash, PersonId } from '../../core/vault/port.js';
import type { Collections, IdentityDocument } from './collections.js';
import { inserted } from './insert.js';
import type { Tombstones } from './tombstones.js';

/** From (organisation, e-mail) to its one person. What still names an erased person counts as not there. */
export class Identities {
  constructor(
    private readonly identities: Collections['identities'],
    private readonly tombstones: Tombstones,
  ) {}

  async get(hash: KeyedHash): Promise<PersonId | null> {
    const entry = await this.identities.findOne({ _id: hash });
    return entry && !(await this.tombstones.has(entry.person)) ? entry.person : null;
  }

  async swap(hash: KeyedHash, expected: PersonId | null, person: PersonId): Promise<boolean> {
    assertPersonId(person);
    for (;;) {
      const entry = await this.identities.findOne({ _id: hash });
      const erased = await this.tombstones.among(entry ? [person, entry.person] : [person]);
      const standing = entry && !erased.has(entry.person) ? entry.person : null;
      if (standing !== expected || erased.has(person)) return false;
      if (await this.move(hash, entry, person)) return this.isKept(hash, standing, person);
    }
  }

  /** Puts an entry where none stands; answers who stands there then, `null` for an erased person. */
  async put(hash: KeyedHash, person: PersonId): Promise<PersonId | null> {
    await this.swap(hash, null, person);
    return (await this.tombstones.has(person)) ? null : this.get(hash);
  }

  /** From exactly what was read; false where somebody else has moved it since. */
  private async move(hash: KeyedHash, from: IdentityDocument | null, person: PersonId): Promise<boolean> {
    if (!from) return inserted(this.identities.insertOne({ _id: hash, person }));
    const { matchedCount } = await this.identities.updateOne(from, { $set: { person } });
    return matchedCount === 1;
  }

  /** An erasure that began meanwhile has either taken the entry away or is seen here. */
  private async isKept(hash: KeyedHash, former: PersonId | null, person: PersonId): Promise<boolean> {
    if (!(await this.tombstones.has(person))) return true;
    const entry = { _id: hash, person };
    if (former) await this.identities.updateOne(entry, { $set: { person: former } });
    else await this.identities.deleteOne(entry);
    return false;
  }
}
