import type { ChainHead } from '../../core/chain.js';

/**
 * The head that a result's plain part names, of any version of its shape: what its signature is over.
 * @param data as stored: it may be anybody's
 * @returns `null` where it names none
 */
export const headIn = (data: object): ChainHead | null => {
  if (!('head' in data) || typeof data.head !== 'object' || data.head === null) return null;
  const { sequenceNumber, hash } = data.head as Partial<Record<keyof ChainHead, unknown>>;
  if (!Number.isSafeInteger(sequenceNumber) || (hash !== null && typeof hash !== 'string')) return null;
  return { sequenceNumber: Number(sequenceNumber), hash };
};
