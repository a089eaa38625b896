import { asksAgain } from '../../domain/session/answers.js';
import type { SpokenLanguage } from '../../languages/en/shapes.js';
import { type Language, LANGUAGES, SPOKEN } from '../../languages/languages.js';

/**
 * How much an answer contains, by rules of thumb. They only decide whether the interviewer asks again, never a score.
 * Content counts, not language: grammar, spelling, tense and articles do not matter, so that speaking a second language
 * is no disadvantage. Nor do capitals, digits and punctuation, which some speech recognisers leave out.
 */
export type AnswerQuality =
  /** It asks for the question again or in other words, or has no words. */
  | 'asks_again'
  /** Too few words for a judgement. */
  | 'short'
  /** Long enough, but nothing concrete: no number, name, technical term, reason, example or past event. */
  | 'vague'
  | 'full';

/** An answer with fewer different words is short. */
const MIN_WORDS = 5;
/** An answer without anything concrete is short if it has fewer different words, else vague. */
const SHORT_WORDS = 12;
/** How many characters of an answer are analysed. */
const MAX_ANALYSED = 16_384;

/** @param language the interview's: assumed if the answer's own language cannot be detected */
export const qualityOf = (answer: string, language: Language): AnswerQuality => {
  const text = answer.slice(0, MAX_ANALYSED);
  if (asksAgain(text)) return 'asks_again';
  const spoken = SPOKEN[languageOf(text, language)];
  const words = weighedWords(text, spoken);
  if (words < MIN_WORDS) return 'short';
  if (namesSomethingConcrete(text, spoken)) return 'full';
  return words < SHORT_WORDS ? 'short' : 'vague';
};

/** Detects a text's language by its common words. @param otherwise returned if no single language has the most */
export const languageOf = (text: string, otherwise: Language): Language => {
  const counts = LANGUAGES.map((language) => ({
    language,
    words: text.slice(0, DETECTED_BY).match(SPOKEN[language].common)?.length ?? 0,
  }));
  const most = Math.max(...counts.map(({ words }) => words));
  const found = counts.filter(({ words }) => words === most);
  return found.length === 1 && found[0] ? found[0].language : otherwise;
};

/** How many characters from the beginning of a text are used to detect its language. */
const DETECTED_BY = 2_000;

// By Unicode's rules, which also find words in scripts without spaces between them.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** How many words are compared. */
const COUNTED_WORDS = 1_000;

/**
 * The number of different words; counting stops at about `SHORT_WORDS`. In a language that joins words, a long word
 * counts as two.
 */
const weighedWords = (text: string, { longWord }: SpokenLanguage): number => {
  const seen = new Set<string>();
  let words = 0;
  let segments = 0;
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const word = segment.toLowerCase();
    if (isWordLike && !seen.has(word)) {
      seen.add(word);
      words += word.length >= longWord ? 2 : 1;
    }
    segments += 1;
    if (words >= SHORT_WORDS || segments >= 2 * COUNTED_WORDS) break;
  }
  return words;
};

/** Signs of concreteness in any language. */
const CONCRETE: readonly RegExp[] = [
  /\p{N}/u,
  // Acronyms.
  /\b(?!OK\b)\p{Lu}[\p{Lu}\p{N}]{1,5}\b/u,
  // Text written like code.
  /\p{L}(_|::|->)\p{L}|\p{Ll}\p{Lu}\p{Ll}|\p{L}\.\p{L}{2,}|\w\(\)|\b[Cc](\+\+|#)|`/u,
];
/** A word with a capital within a sentence. */
const NAME = /[\p{Ll}\p{N},;] \p{Lu}[\p{L}\p{N}]/u;

/** Whether an answer names something that happened, was used, was counted or was the reason. */
const namesSomethingConcrete = (text: string, { capitalsAreNames }: SpokenLanguage): boolean =>
  CONCRETE.some((pattern) => pattern.test(text)) ||
  (capitalsAreNames && NAME.test(text)) ||
  Object.values<SpokenLanguage>(SPOKEN).some(({ concrete }) =>
    concrete.some((pattern) => pattern.test(text)),
  );
