/**
 * Parses a URL; `null`: the text is not one. Not by `URL.canParse`: on Node 20 and 22, after some two thousand calls, it
 * refuses every host with a letter such as ü.
 */
export const urlOf = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/**
 * An http or https address without user information: `https://git.example.org@elsewhere.example` would look like a page
 * of git.example.org.
 */
export const WEB_ADDRESS = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/;

/** A name with dots or underscores in one word: `MessageSent` for `message.sent`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Levenshtein's distance: how many UTF-16 units to insert, delete or replace to turn one text into the other. */
export const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((row[j] ?? 0) + (a[i] === b[j] ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** A text on one line: white space and control characters become one blank, other invisible characters are removed. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trim();

/** The first `max` UTF-16 units of a text, or one less: never half of a surrogate pair. */
export const truncate = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

/** The first `max` UTF-16 units of a text, cut between two words unless at most half would be left. */
export const truncateAtWord = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const cut = truncate(text, max);
  const words = cut.replace(/(?<!\s)\s+\S*$/u, '');
  return (words.length > max / 2 ? words : cut).trimEnd();
};
