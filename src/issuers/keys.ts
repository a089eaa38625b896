import type { JWK } from 'jose';
import type Provider from 'oidc-provider';
import type { FetchJson } from '../http/access/discovery.js';

/** The public part of a signing key. */
export const publicPart = ({ kty, crv, x, y, n, e, alg, use, kid }: JWK): JWK =>
  JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, alg, use, kid })) as JWK;

/**
 * Returns an issuer's discovery document and keys without the network, since the process may be unable to reach
 * PUBLIC_URL.
 * @throws {Error} it is another URL
 */
export const published =
  (issuerUrl: string, signingKeys: () => Promise<readonly JWK[]>): FetchJson =>
  async (url) => {
    const jwksUri = `${issuerUrl}/jwks`;
    if (url === jwksUri) return { keys: (await signingKeys()).map(publicPart) };
    if (url === `${issuerUrl}/.well-known/openid-configuration`)
      return { issuer: issuerUrl, jwks_uri: jwksUri };
    throw new Error(`The issuer ${issuerUrl} publishes nothing at ${url}.`);
  };

/**
 * Returns the provider of an issuer's current keys. It is created at the first call, since its library takes long to
 * load, and again once `current` returns another object.
 */
export const providerOfCurrent = <Keys>(
  current: () => Promise<Keys>,
  make: (keys: Keys) => Promise<Provider>,
): (() => Promise<Provider>) => {
  let made: { readonly keys: Keys; readonly provider: Promise<Provider> } | undefined;
  return async () => {
    const keys = await current();
    if (made?.keys !== keys) {
      const provider = make(keys).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      made = { keys, provider };
    }
    return made.provider;
  };
};
