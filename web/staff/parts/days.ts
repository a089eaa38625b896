// Days of a calendar, such as `2026-11-30`, as date fields and addresses have them, and the moments that they mean.

import type { Query } from '../addresses.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The earliest day of a field, so that a half-typed year is not a valid one. */
export const FIRST_DAY = '2000-01-01';
export const LAST_DAY = '2999-12-31';

/** An end of a range of days; both ends are included. */
export type End = 'from' | 'to';

const utcDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

const isDay = (text: string): boolean =>
  /^2\d{3}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  // Some engines parse February 30 as March 2.
  utcDay(Date.parse(text)) === text;

/** Writes days of a zone; if the browser does not support the zone, of the device's. */
const writerIn = (timeZone: string): Intl.DateTimeFormat => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  // Swedish writes days in the form that addresses have.
  try {
    return new Intl.DateTimeFormat('sv', { ...parts, timeZone });
  } catch {
    return new Intl.DateTimeFormat('sv', parts);
  }
};

/** The moment at which a day begins in a zone: the clocks of some zones go from 23:59 to 01:00. */
const beginOf = (day: string, timeZone: string): number => {
  const writer = writerIn(timeZone);
  // No zone is a day apart from UTC.
  let before = Date.parse(day) / MINUTE_MS - DAY_MS / MINUTE_MS;
  let begun = before + (2 * DAY_MS) / MINUTE_MS;
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2);
    if (writer.format(middle * MINUTE_MS) < day) before = middle;
    else begun = middle;
  }
  return begun * MINUTE_MS;
};

/**
 * The moment that a value of an address means: the beginning of a day, or if it is the last day of a range, its end.
 * @param value a day, or a moment as the service writes it, which stays what it is
 * @returns as the service writes it; `undefined`: the value is neither
 */
export const momentOf = (value: string | undefined, end: End, timeZone: string): string | undefined => {
  if (value === undefined) return undefined;
  if (isDay(value)) {
    const day = end === 'from' ? value : utcDay(Date.parse(value) + DAY_MS);
    return new Date(beginOf(day, timeZone)).toISOString();
  }
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(value)) return undefined;
  const moment = Date.parse(value);
  const written = Number.isNaN(moment) ? '' : new Date(moment).toISOString();
  // A year before 0 or after 9999 has a sign.
  return /^\d{4}-/.test(written) ? written : undefined;
};

/**
 * The day on which a range begins or ends.
 * @param moment as of `momentOf`
 * @returns whether it is a whole day's end, too
 */
export const dayOf = (
  moment: string,
  end: End,
  timeZone: string,
): { readonly day: string; readonly isWhole: boolean } => {
  const day = writerIn(timeZone).format(Date.parse(moment) - (end === 'from' ? 0 : 1));
  return { day, isWhole: momentOf(day, end, timeZone) === moment };
};

/** An address's query with the moments that its days mean; invalid values are left out. */
export const withMoments = (query: Query, timeZone: string): Query => ({
  ...query,
  from: momentOf(query['from'], 'from', timeZone),
  to: momentOf(query['to'], 'to', timeZone),
});

/** A day in the reader's words. */
export const dayText = (day: string, language: string): string =>
  new Date(day).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' });
