import { assertPersonId } from '../../core/vault/person-id.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Calls } from './calls.js';
import type { Collections } from './collections.js';
import { pages } from './pages.js';
import type { Tombstones } from './tombstones.js';

/** The erasure of persons: the tombstone first, which counts at once, then everything that it has outlived. */
export class Erasures {
  constructor(
    private readonly calls: Calls,
    private readonly collections: Collections,
    private readonly tombstones: Tombstones,
  ) {}

  /** @param begun is called once the tombstone stands */
  async erase(person: PersonId, begun: () => void): Promise<void> {
    assertPersonId(person);
    await this.tombstones.set(person);
    begun();
    await this.remove([person]);
    await this.tombstones.settle(person);
  }

  /** Goes through with erasures that were cut off, by whichever process. */
  async finish(): Promise<void> {
    const persons = await this.calls.run(() => this.tombstones.pending());
    for (const person of persons)
      await this.calls.run(async () => {
        await this.remove([person]);
        await this.tombstones.settle(person);
      });
  }

  /**
   * Removes again what came back of erased persons: from a backup, or from a process that ended between an entry and
   * its look at the tombstone.
   */
  async sweep(): Promise<void> {
    for await (const page of pages(this.calls, this.collections.erased))
      await this.calls.run(() => this.remove(page.map(({ _id }) => _id)));
  }

  private async remove(persons: readonly PersonId[]): Promise<void> {
    const { keys, identities, carriers, audio } = this.collections;
    const among = { $in: [...persons] };
    await Promise.all([
      keys.deleteMany({ _id: among }),
      identities.deleteMany({ person: among }),
      carriers.deleteMany({ person: among }),
      audio.deleteMany({ person: among }),
    ]);
  }
}
