import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A public key as the key set shows it (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The key's 32 bytes in base64url. */
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** What stands before a seed in its PKCS #8 form (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed 32 bytes */
export const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });

export const publicKeyOf = ({ kty, crv, x }: Pick<PublicJwk, 'kty' | 'crv' | 'x'>): KeyObject =>
  createPublicKey({ key: { kty, crv, x }, format: 'jwk' });

/** @param x the public key's 32 bytes in base64url */
export const publicJwk = (x: string): PublicJwk => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid: thumbprint(x),
  use: 'sig',
  alg: 'EdDSA',
});

/** RFC 7638: over the required members alone, by name, without blanks. */
const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

/** Whether a text is the `x` of a key: 32 bytes in base64url, written the one way there is. */
export const isPublicX = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 32 && bytes.toString('base64url') === text;
};
