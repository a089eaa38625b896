import { createHash } from 'node:crypto';
import { EXACT_BYTES } from '../../index-key.js';

const LOWEST = 0x21;
const HIGHEST = 0x7d;

const PLAIN = new RegExp(`^[!-}]{1,${EXACT_BYTES}}$`);

/**
 * Stands before the hash of a long name: it sorts below every unescaped character, and no escape begins with two
 * spaces.
 */
const ABBREVIATED = '  ';

const CHARACTERS = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= LOWEST && byte <= HIGHEST) return String.fromCharCode(byte);
  return (byte < LOWEST ? ' ' : '~') + byte.toString(16).padStart(2, '0');
});

/**
 * Encodes bytes as printable ASCII that sorts as the bytes do: `!` to `}` stay, a lower byte becomes a space and its
 * hex, a higher one `~` and its hex. Every server sorts and accepts such texts in the same way. The text of a prefix of
 * the bytes is a prefix of the text.
 */
export function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += CHARACTERS[byte] ?? '';
  return text;
}

/**
 * A name of any length and any characters as a document's `_id`, in the order of its UTF-8 bytes. A name longer than
 * `EXACT_BYTES` is cut there and ends in its hash.
 */
export function keyOf(name: string): string {
  if (PLAIN.test(name)) return name;
  const bytes = Buffer.from(name);
  if (bytes.length <= EXACT_BYTES) return textOf(bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return textOf(bytes.subarray(0, EXACT_BYTES)) + ABBREVIATED + hash;
}
