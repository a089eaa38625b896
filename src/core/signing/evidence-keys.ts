import { createPublicKey, sign } from 'node:crypto';
import type { LinkSigner } from '../chain.js';
import { privateKeyOf, publicJwk } from './ed25519.js';
import { TrustedKeys } from './trusted-keys.js';

/** The key that this service signs with, and all that its signatures are checked by. */
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
