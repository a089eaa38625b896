import { isErased } from '../../application/applications/erased.js';
import type { Vault } from '../../vault/port.js';

/** A lock within one process: work runs at the same time as other work, or exclusively. */
export class SharedLock {
  /** Settles with the last exclusive work; `null`: there is none. */
  private alone: Promise<unknown> | null = null;
  private readonly running = new Set<Promise<unknown>>();

  /** Runs the work once no exclusive work runs or waits. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.alone !== null) await this.alone;
    const running = work();
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /** Runs the work once all earlier work has ended; later work waits for it. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const before = this.alone;
    const working = (async () => {
      await before;
      await Promise.allSettled(this.running);
      return work();
    })();
    const over: Promise<void> = working.then(
      () => undefined,
      () => undefined,
    );
    this.alone = over;
    // Registered first, so that it runs before any waiting work continues.
    void over.then(() => {
      if (this.alone === over) this.alone = null;
    });
    return working;
  }
}

/** Interval of the checks. Together with the time that a process caches an erased key, at most a second. */
const LOOK_MS = 250;

const ERASED = Symbol('erased');

/**
 * Runs work on a candidate's data, and aborts it once the candidate is erased, so that none of the data goes anywhere
 * any more.
 * @param candidateId `null`: no candidate, and no check
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
    // While the vault is unavailable the work goes on: to record its result needs the vault.
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
