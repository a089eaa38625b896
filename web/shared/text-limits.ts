/** How much text the service takes in a field. */
export type TextLimit =
  /** Bytes in UTF-8: of the text, and of the text as a string of JSON with its quotation marks. */
  | { readonly bytes: number; readonly asJson: number }
  /** Code points, as JSON Schema counts them. */
  | { readonly maxLength: number };

const QUOTES = 2;

/** Length of the longest beginning of a text that the service takes, in UTF-16 units. It splits no code point. */
export const fitting = (text: string, limit: TextLimit): number => {
  let [units, count, asJson] = [0, 0, QUOTES];
  for (const character of text) {
    if ('maxLength' in limit) {
      count += 1;
      if (count > limit.maxLength) return units;
    } else {
      count += bytesOf(character);
      asJson += jsonBytesOf(character);
      if (count > limit.bytes || asJson > limit.asJson) return units;
    }
    units += character.length;
  }
  return units;
};

/** How many code points at a text's end are too many; 0: it fits. */
export const excessOf = (text: string, limit: TextLimit): number => {
  const units = fitting(text, limit);
  return units === text.length ? 0 : Array.from(text.slice(units)).length;
};

/** Splits a text into parts within the limit, in order. Parts without visible characters are left out. */
export const partsOf = (text: string, limit: TextLimit): readonly string[] => {
  const parts: string[] = [];
  for (let rest = text; rest !== '';) {
    // At least one unit: if no character fits the limit, the loop would not end.
    const units = Math.max(1, fitting(rest, limit));
    parts.push(rest.slice(0, units));
    rest = rest.slice(units);
  }
  return parts.filter(hasVisible);
};

/**
 * Whether a text has a visible character. The service refuses white space alone, but takes other invisible characters, and
 * such an answer would close its question.
 */
export const hasVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}\p{DI}]/u.test(text);

/** The text with U+FFFD for each lone surrogate, which some keyboards and cut texts have and UTF-8 cannot encode. */
export const wellFormed = (text: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));

const bytesOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
};

const jsonBytesOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code >= 0x20) return bytesOf(character);
  return '\b\t\n\f\r'.includes(character) ? 2 : 6;
};
