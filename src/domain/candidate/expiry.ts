import type { Problem } from '../../core/decider.js';
import { parseTimestamp, timestampProblem } from '../../core/timestamp.js';

const MIN_AHEAD_MS = 1_000;

/**
 * A time at which a session is to expire: at least 1 s ahead, or it would be over before its first use.
 * @param now RFC 3339 in UTC, with milliseconds
 */
export const parseExpiry = (
  text: string,
  now: string,
): { readonly time: string } | { readonly problem: Problem } => {
  const time = parseTimestamp(text);
  if (time === null) return { problem: timestampProblem('expiresAt') };
  if (Date.parse(time) >= Date.parse(now) + MIN_AHEAD_MS) return { time };
  return {
    problem: { path: 'expiresAt', rule: 'future', message: 'expiresAt must be at least one second ahead.' },
  };
};
