import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_LIMIT_MS = 60_000;
const MAX_PAUSE_MS = 20;

/**
 * Calls `probe` repeatedly until it returns a truthy value, and returns that.
 * @param what names in the error what was waited for
 * @throws {Error} at once what `probe` throws; after `limitMs` that nothing was found
 */
export const eventually = async <T>(
  probe: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  limitMs = WAIT_LIMIT_MS,
  what: () => string = () => 'It',
): Promise<T> => {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs)) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`${what()} did not happen within ${limitMs / 1000} s.`);
    await sleep(pauseMs);
  }
};

/**
 * Calls `condition` repeatedly until it neither throws nor returns `false`. It may contain expectations.
 * @throws after `limitMs` the last error of `condition`, or that it was never true
 */
export const eventuallyHolds = async (condition: () => unknown, limitMs = WAIT_LIMIT_MS): Promise<void> => {
  let last: unknown = new Error('The condition never held.');
  const holds = async (): Promise<boolean> => {
    try {
      return (await condition()) !== false;
    } catch (error) {
      last = error;
      return false;
    }
  };
  await eventually(holds, limitMs).catch(() => {
    throw last;
  });
};
