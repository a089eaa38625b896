/**
 * How long to wait after the n-th failure in a row (from 0), in milliseconds: doubling from `base` up to `cap`,
 * half of it random, so that what failed together does not come back together.
 */
export function backoff(failures: number, base = 100, cap = 10_000): number {
  const full = Math.min(cap, base * 2 ** Math.min(failures, 30));
  return full / 2 + (Math.random() * full) / 2;
}

/** Resolves after `ms` milliseconds, or at once when the signal ends. Keeps no process alive. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    signal?.addEventListener('abort', done);
  });
}
