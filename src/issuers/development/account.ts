import { importJWK, SignJWT } from 'jose';
import { createHmac } from 'node:crypto';
import { emailMistake, readableEmail, visibleEmail } from '../../core/email-address.js';
import { type ErrorDetail, validationFailed } from '../../http/api-error.js';
import { isEmailAddress } from '../../http/validation/formats.js';
import { SIGN_IN_TEXTS } from '../../languages/languages.js';
import type { IssuerKeys } from './keys.js';

/** A signed-in person, as in ID tokens. */
export interface Account {
  readonly email: string;
  readonly emailVerified: boolean;
}

/** An e-mail address without invisible characters, as in tokens; `null`: the service would not accept it. */
export const readEmail = (given: unknown): string | null =>
  typeof given === 'string' && isEmailAddress(given) ? visibleEmail(given) : null;

/** A sentence about the character that makes a text an invalid address, to append to another sentence; `''`: none. */
export const mistakeIn = (given: unknown): string => {
  const mistake = typeof given === 'string' ? emailMistake(given) : null;
  return mistake === null ? '' : ` ${SIGN_IN_TEXTS.en.wrongSign(mistake)}`;
};

/** The subject of an address, equal for all its spellings and after restarts. It reveals nothing about the address. */
export const subjectOf = (email: string, subjectSecret: string): string =>
  createHmac('sha256', Buffer.from(subjectSecret, 'base64url'))
    .update(readableEmail(email))
    .digest('base64url');

/** The claims of an account's ID tokens. */
export const claimsOf = ({ email, emailVerified }: Account, subjectSecret: string) => ({
  sub: subjectOf(email, subjectSecret),
  email,
  email_verified: emailVerified,
});

/** How long an ID token is valid, in seconds. */
export const ID_TOKEN_SECONDS = 3600;

/** Issues an ID token without a client's sign-in, signed with the newest ES256 key. */
export const issueIdToken = async (
  account: Account,
  keys: IssuerKeys,
  { issuerUrl, audience }: { readonly issuerUrl: string; readonly audience: string },
): Promise<string> => {
  const key = keys.signing.find(({ alg }) => alg === 'ES256');
  if (!key?.kid) throw new Error('The development issuer has no ES256 key.');
  const { sub, ...claims } = claimsOf(account, keys.subjectSecret);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: key.kid })
    .setIssuer(issuerUrl)
    .setAudience(audience)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(`${ID_TOKEN_SECONDS}s`)
    .sign(await importJWK(key, 'ES256'));
};

/** Reads the body of `POST {issuer}/token-for`. @throws {ApiError} `validation_failed`, with each wrong field */
export const readTokenRequest = (body: Readonly<Record<string, unknown>>): Account => {
  const email = readEmail(body.email);
  const { emailVerified = true } = body;
  const details: ErrorDetail[] = [];
  if (email === null) {
    details.push({
      path: 'email',
      rule: 'email',
      message: `email must be an e-mail address.${mistakeIn(body.email)}`,
    });
  }
  if (typeof emailVerified !== 'boolean') {
    details.push({ path: 'emailVerified', rule: 'boolean', message: 'emailVerified must be true or false.' });
  }
  if (email === null || typeof emailVerified !== 'boolean') throw validationFailed(details);
  return { email, emailVerified };
};
