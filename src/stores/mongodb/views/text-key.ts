import { createHash } from 'node:crypto';
import { EXACT_BYTES } from '../../index-key.js';

const LOWEST = 0x21;
const HIGHEST = 0x7d;

const PLAIN = new RegExp(`^[!-}]{1,${EXACT_BYTES}}$`);

/** Below every unescaped character, and no escape: two spaces never begin one. */
const ABBREVIATED = '  ';

const CHARACTERS = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= LOWEST && byte <= HIGHEST) return String.fromCharCode(byte);
  return (byte < LOWEST ? ' ' : '~') + byte.toString(16).padStart(2, '0');
});

/**
 * Bytes as printable ASCII text with the order of the bytes: `!` to `}` are not escaped, a lower byte is a space
 * and its hex, a higher one `~` and its hex. Servers agree about the order of such texts, whatever they do about
 * others, and take them everywhere; the text of a prefix is a prefix of the text.
 */
export function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += CHARACTERS[byte] ?? '';
  return text;
}

/**
 * A name of any length and any characters as a document's `_id`, in the order of its UTF-8 bytes. What is longer than
 * `EXACT_BYTES` ends in its hash.
 */
export function keyOf(name: string): string {
  if (PLAIN.test(name)) return name;
  const bytes = Buffer.from(name);
  if (bytes.length <= EXACT_BYTES) return textOf(bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return textOf(bytes.subarray(0, EXACT_BYTES)) + ABBREVIATED + hash;
}
