import { domainToASCII, domainToUnicode } from 'node:url';
import type { EmailMistake } from '../languages/en/shapes.js';

/** Longest e-mail address, in characters: 64 before the `@` and 255 behind it. */
export const MAX_EMAIL = 320;

/** Invisible characters: zero-width ones, soft hyphens, variation selectors, marks of direction. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;
const AROUND = /^[\s\p{White_Space}]+|(?<![\s\p{White_Space}])[\s\p{White_Space}]+$/gu;
/** ASCII characters that no host name has. The conversion to an A-label would end the name at some of them. */
const NOT_IN_HOSTS = /[^a-z0-9._\u0080-\u{10ffff}-]/iu;
// eslint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;

/** An e-mail address without invisible characters and surrounding white space. */
export const visibleEmail = (email: string): string => email.replace(IGNORED, '').replace(AROUND, '');

/**
 * The form in which e-mail addresses are compared, everywhere: without invisible characters and surrounding white space,
 * NFC, lower-cased, its domain as A-labels by UTS 46 (non-transitional). The local part is neither case-folded nor
 * mapped by compatibility: `strauß` and `strauss` are two people. Normalising twice changes nothing.
 */
export const normaliseEmail = (email: string): string => {
  const { local, domain } = parts(email);
  return domain === null ? lower(local) : `${lower(local)}@${asciiDomain(domain)}`;
};

/** Whether two addresses are the same. */
export const isSameEmail = (one: string, other: string): boolean =>
  one === other || normaliseEmail(one) === normaliseEmail(other);

/** The compared form with its domain in letters as people read them: `anna@bücher.example`. */
export const readableEmail = (email: string): string => withDomain(normaliseEmail(email), domainToUnicode);

/**
 * The mailbox as a mail server gets it: the local part as it was written, the domain as A-labels. Only a local part
 * with letters beyond ASCII needs a server that supports SMTPUTF8.
 */
export const mailboxOf = (email: string): string => {
  const { local, domain } = parts(email);
  return domain === null ? local : `${local}@${asciiDomain(domain)}`;
};

/**
 * Forms by which former releases looked an address up, without today's: they left the domain as it was written, in
 * letters or as A-labels.
 */
export const formerEmailForms = (email: string): readonly string[] => {
  const forms = new Set([email, readableEmail(email)].map((one) => lower(one.normalize('NFC').trim())));
  forms.delete(normaliseEmail(email));
  return [...forms];
};

/** Normalised again after lower-casing, which can take a composed character apart. */
const lower = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

const parts = (email: string): { readonly local: string; readonly domain: string | null } => {
  const text = visibleEmail(email).normalize('NFC');
  const at = text.lastIndexOf('@');
  return at === -1 ? { local: text, domain: null } : { local: text.slice(0, at), domain: text.slice(at + 1) };
};

/**
 * As A-labels; lower-cased if it is no domain. UTS 46 does not map some capital letters, so the small form is tried
 * too.
 */
const asciiDomain = (domain: string): string => {
  const lowered = lower(domain);
  if (ASCII.test(domain) || NOT_IN_HOSTS.test(domain)) return lowered;
  return domainToASCII(domain) || domainToASCII(lowered) || lowered;
};

const withDomain = (email: string, change: (domain: string) => string): string => {
  const at = email.lastIndexOf('@');
  if (at === -1) return email;
  const domain = email.slice(at + 1);
  return `${email.slice(0, at)}@${change(domain) || domain}`;
};

const AT_LIKE = /[\uff20\ufe6b]/u;
/**
 * White space, control and other invisible characters, halves of surrogate pairs, marks that end or enclose addresses.
 */
const NEVER = /[\p{Z}\p{C}\s,;:<>()[\]\\"\uff0c\uff1b\uff1a\u3001\u060c\u061b]/u;
/** Most characters of `after`. */
const MAX_AFTER = 32;

/**
 * The first character that makes a text no e-mail address; `null` if no single character does. Call it only for a text
 * that is not an e-mail address.
 */
export const emailMistake = (text: string): EmailMistake | null => {
  const visible = visibleEmail(text);
  if (visible === '') return null;
  if (!visible.includes('@')) {
    const like = AT_LIKE.exec(visible);
    if (like) return mistakeAt(visible, like.index, 'at');
  }
  const never = NEVER.exec(visible);
  if (never) return mistakeAt(visible, never.index, 'remove');
  const at = visible.lastIndexOf('@');
  if (at === -1) return { sign: '@', fault: 'missing', after: '' };
  const second = visible.indexOf('@');
  if (second !== at) return mistakeAt(visible, at, 'remove');
  const dot = /^\.|\.(?=\.|@|$)|(?<=@)\./u.exec(visible);
  if (dot) return mistakeAt(visible, dot.index, 'remove');
  const posing = signComparedAsAscii(visible.slice(0, at));
  if (posing !== null) return mistakeAt(visible, visible.indexOf(posing), 'remove');
  return null;
};

/**
 * A character beyond ASCII that is compared as an ASCII one, as the Kelvin sign is compared as k: one person's address
 * could be used as another's. `null`: the local part has none.
 */
export const signComparedAsAscii = (local: string): string | null => {
  for (const sign of local.replace(IGNORED, ''))
    if (!ASCII.test(sign) && ASCII.test(lower(sign))) return sign;
  return null;
};

const mistakeAt = (text: string, index: number, fault: 'remove' | 'at'): EmailMistake => {
  const sign = String.fromCodePoint(text.codePointAt(index) ?? 0).replace(/\p{Zs}/u, ' ');
  const after =
    text
      .slice(0, index)
      .split(/[\p{Z}\p{C}\s,;<>()"]/u)
      .at(-1) ?? '';
  return { sign, fault, after: Array.from(after).slice(-MAX_AFTER).join('') };
};
