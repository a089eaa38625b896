import type { Handled } from '../../core/handle.js';
import type { Refused } from '../../core/decider.js';
import { PersonErased } from '../../core/vault/port.js';

/**
 * A candidate's own command. To the candidate, what was erased never was: an erasure that is found, or met in the middle
 * of it, is answered as `missing`.
 */
export const unlessErased = async <S>(
  missing: Refused,
  command: () => Promise<Handled<S>>,
): Promise<Handled<S>> => {
  try {
    const handled = await command();
    return handled.kind === 'refused' && handled.refusal.code === 'erased' ? missing : handled;
  } catch (error) {
    if (error instanceof PersonErased) return missing;
    throw error;
  }
};
