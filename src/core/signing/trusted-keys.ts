import { type KeyObject, verify } from 'node:crypto';
import { type ChainHead, signedBytes } from '../chain.js';
import type { LinkSignature } from '../event.js';
import { type PublicJwk, publicJwk, publicKeyOf } from './ed25519.js';

/** What is wrong with a signature: nobody whom we trust has that key, or it did not make it. */
export type SignatureFault = 'unknown_key' | 'wrong';

/** The public keys that results are, or once were, signed with: what is published, and what signatures count by. */
export class TrustedKeys {
  /** As published, the one of today first. */
  readonly published: readonly PublicJwk[];
  private readonly byId: ReadonlyMap<string, { readonly jwk: PublicJwk; readonly key: KeyObject }>;

  /** @param all their `x`, the one of today first */
  constructor(all: readonly string[]) {
    this.published = [...new Set(all)].map(publicJwk);
    this.byId = new Map(this.published.map((jwk) => [jwk.kid, { jwk, key: publicKeyOf(jwk) }]));
  }

  /** The key of that id, `null` where it is none of ours. */
  jwk(keyId: string): PublicJwk | null {
    return this.byId.get(keyId)?.jwk ?? null;
  }

  /**
   * Checks a link's signature.
   * @param hash the link's own
   * @returns `null` where it is good
   */
  check({ keyId, value }: LinkSignature, head: ChainHead, hash: string): SignatureFault | null {
    const known = this.byId.get(keyId);
    if (!known) return 'unknown_key';
    const bytes = Buffer.from(value, 'base64url');
    // Node reads past what is no base64url: one signature has one text.
    const written = bytes.toString('base64url') === value;
    return written && verify(null, signedBytes(head, hash), known.key, bytes) ? null : 'wrong';
  }
}
