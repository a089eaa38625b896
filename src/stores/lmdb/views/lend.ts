import type { Database } from 'lmdb';
import type { Lent } from './record.js';

/** A value's bytes without copying them; `null` where there is none. */
export const lend = (database: Database<Buffer, Buffer>, key: Buffer): Lent | null => {
  const bytes: Uint8Array | undefined = database.getBinaryFast(key);
  if (!bytes) return null;
  if (Buffer.isBuffer(bytes)) return { bytes, size: bytes.length };
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), size: bytes.byteLength };
};
