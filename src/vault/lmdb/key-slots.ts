import { readFileSync } from 'node:fs';
import type { PersonId } from '../../core/vault/port.js';
import { WRAPPING_OVERHEAD, type WrappingKey } from '../wrapping.js';
import { overwriteNow } from './durable-files.js';

export const KEY_BYTES = 32;
const WRAPPED_BYTES = KEY_BYTES + WRAPPING_OVERHEAD;
/** A key file has room for two wrapped forms, each in a disk sector of its own, so that one is whole at any moment. */
const SLOTS = [0, 512] as const;
export const FILE_BYTES = SLOTS[1] + WRAPPED_BYTES;

/** The file of a wrapped key. */
export function contentOf(wrapped: Buffer): Buffer {
  const content = Buffer.alloc(FILE_BYTES);
  wrapped.copy(content, SLOTS[0]);
  return content;
}

/** A key as it stands in its file. */
export interface Form {
  readonly wrapped: Buffer;
  readonly key: Buffer;
}

/** The form that `wrapping` opens, if there is one. */
export function formIn(content: Buffer, person: PersonId, wrapping: WrappingKey): Form | null {
  for (const at of SLOTS) {
    const wrapped = slot(content, at);
    const key = wrapping.unwrap(wrapped, person);
    if (key) return { wrapped, key };
  }
  return null;
}

/** Writes `wrapped` beside `standing`, so that one of them is whole at any moment. One process at a time. */
export function writeBeside(path: string, standing: Buffer, wrapped: Buffer): void {
  overwriteNow(path, wrapped, otherThan(readFileSync(path), standing));
}

/** Overwrites whatever stands beside `standing`. One process at a time. */
export function keepOnly(path: string, standing: Buffer): void {
  const content = readFileSync(path);
  const other = otherThan(content, standing);
  if (slot(content, other).some((byte) => byte !== 0)) overwriteNow(path, Buffer.alloc(WRAPPED_BYTES), other);
}

const slot = (content: Buffer, at: number): Buffer => content.subarray(at, at + WRAPPED_BYTES);

const otherThan = (content: Buffer, standing: Buffer): number =>
  slot(content, SLOTS[0]).equals(standing) ? SLOTS[1] : SLOTS[0];
