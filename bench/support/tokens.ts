import {
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  SignJWT,
} from 'jose';

/** What a peer verifies tokens with. */
export interface Tokens {
  /** PEM. */
  readonly publicKey: string;
  /** As a token's header names it: `RS256`. */
  readonly algorithm: string;
  readonly issuer: string;
  readonly audience: string;
}

/** An identity provider for the peers. */
export interface Provider {
  readonly tokens: Tokens;
  /** @returns an ID token that is valid for some hours */
  tokenFor(subject: string): Promise<string>;
}

/** @returns a provider with a key of its own */
export const makeProvider = async (): Promise<Provider> => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const [issuer, audience] = ['https://issuer.example.org', 'bench'];
  return {
    tokens: { publicKey: await exportSPKI(publicKey), algorithm: 'RS256', issuer, audience },
    tokenFor: (subject) =>
      new SignJWT({ email: `${subject}@example.org`, email_verified: true })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('12h')
        .sign(privateKey),
  };
};

/** What tokens like this one are verified with. @param jwks the address of its issuer's keys */
export const tokensLike = async (token: string, jwks: string): Promise<Tokens> => {
  const { keys } = (await (await fetch(jwks)).json()) as JSONWebKeySet;
  const { kid, alg: algorithm = '' } = decodeProtectedHeader(token);
  const key = await importJWK(keys.find((one) => one.kid === kid) ?? {}, algorithm, { extractable: true });
  const { iss = '', aud = '' } = decodeJwt(token);
  return {
    publicKey: await exportSPKI(key as CryptoKey),
    algorithm,
    issuer: iss,
    audience: String(aud),
  };
};
