import { StoreUnavailable } from '../../core/errors.js';
import { VaultUnavailable } from '../../core/vault/port.js';
import { backoff, pause } from '../../core/backoff.js';
import { ReadStoreUnavailable } from '../../stores/errors.js';

/** Longest that a conversation waits for a store that is away, in milliseconds; then its client comes again. */
export const PATIENCE_MS = 20_000;

/** A store that does not answer, or an append whose outcome is not known. */
export const isAway = (error: unknown): boolean =>
  error instanceof StoreUnavailable ||
  error instanceof VaultUnavailable ||
  error instanceof ReadStoreUnavailable;

/**
 * Does something that may be done again until it succeeds, while only a store is away.
 * @throws what it failed with: at once where no store is away, else after `patienceMs` or when the signal ends
 */
export const persistently = async <T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  const until = performance.now() + patienceMs;
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAway(error) || signal.aborted || performance.now() > until) throw error;
      await pause(backoff(failures, 100, 2_000), signal);
    }
  }
};
