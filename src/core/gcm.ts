import { createCipheriv, createDecipheriv } from 'node:crypto';
import { freshBytes } from './random.js';

/*
 * AES-256-GCM with a random nonce. Sealed bytes are: nonce (12 bytes), ciphertext, tag (16 bytes).
 */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What `encrypt` adds to the plaintext's length. */
export const GCM_OVERHEAD = NONCE_BYTES + TAG_BYTES;

/** @param authenticated is not stored: `decrypt` needs the same bytes */
export function encrypt(key: Buffer, plaintext: Buffer, authenticated: Buffer): Buffer {
  const sealed = Buffer.allocUnsafe(plaintext.byteLength + GCM_OVERHEAD);
  encryptInto(sealed, key, [plaintext], authenticated);
  return sealed;
}

/** As `encrypt`, for a plaintext in parts. @param target `GCM_OVERHEAD` bytes longer than all parts together */
export function encryptInto(
  target: Buffer,
  key: Buffer,
  plaintext: readonly Uint8Array[],
  authenticated: Buffer,
): void {
  const nonce = freshBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(authenticated);
  let at = nonce.copy(target);
  for (const part of plaintext) at += cipher.update(part).copy(target, at);
  cipher.final();
  cipher.getAuthTag().copy(target, at);
}

/** @returns `null`: it was not made by `encrypt` with this key and this authenticated data */
export function decrypt(key: Buffer, sealed: Buffer, authenticated: Buffer): Buffer | null {
  if (sealed.length < GCM_OVERHEAD) return null;
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(authenticated)
    .setAuthTag(sealed.subarray(end));
  const plaintext = decipher.update(sealed.subarray(NONCE_BYTES, end));
  try {
    // GCM deciphers everything in `update`; `final` only checks the tag.
    decipher.final();
    return plaintext;
  } catch {
    return null;
  }
}
