import type { Problem } from './decider.js';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Whether a planned time has come. A time further ahead than any plan reaches comes from a clock that was ahead and was
 * set right since: the plan was due by then, so it is now.
 * @param planned RFC 3339; `null`: nothing is planned
 * @param longestMs the longest time ahead for which a plan is made, in milliseconds
 */
export const hasCome = (planned: string | null, now: number, longestMs: number): boolean => {
  const at = Date.parse(planned ?? '');
  return at <= now || at > now + longestMs;
};

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/u;

/** The end of an RFC 3339 time in the form that this service writes: it needs no conversion. */
const CONVERTED = /T.{8}\.\d{3}Z$/u;

/** The bounds of the years that have four digits in UTC. */
const LAST = Date.parse('9999-12-31T23:59:59.999Z');
const FIRST = Date.parse('0000-01-01T00:00:00.000Z');

/**
 * Converts an RFC 3339 time to the form that this service writes: UTC with milliseconds, so that byte order is time
 * order. Further digits of the second are cut.
 * @returns `null`: the text is not such a time, or names none that exists, such as 31 February or a leap second
 */
export const parseTimestamp = (text: string): string | null => {
  if (!RFC_3339.test(text) || !exists(text)) return null;
  if (CONVERTED.test(text)) return text;
  const time = Date.parse(text.toUpperCase());
  return time >= FIRST && time <= LAST ? new Date(time).toISOString() : null;
};

/** Date.parse reads 31 February as 3 March and 24:00 as the next day; RFC 3339 allows neither. */
const exists = (text: string): boolean =>
  isDay(100 * twoDigits(text, 0) + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8)) &&
  twoDigits(text, 11) <= 23 &&
  twoDigits(text, 14) <= 59 &&
  twoDigits(text, 17) <= 59 &&
  (/[Zz]$/u.test(text) || (twoDigits(text, text.length - 5) <= 23 && twoDigits(text, text.length - 2) <= 59));

const ZERO = 0x30;

const twoDigits = (text: string, at: number): number =>
  10 * (text.charCodeAt(at) - ZERO) + text.charCodeAt(at + 1) - ZERO;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isDay = (year: number, month: number, day: number): boolean => {
  const leap = month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0);
  const days = DAYS[month - 1] ?? 0;
  return day >= 1 && day <= days + (leap ? 1 : 0);
};

/** The problem of a field that is not an RFC 3339 time. */
export const timestampProblem = (path: string): Problem => ({
  path,
  rule: 'timestamp',
  message: `${path} must be an RFC 3339 time, such as 2026-03-01T09:30:00.000Z.`,
});

/**
 * Whether this is the name of a time zone in the IANA database that came with this build of Node. An offset such
 * as `+02:00` is not one: it has no summer time.
 */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
