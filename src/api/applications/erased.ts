import type { Keys } from '../../application/applications/erased.js';
import { isErased } from '../../application/applications/erased.js';
import { candidateErased } from '../../domain/candidate/decider.js';
import { type ApiError, refusalToApiError } from '../../http/api-error.js';

/** What staff are answered who ask for something of an erased candidate: 410. */
export const erasedError = (): ApiError => refusalToApiError(candidateErased().refusal);

/** @throws {ApiError} `erased`, where the candidate was */
export const assertNotErased = async (vault: Keys, candidateId: string): Promise<void> => {
  if (await isErased(vault, candidateId)) throw erasedError();
};
