import { type Language, LANGUAGES } from '../domain/candidate/events.js';

const MOST_LANGUAGES = 20;

/**
 * The language of a page: what the client asks for (`ui_locales`), then what the browser prefers (`Accept-Language`),
 * then English.
 */
export const preferredLanguage = (uiLocales: unknown, accepted: string | undefined): Language =>
  firstKnown(typeof uiLocales === 'string' ? uiLocales.split(' ') : []) ??
  firstKnown(preferred(accepted ?? '')) ??
  'en';

const firstKnown = (tags: readonly string[]): Language | undefined => {
  for (const tag of tags.slice(0, MOST_LANGUAGES)) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().split('-', 1)[0] === language);
    if (found) return found;
  }
  return undefined;
};

const preferred = (header: string): readonly string[] =>
  header
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const quality = parameters.find((one) => one.startsWith('q='))?.slice('q='.length) ?? '1';
      return { tag, quality: Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
