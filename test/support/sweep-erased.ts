import type { Vault } from '../../src/vault/port.js';

const { signal } = new AbortController();

/** Removes what is left of all erased persons. @returns the number of parts */
export const sweepErased = async ({ sweeps }: Pick<Vault, 'sweeps'>): Promise<number> => {
  let parts = 0;
  for (let after: string | null = null; parts === 0 || after !== null; parts++)
    after = await sweeps.erased(after, signal);
  return parts;
};
