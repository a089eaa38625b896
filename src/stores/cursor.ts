import { createHash } from 'node:crypto';
import { BadCursor } from './errors.js';

/** The list that a cursor belongs to. A generation is not part of it: a cursor stays valid after a promotion. */
export interface CursorScope {
  readonly view: string;
  readonly index: string;
  /** The encoded prefix. */
  readonly prefix: Uint8Array;
  /** As in `PageOptions`; left out or `undefined`: the list has no such bound. */
  readonly startsWith?: string | undefined;
  readonly reverse: boolean;
}

const FORMAT = 1;
const SCOPE_BYTES = 12;

/**
 * A cursor after an entry.
 * @param tail the entry's encoded key and id, without the prefix
 */
export const writeCursor = (scope: CursorScope, tail: Uint8Array): string =>
  Buffer.concat([Buffer.of(FORMAT), digest(scope), tail]).toString('base64url');

/**
 * The tail that `writeCursor` was given.
 * @throws {BadCursor} it is not a cursor of this list
 */
export function readCursor(scope: CursorScope, cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  const own =
    bytes.length > 1 + SCOPE_BYTES &&
    bytes[0] === FORMAT &&
    bytes.subarray(1, 1 + SCOPE_BYTES).equals(digest(scope)) &&
    bytes.toString('base64url') === cursor;
  if (!own) throw new BadCursor('The cursor is not one that this list gave.');
  return bytes.subarray(1 + SCOPE_BYTES);
}

const digest = ({ view, index, prefix, startsWith, reverse }: CursorScope): Buffer =>
  createHash('sha256')
    .update(`${JSON.stringify([view, index, reverse, startsWith ?? null])}\0`)
    .update(prefix)
    .digest()
    .subarray(0, SCOPE_BYTES);
