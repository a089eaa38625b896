/** How often an idle process polls for work that no event announces, in milliseconds. */
export const IDLE_POLL_MS = 1_500;

interface SharedInterval {
  readonly listeners: Set<() => void>;
  readonly timer: NodeJS.Timeout;
}

const intervals = new Map<number, SharedInterval>();

/**
 * Calls `listener` every `ms` milliseconds, at the same moment as all others of this process with this interval: an
 * idle process then wakes once for all of them, and their reads can share commands to a store. Keeps no process alive.
 * @param listener must not throw
 * @returns stops the calls
 */
export function everyTick(ms: number, listener: () => void): () => void {
  const interval = intervals.get(ms) ?? startInterval(ms);
  interval.listeners.add(listener);
  return () => {
    interval.listeners.delete(listener);
    // At a second call, another interval of the same length may have been started.
    if (interval.listeners.size > 0 || intervals.get(ms) !== interval) return;
    clearInterval(interval.timer);
    intervals.delete(ms);
  };
}

/** Resolves at the next tick, or at once when the signal aborts. */
export function untilTick(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      end();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const end = everyTick(ms, done);
    signal.addEventListener('abort', done);
  });
}

function startInterval(ms: number): SharedInterval {
  const listeners = new Set<() => void>();
  const timer = setInterval(() => {
    for (const listener of [...listeners]) listener();
  }, ms).unref();
  const interval = { listeners, timer };
  intervals.set(ms, interval);
  return interval;
}
