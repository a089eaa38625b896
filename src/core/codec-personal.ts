import { randomBytes } from 'node:crypto';

/**
 * What lies inside a sealed personal part: the storage contract.
 *
 *     32 bytes   the salt of the chain's commitment, random
 *      2 bytes   length of the request's hash, unsigned, big-endian; 65535: there is none
 *      n bytes   the request's hash, UTF-8: over a body that holds personal data it would tell on the person
 *      the rest  the personal part's text, JSON in UTF-8
 */
export interface SealedPart {
  readonly salt: Buffer;
  readonly requestHash: string | null;
  readonly text: Buffer;
}

const SALT_BYTES = 32;
const NONE = 0xffff;

export const freshSalt = (): Buffer => randomBytes(SALT_BYTES);

export function packPersonal({ salt, requestHash, text }: SealedPart): Buffer {
  const hash = Buffer.from(requestHash ?? '');
  if (hash.length >= NONE) throw new RangeError('A request hash is shorter than 64 KiB.');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(requestHash === null ? NONE : hash.length);
  return Buffer.concat([salt, length, hash, text]);
}

/** Whether so many bytes can be what `packPersonal` made. */
export const isPacked = (packed: Buffer): boolean => {
  const from = SALT_BYTES + 2;
  if (packed.length < from) return false;
  const length = packed.readUInt16BE(SALT_BYTES);
  return length === NONE || packed.length >= from + length;
};

/** @param packed what `packPersonal` made; its seal vouches for that */
export function unpackPersonal(packed: Buffer): SealedPart {
  const length = packed.readUInt16BE(SALT_BYTES);
  const from = SALT_BYTES + 2;
  const to = length === NONE ? from : from + length;
  return {
    salt: packed.subarray(0, SALT_BYTES),
    requestHash: length === NONE ? null : packed.toString('utf8', from, to),
    text: packed.subarray(to),
  };
}
