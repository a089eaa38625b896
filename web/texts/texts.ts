import { de } from './de.js';
import { en, type Texts } from './en.js';

export type { Texts };

export const LANGUAGES = { en, de } as const satisfies Readonly<Record<string, Texts>>;
export type Language = keyof typeof LANGUAGES;

/** The first of the wished languages that the page has: `de-AT` is `de`. */
export const languageOf = (wished: readonly (string | null | undefined)[]): Language => {
  for (const one of wished) {
    const known = (Object.keys(LANGUAGES) as Language[]).find(
      (name) => name === one?.toLowerCase().split('-', 1)[0],
    );
    if (known) return known;
  }
  return 'en';
};
