import type { VaultEntry } from '../../vault/archive.js';
import type { PersonId } from '../../vault/port.js';
import { OperatorError } from '../program.js';
import type { Patience } from './patience.js';
import type { Side } from './side.js';
import { entryDigest, vaultDigest } from './vault-digest.js';

/** Entries on their way at once: most of one's time is waiting for a disk. */
const AT_ONCE = 16;

/** A vault's content, for comparing. */
export interface VaultContent {
  readonly entries: number;
  readonly sha256: string;
}

interface Sides {
  readonly source: Side;
  readonly target: Side;
}

/** Carries a vault's entries over, as they are: what is wrapped stays wrapped. */
export class VaultCopy {
  /** Digests of the entries that the target was seen to hold or has taken. */
  readonly #held = new Set<string>();

  constructor(
    private readonly sides: Sides,
    private readonly patience: Patience,
  ) {}

  /**
   * @throws {OperatorError} the target's vault holds what the source's does not; but what it still holds of somebody
   *   who was erased in the source since an earlier copy goes with the tombstone
   * @returns how many entries the target lacks
   */
  async compare(): Promise<number> {
    const digests = new Set<string>();
    const erased = new Set<PersonId>();
    await this.each(this.sides.source, async (entry, digest) => {
      digests.add(digest);
      if (entry.kind === 'erased') erased.add(entry.person);
    });
    await this.each(this.sides.target, async (entry, digest) => {
      const person = personOf(entry);
      if (digests.has(digest)) this.#held.add(digest);
      else if (entry.kind === 'erased' || person === null || !erased.has(person))
        throw new OperatorError(
          `The target holds something else: its vault has ${naming(entry)} that the source’s has not. Copy to an empty place, before any service is started on it.`,
        );
    });
    return digests.size - this.#held.size;
  }

  /** Puts whatever the target lacks, tombstones before all else. @returns how many */
  async carry(copied: (entries: number) => void = () => undefined): Promise<number> {
    const { source, target } = this.sides;
    let carried = 0;
    const failures: unknown[] = [];
    const waiting = new Set<Promise<void>>();
    const put = async (entry: VaultEntry, digest: string): Promise<void> => {
      await this.patience.persist(`${target.name}’s vault`, () => target.vault.put(entry));
      this.#held.add(digest);
      copied(++carried);
    };
    await this.each(source, async (entry, digest) => {
      if (this.#held.has(digest)) return;
      if (entry.kind === 'erased') return put(entry, digest);
      while (waiting.size >= AT_ONCE) await Promise.race(waiting);
      if (failures.length > 0) throw failures[0];
      const one: Promise<void> = put(entry, digest)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => waiting.delete(one));
      waiting.add(one);
    }).finally(() => Promise.all(waiting));
    if (failures.length > 0) throw failures[0];
    return carried;
  }

  async content(side: Side): Promise<VaultContent> {
    const digests = new Set<string>();
    await this.each(side, async (_, digest) => void digests.add(digest));
    return { entries: digests.size, sha256: vaultDigest(digests) };
  }

  /** Every entry of a vault; from the first one on again where the vault was away in between. */
  private async each(
    { name, vault }: Side,
    take: (entry: VaultEntry, digest: string) => Promise<void>,
  ): Promise<void> {
    await this.patience.persist(`${name}’s vault`, async () => {
      for await (const entry of vault.entries()) {
        this.patience.assertWanted();
        await take(entry, entryDigest(entry));
      }
    });
  }
}

const personOf = (entry: VaultEntry): PersonId | null => {
  if (entry.kind === 'secret') return null;
  return entry.kind === 'carrier' ? entry.person.person : entry.person;
};

const naming = (entry: VaultEntry): string => {
  switch (entry.kind) {
    case 'key':
      return `a key of person ${entry.person}`;
    case 'erased':
      return `an erasure of person ${entry.person}`;
    case 'secret':
      return `a secret ${JSON.stringify(entry.name)}`;
    default:
      return 'a look-up';
  }
};
