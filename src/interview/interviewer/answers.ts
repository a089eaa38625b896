/**
 * What an answer gives the interviewer to go on with. Rules of thumb on purpose: they only decide whether to ask once
 * more, never a score. They look for what an answer tells, not for how well: grammar, spelling, tense and
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
const LEAST_WORDS = 5;
/** Below this an answer without anything concrete is too short; from this on it is vague. */
const SHORT_WORDS = 12;
/** Of a long answer only the beginning is looked at. */
const LOOKED_AT = 16_384;

export const qualityOf = (answer: string): AnswerQuality => {
  const text = answer.slice(0, LOOKED_AT);
  if (asksAgain(text)) return 'asks_again';
  const words = differentWords(text);
  if (words < LEAST_WORDS) return 'short';
  if (namesSomethingConcrete(text)) return 'full';
  return words < SHORT_WORDS ? 'short' : 'vague';
};

// Words as Unicode has them, also in scripts that put no blanks between them.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** How many words are compared. */
const COUNTED_WORDS = 1_000;

/** The number of different words, `SHORT_WORDS` at most: a repeated word adds nothing. */
const differentWords = (text: string): number => {
  const words = new Set<string>();
  let seen = 0;
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) words.add(segment.toLowerCase());
    seen += 1;
    if (words.size >= SHORT_WORDS || seen >= 2 * COUNTED_WORDS) break;
  }
  return words.size;
};

const CONCRETE: readonly RegExp[] = [
  // Numbers, in digits or as they are spoken.
  /\p{N}/u,
  /\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundreds?|thousands?|millions?|dozens?|twice|percent)\b/i,
  // Reasons, purposes and examples.
  /\b(because|for example|for instance|such as|so that|in order to|which meant|that is why|that's why|therefore|the reason)\b/i,
  // What came after what.
  /\b(and|but) then\b|\bthen (i|we)\b|\bfirst(ly)?\b.{1,300}?\b(then|after|second(ly)?|next|finally)\b|\b(after|before|until|once) (i|we|that|the)\b/is,
  // What the candidate or others did.
  /\b(i|we|he|she|they|it|who)( \p{L}+)? (?!(need|feed|indeed|speed)\b)(\p{L}{2,}ed|built|wrote|made|found|ran|took|gave|led|chose|broke|went|began|kept|held|sent|put|set|cut|drew|saw|taught|brought|thought|got|had to|was able)\b/iu,
  // Names: a capital within a sentence, or letters that are spelt out.
  /[\p{Ll}\p{N},;] \p{Lu}[\p{L}\p{N}]/u,
  /\b(?!OK\b)\p{Lu}[\p{Lu}\p{N}]{1,5}\b/u,
  // What is written like code.
  /\p{L}(_|::|->)\p{L}|\p{Ll}\p{Lu}\p{Ll}|\p{L}\.\p{L}{2,}|\w\(\)|\b[Cc](\+\+|#)|`/u,
];

/** Whether it names one thing that happened, was used, was counted or was the reason. */
const namesSomethingConcrete = (text: string): boolean => CONCRETE.some((pattern) => pattern.test(text));

/** A longer text is an answer, whatever else it asks. */
const LONGEST_REQUEST = 160;

/**
 * Whether it asks for the question again, and nothing else: every part of it is such a request or the politeness
 * around it. The same words within an answer are part of the answer.
 */
const asksAgain = (text: string): boolean => {
  const plain = text
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/[^\p{L}\p{N}'?.!;\s]/gu, ' ')
    .trim();
  // Nothing that could be a word: nothing was understood.
  if (!/[\p{L}\p{N}]/u.test(plain)) return true;
  if (plain.length > LONGEST_REQUEST) return false;
  let requests = 0;
  for (const part of plain.split(/[?.!;]+/)) {
    let rest = part.replace(/\s+/g, ' ').trim();
    while (rest !== '') {
      const request = REQUESTS.map((pattern) => pattern.exec(rest)).find((found) => found !== null);
      const found = request ?? POLITENESS.exec(rest);
      if (!found) return false;
      if (request) requests += 1;
      rest = rest.slice(found[0].length).trim();
    }
  }
  return requests > 0;
};

const IT =
  "(that|it|this|you|me|the question|the last question|your question|that question|the question again|what you (said|mean|meant|asked|want)|what you're asking|what you are asking|the last part|a word)";
const END = '(?= |$)';
/** Whatever is asked about, to the end of the sentence. */
const ABOUT = "( [\\p{L}\\p{N}'-]+){1,8}$";

const POLITENESS = new RegExp(
  `^(um+|uh+|hm+|er+|ah|oh|okay|ok|well|so|hello|hi|hey|please|thanks|thank you|i am afraid|i'm afraid|(i am |i'm )(so |very |really )?sorry|(my )?apologies|again|one more time|once more|but|and|for me|in other words|more slowly|slowly|a bit|louder)${END}`,
  'u',
);

const REQUESTS: readonly RegExp[] = [
  `(could|can|would|will) you (please |maybe |kindly )?(repeat|rephrase|reword|clarify|explain)( ${IT})?( (again|to me|for me|once more|one more time|please))*(?= (please|sorry|i |thank)|$)`,
  `(could|can|would|will) you (please |maybe |kindly )?(explain|clarify|repeat)( what| the| that| this)${ABOUT}`,
  `(could|can|would|will) you (please )?(say|ask|put|read) ${IT}( (again|once more|one more time|in other words|another way|differently|more slowly|slowly))+${END}`,
  `(could|can|may) i (please )?(hear|have|get) ${IT}( again| once more)?${END}`,
  `(please )?(repeat|rephrase|reword|clarify|explain)( ${IT})?( (again|please|once more))*$`,
  `(please )?say (that|it) (again|once more)${END}`,
  `come again${END}`,
  `what (do|did) you mean( (by|with)${ABOUT}|${END})`,
  `what (does|do) [\\p{L}\\p{N}' -]{1,40} mean${END}`,
  `what (is|was|were) (that|the question|your question|it|you saying|you asking|you said)( again)?$`,
  `what did you (say|ask)( again)?$`,
  `i (really |still |just )?(did not|didn't|do not|don't|could not|couldn't|can not|cannot|can't|have not|haven't) (really |quite |fully |completely |properly )?(understand|understood|hear|heard|catch|caught|get|follow)( ${IT})?(?= (please|sorry|could|can|what|would)|$)`,
  `(i am |i'm )?not (quite |really |entirely )?sure (that |if |whether )?(i (understand|understood|follow|got)|what you)( ${IT}| mean| are asking| want| meant)?$`,
  `(pardon me|pardon|i beg your pardon|beg your pardon|excuse me|sorry|what|huh|eh)${END}`,
].map((source) => new RegExp(`^(${source})`, 'u'));
