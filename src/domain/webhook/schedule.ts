const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What was not taken so long after it was asked for is given up: 3 days, in milliseconds. */
export const DEAD_AFTER_MS = 72 * HOUR;

/** As the Standard Webhooks specification suggests. */
const DELAYS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
];
const LAST = 24 * HOUR;
/** So that what failed together does not come back together. */
const JITTER = 0.2;

/**
 * How long to wait after an attempt that failed, in milliseconds.
 * @param tries attempts so far, at least 1
 * @param random from 0 to below 1: up to a fifth is added by it
 */
export const retryDelay = (tries: number, random: number): number =>
  Math.round((DELAYS[tries - 1] ?? LAST) * (1 + JITTER * random));
