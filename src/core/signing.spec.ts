import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPublicKey, verify } from 'node:crypto';
import { evidenceKeys, isPublicX } from './signing.js';

// RFC 8037, appendix A.
const SEED = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url');
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const THUMBPRINT = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const FORMER = evidenceKeys(Buffer.alloc(32, 7));
const FORMER_X = FORMER.trusted.published[0]!.x;

const head = { sequenceNumber: 3, hash: 'ab'.repeat(32) };
const hash = 'cd'.repeat(32);
/** What chain.ts says that a signature is over, made by other means. */
const signedText = (fields: readonly string[]): Buffer =>
  Buffer.concat(
    fields.flatMap((field) => [Buffer.from([0, 0, 0, Buffer.byteLength(field)]), Buffer.from(field)]),
  );
const bytes = signedText(['assay.head.v1', '3', head.hash, hash]);

describe('keys that evidence is signed with', () => {
  it('are published as RFC 8037 and RFC 7638 have it, and nothing private with them', () => {
    const { signer, trusted } = evidenceKeys(SEED, [FORMER_X]);
    expect(signer.keyId).toBe(THUMBPRINT);
    expect(trusted.published).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: X, kid: THUMBPRINT, use: 'sig', alg: 'EdDSA' },
      expect.objectContaining({ x: FORMER_X, kid: FORMER.signer.keyId }),
    ]);
    expect(trusted.jwk(THUMBPRINT)?.x).toBe(X);
    expect(trusted.jwk('another')).toBeNull();
  });

  it('are each published once, also where the one of today is named as a former one', () => {
    const { trusted } = evidenceKeys(SEED, [FORMER_X, X, FORMER_X]);
    expect(trusted.published.map(({ x }) => x)).toEqual([X, FORMER_X]);
  });

  it('make signatures that hold by the published key alone', () => {
    const { signer, trusted } = evidenceKeys(SEED);
    const { kty, crv, x } = trusted.published[0]!;
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    expect(verify(null, bytes, key, Buffer.from(signer.sign(bytes), 'base64url'))).toBe(true);
  });

  it('trust the former ones, and nobody else', () => {
    const value = FORMER.signer.sign(bytes);
    const signature = { keyId: FORMER.signer.keyId, value };
    expect(evidenceKeys(SEED, [FORMER_X]).trusted.check(signature, head, hash)).toBeNull();
    expect(evidenceKeys(SEED).trusted.check(signature, head, hash)).toBe('unknown_key');
    const borrowed = { keyId: THUMBPRINT, value };
    expect(evidenceKeys(SEED, [FORMER_X]).trusted.check(borrowed, head, hash)).toBe('wrong');
  });

  it('take a signature for no other head, hash or text', () => {
    const { signer, trusted } = evidenceKeys(SEED);
    const signature = { keyId: signer.keyId, value: signer.sign(bytes) };
    expect(trusted.check(signature, head, hash)).toBeNull();
    expect(trusted.check(signature, { ...head, sequenceNumber: 4 }, hash)).toBe('wrong');
    expect(trusted.check(signature, { ...head, hash: null }, hash)).toBe('wrong');
    expect(trusted.check(signature, head, 'ce'.repeat(32))).toBe('wrong');
    fc.assert(
      fc.property(
        fc.nat(signature.value.length - 1),
        fc.constantFrom('A', 'b', '-', '=', ' '),
        (at, other) => {
          fc.pre(signature.value[at] !== other);
          const value = signature.value.slice(0, at) + other + signature.value.slice(at + 1);
          expect(trusted.check({ ...signature, value }, head, hash)).toBe('wrong');
        },
      ),
    );
    for (const value of ['', `${signature.value}=`, `${signature.value}AA`])
      expect(trusted.check({ ...signature, value }, head, hash)).toBe('wrong');
  });

  it('are told from private keys as they are usually written', () => {
    expect(isPublicX(X)).toBe(true);
    for (const text of ['', SEED.toString('base64'), SEED.toString('hex'), `${X}A`, `${X.slice(0, -1)}p`])
      expect(isPublicX(text)).toBe(false);
  });
});
