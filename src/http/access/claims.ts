import type { Caller } from '../../application/caller.js';
import { ApiError } from '../api-error.js';
import { isEmailAddress } from '../validation/formats.js';

// An unsecured token (`alg: none`) has an empty third part. It has a token's form, and the verifier refuses it.
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** Whether a text has a token's form, three base64url parts. Does not verify it. */
export const isTokenShaped = (text: string): boolean => TOKEN.test(text);

/** 401 for a credential that is missing or malformed. The text is part of the API's contract. */
export const missingToken = (): ApiError =>
  new ApiError('missing_token', 'missing bearer token', { headers: { 'WWW-Authenticate': 'Bearer' } });

/** Allowed difference of the provider's clock from ours, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** In UTF-16 units. */
const MAX_SUBJECT = 255;
/** Control characters and halves of surrogate pairs, which stores do not keep unchanged. */
const UNFIT = /[\p{Cc}\p{Cs}]/u;
// The last second that a Date can hold: beyond it (Infinity included) a token would never expire.
const LAST_SECOND = 8_640_000_000_000;

const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_SUBJECT && !UNFIT.test(value);

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= LAST_SECOND;

/**
 * The caller in a payload whose signature, issuer, audience and times are already verified. An e-mail that is not an
 * address counts as none. Returns `null` if a claim that identifies the caller is missing or has another type than in
 * OpenID Connect, or if the token was issued to another of its audiences (`azp`).
 * @param now milliseconds since 1970
 * @param trustsEmail whether an address counts as verified also if the issuer sends no `email_verified`, or the text
 *   "true"
 */
export const callerOf = (
  payload: unknown,
  audience: string,
  now: number,
  trustsEmail = false,
): Caller | null => {
  if (typeof payload !== 'object' || payload === null) return null;
  const claims = payload as Readonly<Record<string, unknown>>;
  if (!isSubject(claims.sub) || !isTime(claims.exp)) return null;
  if (Array.isArray(claims.aud) && claims.aud.length > 1 && claims.azp !== audience) return null;
  if (claims.iat !== undefined) {
    if (!isTime(claims.iat) || claims.iat > now / 1000 + CLOCK_TOLERANCE_SECONDS) return null;
  }
  const email = typeof claims.email === 'string' && isEmailAddress(claims.email) ? claims.email : null;
  const { email_verified: verified } = claims;
  const isUnclear = verified === undefined || verified === 'true';
  return {
    subject: claims.sub,
    email,
    emailVerified: email !== null && (verified === true || (trustsEmail && isUnclear)),
    ...(email !== null &&
      isUnclear &&
      !trustsEmail && { unclearEmail: verified === undefined ? 'missing' : 'text' }),
    expiresAt: claims.exp * 1000,
  };
};
