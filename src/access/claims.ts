import type { Caller } from './caller.js';

/** How far the provider's clock and ours may differ, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 60;

const MAX_SUBJECT = 255;
const MAX_EMAIL = 320;
const CONTROL = /\p{Cc}/u;
// The last second that a Date can hold: beyond it (Infinity included) a token would never expire.
const LAST_SECOND = 8_640_000_000_000;

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= max && !CONTROL.test(value);

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= LAST_SECOND;

/**
 * The caller of a payload whose signature, issuer, audience and times a verifier has checked; `null` where a claim
 * that identity rests on is missing or has another type than OpenID Connect says. `now` in milliseconds.
 */
export const callerOf = (payload: unknown, now: number): Caller | null => {
  if (typeof payload !== 'object' || payload === null) return null;
  const claims = payload as Readonly<Record<string, unknown>>;
  if (!isText(claims.sub, MAX_SUBJECT) || !isTime(claims.exp)) return null;
  if (claims.iat !== undefined) {
    if (!isTime(claims.iat) || claims.iat > now / 1000 + CLOCK_TOLERANCE_SECONDS) return null;
  }
  const email = isText(claims.email, MAX_EMAIL) ? claims.email : null;
  return {
    subject: claims.sub,
    email,
    emailVerified: email !== null && claims.email_verified === true,
    expiresAt: claims.exp * 1000,
  };
};
