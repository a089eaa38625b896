import type { PersonId } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';

/** The part of the vault that has the tombstones of erased persons. */
export type Keys = Pick<Vault, 'keys'>;

/**
 * Whether a candidate was erased: by the tombstone of the key, which is set before the erasure is answered, and not by a
 * view, which may lag. The process that erased sees the tombstone at once, any other within a second.
 *
 * A key that is missing without a tombstone is a fault, not an erasure: opening something with it throws.
 */
export const isErased = async (vault: Keys, candidateId: string): Promise<boolean> =>
  // A candidate's id names their stream, their key and their documents.
  (await vault.keys.get(candidateId as PersonId))?.kind === 'erased';
