import { ApiError } from '../http/api-error.js';

// An unsecured token (`alg: none`) has an empty third part: well-formed, and refused by the verifier.
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*) *$/i;

/** Whether a text has a token's form: three base64url parts. Says nothing of its truth. */
export const isTokenShaped = (text: string): boolean => TOKEN.test(text);

/** The token of an `Authorization` header, or `null` where it is missing or malformed. */
export const bearerToken = (header: string | undefined): string | null =>
  header === undefined ? null : (BEARER.exec(header)?.[1] ?? null);

/** 401 for a credential that is missing or malformed; the text is the interface's own. */
export const missingToken = (): ApiError =>
  new ApiError('missing_token', 'missing bearer token', { headers: { 'WWW-Authenticate': 'Bearer' } });
