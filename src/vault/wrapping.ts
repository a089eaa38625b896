import { createHmac } from 'node:crypto';
import { decrypt, encrypt, GCM_OVERHEAD } from '../core/vault/gcm.js';

const KEY_BYTES = 32;
const ID_BYTES = 8;

/** What `wrap` adds to a secret's length. */
export const WRAPPING_OVERHEAD = ID_BYTES + GCM_OVERHEAD;

/**
 * DATA_KEY at its work: wraps person keys and server secrets. What is wrapped begins with 8 bytes of the key's check
 * value, so that it can be told which of two keys wrapped it; its owner's name is authenticated with it.
 */
export class WrappingKey {
  /** Tells this key from every other and reveals nothing of it. */
  readonly check: string;
  private readonly id: Buffer;

  /** @param name of the setting, for the message */
  constructor(
    private readonly key: Buffer,
    readonly name: 'DATA_KEY' | 'DATA_KEY_PREVIOUS' = 'DATA_KEY',
  ) {
    if (key.length !== KEY_BYTES)
      throw new RangeError(`${name} must be ${KEY_BYTES} bytes long, not ${key.length}.`);
    const check = createHmac('sha256', key).update('assay vault check').digest();
    this.check = check.toString('hex');
    this.id = check.subarray(0, ID_BYTES);
  }

  wrap(secret: Buffer, owner: string): Buffer {
    return Buffer.concat([this.id, encrypt(this.key, secret, Buffer.from(owner))]);
  }

  /** `null`: wrapped by another key, for another owner, or damaged. */
  unwrap(wrapped: Buffer, owner: string): Buffer | null {
    if (!wrapped.subarray(0, ID_BYTES).equals(this.id)) return null;
    return decrypt(this.key, wrapped.subarray(ID_BYTES), Buffer.from(owner));
  }
}
