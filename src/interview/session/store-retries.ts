import { backoff, pause } from '../../core/backoff.js';
import { Unavailable } from '../../core/errors.js';

/** How long a conversation retries if a store is unavailable, in milliseconds. Then the client has to reconnect. */
export const STORE_DEADLINE_MS = 20_000;

/** Whether a store is unavailable, or an append's outcome is unknown. */
export const isUnavailable = (error: unknown): boolean => error instanceof Unavailable;

/**
 * Repeats an idempotent action while a store is unavailable.
 * @throws the action's error: at once if no store is unavailable, else after `deadlineMs` or once the signal aborts
 */
export const retryUnavailable = async <T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  deadlineMs = STORE_DEADLINE_MS,
): Promise<T> => {
  const until = performance.now() + deadlineMs;
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted || performance.now() > until) throw error;
      await pause(backoff(failures, 100, 2_000), signal);
    }
  }
};
