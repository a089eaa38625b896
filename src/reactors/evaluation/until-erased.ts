import { isErased } from '../../api/applications/erased.js';
import type { Vault } from '../../core/vault/port.js';

/** How often it is looked: with the time that a process may know a key beyond its erasure, a second at most. */
const LOOK_MS = 250;

const ERASED = Symbol('erased');

/**
 * Works on what a candidate said as long as it may be worked on: once the candidate is erased, the work is ended, so
 * that nothing more of it is handed to anybody.
 * @param candidateId `null`: nobody is known, and nothing is looked for
 * @param stop ends the work too
 * @throws what the work throws, ended by `stop` included
 */
export const untilErased = async <T>(
  vault: Pick<Vault, 'keys'>,
  candidateId: string | null,
  stop: AbortSignal | undefined,
  work: (ending: AbortSignal) => Promise<T>,
): Promise<T | 'erased'> => {
  const ending = new AbortController();
  const erased = async (): Promise<boolean> => candidateId !== null && (await isErased(vault, candidateId));
  if (await erased()) return 'erased';
  const stopped = (): void => ending.abort(stop?.reason);
  const look = setInterval(() => {
    // A vault that is away says nothing; what is recorded in the end needs it anyway.
    void erased()
      .then((gone) => {
        if (gone) ending.abort(ERASED);
      })
      .catch(() => undefined);
  }, LOOK_MS);
  look.unref();
  stop?.addEventListener('abort', stopped);
  if (stop?.aborted === true) stopped();
  try {
    const made = await work(ending.signal);
    return ending.signal.reason === ERASED ? 'erased' : made;
  } catch (error) {
    if (ending.signal.reason === ERASED) return 'erased';
    throw error;
  } finally {
    clearInterval(look);
    stop?.removeEventListener('abort', stopped);
  }
};
