import type { Caller } from '../../application/caller.js';
import { ApiError } from '../api-error.js';
import { isEmailAddress } from '../validation/formats.js';

// An unsecured token (`alg: none`) has an empty third part: well-formed, and refused by the verifier.
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** Whether a text has a token's form: three base64url parts. It is not verified here. */
export const isTokenShaped = (text: string): boolean => TOKEN.test(text);

/** 401 for a credential that is missing or malformed; the text is the interface's own. */
export const missingToken = (): ApiError =>
  new ApiError('missing_token', 'missing bearer token', { headers: { 'WWW-Authenticate': 'Bearer' } });

/** How far the provider's clock and ours may differ, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** UTF-16 units. */
const MAX_SUBJECT = 255;
/** Control characters, and halves of surrogate pairs: no store keeps those as they came. */
const UNFIT = /[\p{Cc}\p{Cs}]/u;
// The last second that a Date can hold: beyond it (Infinity included) a token would never expire.
const LAST_SECOND = 8_640_000_000_000;

const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_SUBJECT && !UNFIT.test(value);

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= LAST_SECOND;

/**
 * The caller of a payload whose signature, issuer, audience and times a verifier has checked; `null` if a claim that
 * identity rests on is missing or has another type than in OpenID Connect, or if the token was given to another of its
 * audiences than ours (`azp`). An e-mail that is no address counts as none.
 * @param now milliseconds since 1970
 * @param trustsEmail whether an address counts as verified if the issuer does not say that it is not: it sends no
 *   `email_verified`, or the text "true"
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
