import type { Freshness, Reads } from '../reads.js';
import type { CommandStreams } from '../../core/handle.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';
import { isErased } from '../applications/erased.js';

/** One export on its way: where it reads. */
export class Exporting {
  constructor(
    readonly reads: Reads,
    readonly streams: CommandStreams,
    readonly vault: Pick<Vault, 'audio' | 'keys'>,
    readonly freshness: Freshness,
  ) {}

  /**
   * Asked after everything that was read and before it is written: what is read of somebody erased is not a person
   * without answers but an export that breaks off.
   * @throws {PersonErased}
   */
  async assertNotErased(candidateId: string): Promise<void> {
    if (await isErased(this.vault, candidateId)) throw new PersonErased(candidateId as PersonId);
  }
}
