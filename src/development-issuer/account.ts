import { createHmac } from 'node:crypto';
import { isEmailAddress } from '../api/validation/email.js';
import { normaliseEmail } from '../core/normalise-email.js';

/** Somebody who signed in, as ID tokens tell of them. */
export interface Account {
  readonly email: string;
  readonly emailVerified: boolean;
}

/** A given e-mail address as tokens carry it (trimmed), or `null` where the service would take it for none. */
export const readEmail = (given: unknown): string | null =>
  typeof given === 'string' && isEmailAddress(given) ? given.trim() : null;

/** The same for every spelling of an address, in every process and after every restart; says nothing about it. */
export const subjectOf = (email: string, subjectSecret: string): string =>
  createHmac('sha256', Buffer.from(subjectSecret, 'base64url'))
    .update(normaliseEmail(email))
    .digest('base64url');

/** The claims of an account's ID tokens. */
export const claimsOf = ({ email, emailVerified }: Account, subjectSecret: string) => ({
  sub: subjectOf(email, subjectSecret),
  email,
  email_verified: emailVerified,
});
