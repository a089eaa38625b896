import { importJWK, SignJWT } from 'jose';
import { claimsOf, type Account } from './account.js';
import type { IssuerKeys } from './keys.js';

/** How long an ID token is valid, in seconds. */
export const ID_TOKEN_SECONDS = 3600;

/** An ID token without a client's sign-in, signed with the newest ES256 key. */
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
