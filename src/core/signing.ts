import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type ChainHead, type LinkSigner, signedBytes } from './chain.js';
import type { LinkSignature } from './event.js';

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

/** The bytes before a seed in its PKCS #8 form (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed 32 bytes */
export const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });

/** A published key as Node verifies by it. */
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

/** Why a signature is refused: `unknown_key`, its key is not trusted; `wrong`, that key did not make it. */
export type SignatureFault = 'unknown_key' | 'wrong';

/**
 * The public keys of the current and the former signing keys. They are published, and signatures are checked with them.
 */
export class TrustedKeys {
  /** As published, the current one first. */
  readonly published: readonly PublicJwk[];
  private readonly byId: ReadonlyMap<string, { readonly jwk: PublicJwk; readonly key: KeyObject }>;

  /** @param all their `x`, the current one first */
  constructor(all: readonly string[]) {
    this.published = [...new Set(all)].map(publicJwk);
    this.byId = new Map(this.published.map((jwk) => [jwk.kid, { jwk, key: publicKeyOf(jwk) }]));
  }

  /** The key of that id; `null` if it is not one of these. */
  jwk(keyId: string): PublicJwk | null {
    return this.byId.get(keyId)?.jwk ?? null;
  }

  /**
   * Checks a link's signature.
   * @param hash the link's own
   * @returns `null` if it is good
   */
  check({ keyId, value }: LinkSignature, head: ChainHead, hash: string): SignatureFault | null {
    const known = this.byId.get(keyId);
    if (!known) return 'unknown_key';
    const bytes = Buffer.from(value, 'base64url');
    // Node ignores characters that are not base64url: compare with the canonical form.
    const written = bytes.toString('base64url') === value;
    return written && verify(null, signedBytes(head, hash), known.key, bytes) ? null : 'wrong';
  }
}

/** The key that this service signs with, and the keys that its signatures are checked with. */
export interface EvidenceKeys {
  readonly signer: LinkSigner;
  readonly trusted: TrustedKeys;
}

/**
 * @param seed the signing key's 32 bytes
 * @param former `x` of the public keys that were used before
 */
export const evidenceKeys = (seed: Uint8Array, former: readonly string[] = []): EvidenceKeys => {
  const key = privateKeyOf(seed);
  const { x } = createPublicKey(key).export({ format: 'jwk' }) as { x: string };
  const signer: LinkSigner = {
    keyId: publicJwk(x).kid,
    sign: (bytes) => sign(null, bytes, key).toString('base64url'),
  };
  return { signer, trusted: new TrustedKeys([x, ...former]) };
};
