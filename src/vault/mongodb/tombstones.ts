import type { PersonId } from '../../core/vault/port.js';
import { type Collections, inserted } from './collections.js';

/** Who was erased. A tombstone is never taken away. */
export class Tombstones {
  constructor(private readonly erased: Collections['erased']) {}

  async has(person: PersonId): Promise<boolean> {
    return (await this.among([person])).has(person);
  }

  /** The erased ones of `persons`. */
  async among(persons: readonly PersonId[]): Promise<ReadonlySet<PersonId>> {
    if (persons.length === 0) return new Set();
    const found = await this.erased.find({ _id: { $in: [...persons] } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  /** From here on the person is erased. What is to follow is pending, unless it was gone through with before. */
  async set(person: PersonId): Promise<void> {
    await inserted(this.erased.insertOne({ _id: person, pending: true }));
  }

  /** Nothing else of the person is left. */
  async settle(person: PersonId): Promise<void> {
    await this.erased.updateOne({ _id: person }, { $unset: { pending: true } });
  }

  async isSettled(person: PersonId): Promise<boolean> {
    const found = await this.erased.findOne({ _id: person });
    return found !== null && found.pending !== true;
  }

  /** Erasures that were begun and not ended: running, or cut off by a crash. */
  async pending(): Promise<readonly PersonId[]> {
    const found = await this.erased.find({ pending: true }).toArray();
    return found.map(({ _id }) => _id);
  }
}
