/** Bytes of a whole, the last one included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const SINGLE = /^bytes\s*=\s*(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * Reads `Range` (RFC 9110, 14.2) against a whole of `size` bytes, of which there is at least one.
 * @returns `null` where the whole is to be answered: no header, another unit, several ranges, or none that can be read
 */
export const readRange = (header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null => {
  const match = SINGLE.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, from, to, suffix] = match;
  if (from === undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to ? Number(to) : Infinity;
  if (last < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) };
};
