import { isEmail } from 'class-validator';
import { normaliseEmail } from '../../core/normalise-email.js';

/** Longest e-mail address, in characters: 64 before the `@` and 255 behind it. */
export const MAX_EMAIL = 320;

/** Blanks beyond ASCII, what is not seen (a byte order mark, a direction mark), halves of surrogate pairs. */
const UNSEEN = /[\p{Z}\p{C}]/u;

/**
 * Whether a text is an e-mail address; ASCII white space around it does no harm. Letters beyond ASCII are composed
 * (NFC) and lower case: so two addresses that are compared as equal differ by ASCII case alone, and no other sign, as
 * the Kelvin sign for a k, passes for somebody else's address.
 */
export const isEmailAddress = (text: string): boolean => {
  if (text.length > MAX_EMAIL) return false;
  const address = text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, '');
  const lowered = address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return !UNSEEN.test(address) && normaliseEmail(address) === lowered && isEmail(address);
};
