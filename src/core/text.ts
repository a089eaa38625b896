/**
 * The URL that a text is; `null`: it is none. Not asked of `URL.canParse`: on Node 20 and 22 it denies every host with a
 * letter such as ü once it has been called some two thousand times.
 */
export const urlOf = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/** A dotted name in one word: `MessageSent` for `message.sent`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** How many characters must be put in, left out or replaced to make one text of the other (Levenshtein's). */
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

/** The first UTF-16 units of a text, at most that many, cut between characters. */
export const wellCut = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** At most that many characters, cut between two words if possible. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const cut = wellCut(text, most);
  const words = cut.replace(/(?<!\s)\s+\S*$/u, '');
  return (words.length > most / 2 ? words : cut).trimEnd();
};
