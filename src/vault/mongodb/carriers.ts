import { assertPersonId } from '../../core/vault/person-id.js';
import type { KeyedHash, PersonRef } from '../../core/vault/port.js';
import { type CarrierDocument, carrierId, type Collections } from './collections.js';
import { inserted } from './insert.js';
import type { Tombstones } from './tombstones.js';

/** From an e-mail or a subject to everybody who carries it. What still names an erased person counts as not there. */
export class Carriers {
  constructor(
    private readonly carriers: Collections['carriers'],
    private readonly tombstones: Tombstones,
  ) {}

  async list(hash: KeyedHash): Promise<readonly PersonRef[]> {
    const entries = await this.carriers.find({ hash }).sort({ _id: 1 }).toArray();
    const erased = await this.tombstones.among(entries.map(({ person }) => person));
    return entries.filter(({ person }) => !erased.has(person)).map(refOf);
  }

  async add(hash: KeyedHash, ref: PersonRef): Promise<void> {
    await this.put(hash, ref);
  }

  /** Adds the person; answers how it stands there then, `null` for an erased one. */
  async put(hash: KeyedHash, { person, kind, organisationId }: PersonRef): Promise<PersonRef | null> {
    assertPersonId(person);
    const _id = carrierId(hash, person);
    const [standing, erased] = await Promise.all([
      this.carriers.findOne({ _id }),
      this.tombstones.has(person),
    ]);
    if (erased) return null;
    if (standing) return refOf(standing);
    const added = await inserted(this.carriers.insertOne({ _id, hash, person, kind, organisationId }));
    // An erasure that began meanwhile has either taken the entry away or is seen here.
    if (await this.tombstones.has(person)) {
      await this.carriers.deleteOne({ _id });
      return null;
    }
    if (added) return { person, kind, organisationId };
    const first = await this.carriers.findOne({ _id });
    return first && refOf(first);
  }
}

export const refOf = ({ person, kind, organisationId }: CarrierDocument): PersonRef => ({
  person,
  kind,
  organisationId,
});
