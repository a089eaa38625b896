import { createHash } from 'node:crypto';
import { EXACT_BYTES } from '../../index-key.js';

/** `!` and `}`: bytes from one to the other are not escaped. */
const LOWEST = 0x21;
const HIGHEST = 0x7d;

/** Names that are their own key. */
const PLAIN = new RegExp(`^[!-}]{1,${EXACT_BYTES}}$`);

/** Separates a long name's beginning from its hash: no escape contains it, and it sorts below every byte's text. */
const ABBREVIATED = '  ';

/** The text of each byte. */
const CHARACTERS = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= LOWEST && byte <= HIGHEST) return String.fromCharCode(byte);
  return (byte < LOWEST ? ' ' : '~') + byte.toString(16).padStart(2, '0');
});

/**
 * Encodes bytes as printable ASCII that sorts as the bytes do: `!` to `}` stay, a lower byte becomes a space and its
 * hex, a higher one `~` and its hex. MongoDB and the servers that speak its protocol sort such texts alike. The text of
 * a prefix of the bytes is a prefix of the text.
 */
export function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += CHARACTERS[byte] ?? '';
  return text;
}

/**
 * The `_id` for a name of any length and any characters, such as a document's id or a lease's name. It sorts by the
 * first `EXACT_BYTES` of the name's UTF-8 bytes. The `_id` of a longer name has these, then the name's hash.
 */
export function keyOf(name: string): string {
  if (PLAIN.test(name)) return name;
  const bytes = Buffer.from(name);
  if (bytes.length <= EXACT_BYTES) return textOf(bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return textOf(bytes.subarray(0, EXACT_BYTES)) + ABBREVIATED + hash;
}
