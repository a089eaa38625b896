import { ApiError, refusalToApiError } from '../../http/api-error.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';
import { candidateErased } from '../../domain/candidate/decider.js';

/** The part of the vault that knows who was erased. */
type Keys = Pick<Vault, 'keys'>;

/**
 * Whether a candidate was erased: by the tombstone of the key, which is set before the erasure is answered, and not by
 * a view, which comes along later. The process that erased knows at once, any other within a second.
 *
 * A key that is missing without a tombstone is a fault, not an erasure: opening something with it throws.
 */
export const isErased = async (vault: Keys, candidateId: string): Promise<boolean> =>
  // A candidate's stream, key and documents go by one id.
  (await vault.keys.get(candidateId as PersonId))?.kind === 'erased';

/** What staff are answered who ask for something of an erased candidate: 410. */
export const erasedError = (): ApiError => refusalToApiError(candidateErased().refusal);

/** @throws {ApiError} `erased`, where the candidate was */
export const assertNotErased = async (vault: Keys, candidateId: string): Promise<void> => {
  if (await isErased(vault, candidateId)) throw erasedError();
};

/**
 * Whether something failed since its candidate was erased: found so, or met in the middle of it. To the candidate that
 * is the common 404.
 */
export const saysErased = (error: unknown): boolean =>
  error instanceof PersonErased || (error instanceof ApiError && error.code === 'erased');
