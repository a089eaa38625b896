import { Unavailable } from '../../core/errors.js';
import { backoff, pause } from '../../core/backoff.js';

/** Longest wait of a conversation for an unavailable store, in milliseconds; then its client reconnects. */
export const PATIENCE_MS = 20_000;

/** Whether a store is unavailable, or an append's outcome is unknown. */
export const isAway = (error: unknown): boolean => error instanceof Unavailable;

/**
 * Repeats an idempotent action while a store is unavailable.
 * @throws the action's error: at once if no store is unavailable, else after `patienceMs` or when the signal aborts
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
