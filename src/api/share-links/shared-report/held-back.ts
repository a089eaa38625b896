import { setTimeout as sleep } from 'node:timers/promises';

/**
 * So long after its arrival a look that shows nothing is answered, and where that took longer after twice, three times
 * as long. Far above what the look itself takes, so that how long it took cannot be told from outside.
 */
export const STEP_MS = 200;

/**
 * Waits for the end of the step in which it is called.
 * @param arrived by `performance.now()`
 */
export const heldBack = async (arrived: number): Promise<void> => {
  const until = arrived + STEP_MS * Math.ceil((performance.now() - arrived) / STEP_MS);
  // A timer may go off up to a millisecond early.
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) await sleep(left);
};
