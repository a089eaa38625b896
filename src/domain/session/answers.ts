import type { SpokenLanguage } from '../../languages/en/shapes.js';
import { SPOKEN } from '../../languages/languages.js';

/** Longest request, in characters: a longer text is an answer, even if it also asks something. */
const MAX_REQUEST = 220;

/**
 * Whether a text only asks to repeat or to explain the question: every part of it is such a request, or politeness around
 * it. The same words within an answer are part of the answer. Requests of all languages count, since people mix them.
 * Such a text is recorded, and is never counted as an answer.
 */
export const asksAgain = (text: string): boolean => {
  if (text.length > MAX_REQUEST) return false;
  const plain = plainOf(text);
  // Without a letter or a digit nothing was said: the question is repeated.
  if (!/[\p{L}\p{N}]/u.test(plain)) return true;
  if (WHOLE.has(plain.replace(/[?.!;,\s]+/g, ' ').trim())) return true;
  const found = { requests: 0, exclamations: 0, politeness: 0, doubts: 0 };
  for (const part of plain.split(/[?.!;,\n]+/)) {
    let rest = part.replace(/\s+/g, ' ').trim();
    while (rest !== '') {
      const next = longestAt(rest);
      if (next === null) return false;
      found[next.kind] += 1;
      rest = rest.slice(next.length).trim();
    }
  }
  return found.requests > 0 || (found.exclamations > 0 && found.doubts === 0);
};

/** The text in lower case, without accents, and without marks except those that end a part of a sentence. */
const plainOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[’‘`´]/g, "'")
    // Not within a name: Node.js.
    .replace(/(?<=[\p{L}\p{N}])[.:](?=[\p{L}\p{N}])/gu, ' ')
    .replace(/[:…—–()\n]/gu, ',')
    .replace(/[^\p{L}\p{N}'?.!;,\s]/gu, ' ')
    .trim();

/** Texts that ask again only if they are the whole text. */
const WHOLE: ReadonlySet<string> = new Set(['bitte', 'hallo bitte', 'ja bitte was', 'in other words']);

const KINDS = ['requests', 'doubts', 'exclamations', 'politeness'] as const;
type Kind = (typeof KINDS)[number];

const PATTERNS: readonly { readonly kind: Kind; readonly pattern: RegExp }[] = KINDS.flatMap((kind) =>
  Object.values<SpokenLanguage>(SPOKEN).flatMap((spoken) =>
    spoken[kind].map((source) => ({ kind, pattern: new RegExp(`^(?:${source})(?= |$)`, 'u') })),
  ),
);

/** The longest beginning of a text that is one of the patterns; `null`: none is. */
const longestAt = (text: string): { readonly kind: Kind; readonly length: number } | null => {
  let longest: { readonly kind: Kind; readonly length: number } | null = null;
  for (const { kind, pattern } of PATTERNS) {
    const length = pattern.exec(text)?.[0].length ?? 0;
    if (length > (longest?.length ?? 0)) longest = { kind, length };
  }
  return longest;
};
