import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_LIMIT_MS = 60_000;
const MAX_PAUSE_MS = 20;

/**
 * Repeats a look until it finds something: not `null`, `undefined` or `false`.
 * @param what names in the error what never came about
 * @throws {Error} at once what the look throws; after `limitMs` that it found nothing
 */
export const eventually = async <T>(
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  limitMs = WAIT_LIMIT_MS,
  what: () => string = () => 'It',
): Promise<T> => {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs)) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline)
      throw new Error(`${what()} did not come about within ${limitMs / 1000} s.`);
    await sleep(pauseMs);
  }
};

/**
 * Repeats expectations, or a condition, until they hold: neither throw nor are `false`.
 * @throws what they threw last, after `limitMs`
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
