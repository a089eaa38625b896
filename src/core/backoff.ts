/**
 * How long to wait after the n-th failure in a row (from 0), in milliseconds: doubling from `base` up to `cap`,
 * half of it random, so that clients that failed together do not retry together.
 */
export function backoff(failures: number, base = 100, cap = 10_000): number {
  const full = Math.min(cap, base * 2 ** Math.min(failures, 30));
  return full / 2 + (Math.random() * full) / 2;
}

/**
 * How long a server asks to wait by its `Retry-After`, in milliseconds; `null`: the header is missing or not valid. A
 * date is compared with the answer's own `Date`, never with this machine's clock.
 */
export function retryAfterMs(
  value: string | null | undefined,
  date: string | null | undefined,
): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text) * 1_000;
  // The parser takes almost any text for a date.
  if (!/^[A-Z][a-z]+, /.test(text) && !/^[A-Z][a-z]{2} [A-Z][a-z]{2} /.test(text)) return null;
  const ms = Date.parse(text) - Date.parse(date ?? '');
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Resolves after `ms` milliseconds, or at once when the signal aborts. Keeps no process alive. */
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

/**
 * The result of `work`, or what `late` returns or throws after `ms` milliseconds. The work is not stopped; its later
 * result or failure is ignored.
 * @throws what `work` throws in time
 */
export const within = async <T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(new Promise<L>((done) => done(late()))), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};

/** Health-check timeout per component, below that of the health page itself. */
const HEALTH_TIMEOUT_MS = 1_800;

/** Limits the time of a call for health checks and metrics. @returns `null`: the call failed or timed out */
export const inTime = <T>(asked: Promise<T>): Promise<T | null> =>
  within(
    HEALTH_TIMEOUT_MS,
    asked.catch(() => null),
    () => null,
  );
