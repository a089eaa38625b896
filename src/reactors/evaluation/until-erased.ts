import { isErased } from '../../application/applications/erased.js';
import type { Vault } from '../../vault/port.js';

/**
 * Interval of the checks, in milliseconds. With the time for which a process caches an erased key, at most a second.
 */
const POLL_MS = 250;

const ERASED = Symbol('erased');

/**
 * Runs work on a candidate's data, and aborts it once the candidate is erased, so that no more of the data is sent.
 * @param stop also aborts the work
 * @throws what the work throws, also after `stop` has aborted
 */
export const untilErased = async <T>(
  vault: Pick<Vault, 'keys'>,
  candidateId: string,
  stop: AbortSignal,
  work: (ending: AbortSignal) => Promise<T>,
): Promise<T | 'erased'> => {
  const ending = new AbortController();
  const erased = (): Promise<boolean> => isErased(vault, candidateId);
  if (await erased()) return 'erased';
  const stopped = (): void => ending.abort(stop.reason);
  const poll = setInterval(() => {
    // If the vault is unavailable, the work continues: its result cannot be recorded without the vault anyway.
    void erased()
      .then((gone) => {
        if (gone) ending.abort(ERASED);
      })
      .catch(() => undefined);
  }, POLL_MS);
  poll.unref();
  stop.addEventListener('abort', stopped);
  if (stop.aborted) stopped();
  try {
    const made = await work(ending.signal);
    return ending.signal.reason === ERASED ? 'erased' : made;
  } catch (error) {
    if (ending.signal.reason === ERASED) return 'erased';
    throw error;
  } finally {
    clearInterval(poll);
    stop.removeEventListener('abort', stopped);
  }
};
