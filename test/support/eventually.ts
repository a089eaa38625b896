import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_LIMIT_MS = 60_000;
const MAX_PAUSE_MS = 20;

/**
 * Calls `probe` again and again until it returns something truthy, and returns that.
 * @param what for the error: what was waited for
 * @throws {Error} what `probe` throws, at once; after `limitMs` that nothing was found
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
 * Calls `condition` again and again until it neither throws nor returns `false`: expectations, or a boolean.
 * @throws after `limitMs` what it threw last, or that it never held
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
