import { isEmail } from 'class-validator';
import { MAX_EMAIL, normaliseEmail, signComparedAsAscii, visibleEmail } from '../../core/email-address.js';

/** Space, control characters and halves of surrogate pairs. */
const UNFIT = /[\p{Z}\p{C}]/u;

/**
 * Whether a text is an e-mail address once it is normalised for comparison: white space around it, invisible characters
 * and other forms of letters beyond ASCII are allowed. In the local part no character is allowed that becomes an ASCII
 * one by normalisation, such as the Kelvin sign.
 */
export const isEmailAddress = (text: string): boolean => {
  if (text.length > MAX_EMAIL) return false;
  const visible = visibleEmail(text);
  if (UNFIT.test(visible) || signComparedAsAscii(visible.slice(0, visible.lastIndexOf('@'))) !== null)
    return false;
  return isEmail(normaliseEmail(visible));
};

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * Reads an RFC 3339 time.
 * @returns `null`: anything else, also a day or an hour that does not exist
 */
export const parseInstant = (text: string): Date | null => {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] =
    match.slice(1).map((part) => Number(part as string | undefined) || 0);
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return null;
  const date = new Date(text.toUpperCase());
  return Number.isNaN(date.getTime()) ? null : date;
};
