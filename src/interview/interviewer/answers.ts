import { asksAgain } from '../../domain/session/answers.js';
import type { SpokenLanguage } from '../../languages/en/shapes.js';
import { type Language, LANGUAGES, SPOKEN } from '../../languages/languages.js';

/**
 * What an answer gives the interviewer to go on with. Rules of thumb on purpose: they only decide whether to ask once
 * more, never a score. They read what an answer says, not how well it says it: grammar, spelling, tense and
 * articles do not count, so that speaking a second language is no disadvantage, and what a recogniser wrote down
 * without capitals, digits or punctuation counts as well.
 */
export type AnswerQuality =
  /** Nothing was understood, or it asks to hear the question again or in other words. */
  | 'asks_again'
  /** Too few words to tell anything. */
  | 'short'
  /** Long enough, but it names nothing concrete: no number, name, thing of the trade, reason, example or past event. */
  | 'vague'
  | 'full';

/** An answer with fewer different words is too short. */
const MIN_WORDS = 5;
/** Below this an answer without anything concrete is too short; from this on it is vague. */
const SHORT_WORDS = 12;
/** How many characters of an answer are analysed. */
const MAX_ANALYSED = 16_384;

/** @param language the interview's, assumed of an answer whose own language cannot be detected */
export const qualityOf = (answer: string, language: Language): AnswerQuality => {
  const text = answer.slice(0, MAX_ANALYSED);
  if (asksAgain(text)) return 'asks_again';
  const spoken = SPOKEN[languageOf(text, language)];
  const words = weighedWords(text, spoken);
  if (words < MIN_WORDS) return 'short';
  if (namesSomethingConcrete(text, spoken)) return 'full';
  return words < SHORT_WORDS ? 'short' : 'vague';
};

/** Detects a text's language by its common words. @param otherwise the language if none, or more than one, has most */
export const languageOf = (text: string, otherwise: Language): Language => {
  const counts = LANGUAGES.map((language) => ({
    language,
    words: text.slice(0, DETECTED_BY).match(SPOKEN[language].common)?.length ?? 0,
  }));
  const most = Math.max(...counts.map(({ words }) => words));
  const found = counts.filter(({ words }) => words === most);
  return found.length === 1 && found[0] ? found[0].language : otherwise;
};

/** How many characters at its beginning a text's language is detected by. */
const DETECTED_BY = 2_000;

// Words by Unicode's rules, also in scripts that put no blanks between them.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** How many words are compared. */
const COUNTED_WORDS = 1_000;

/**
 * The number of different words, about `SHORT_WORDS` at most: a repeated word adds nothing, and a long one of a
 * language that joins words counts as what it joins.
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
  // Letters that are spelt out.
  /\b(?!OK\b)\p{Lu}[\p{Lu}\p{N}]{1,5}\b/u,
  // What is written like code.
  /\p{L}(_|::|->)\p{L}|\p{Ll}\p{Lu}\p{Ll}|\p{L}\.\p{L}{2,}|\w\(\)|\b[Cc](\+\+|#)|`/u,
];
/** A capital within a sentence. */
const NAME = /[\p{Ll}\p{N},;] \p{Lu}[\p{L}\p{N}]/u;

/** Whether it names one thing that happened, was used, was counted or was the reason. */
const namesSomethingConcrete = (text: string, { capitalsAreNames }: SpokenLanguage): boolean =>
  CONCRETE.some((pattern) => pattern.test(text)) ||
  (capitalsAreNames && NAME.test(text)) ||
  Object.values<SpokenLanguage>(SPOKEN).some(({ concrete }) =>
    concrete.some((pattern) => pattern.test(text)),
  );
