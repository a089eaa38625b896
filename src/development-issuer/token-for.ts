import { validationFailed, type ErrorDetail } from '../api/http/api-error.js';
import { readEmail, type Account } from './account.js';

/** Whom `POST {issuer}/token-for` asks a token for; throws `validation_failed` naming each wrong field. */
export const readTokenRequest = (body: Readonly<Record<string, unknown>>): Account => {
  const email = readEmail(body.email);
  const { emailVerified = true } = body;
  const details: ErrorDetail[] = [];
  if (email === null) {
    details.push({ path: 'email', rule: 'email', message: 'email must be an e-mail address.' });
  }
  if (typeof emailVerified !== 'boolean') {
    details.push({ path: 'emailVerified', rule: 'boolean', message: 'emailVerified must be true or false.' });
  }
  if (email === null || typeof emailVerified !== 'boolean') throw validationFailed(details);
  return { email, emailVerified };
};
