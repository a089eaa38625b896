import { oneLine, truncateAtWord } from '../../core/text.js';
import type { Dimension } from '../../domain/role/events.js';
import type { InterviewTexts } from '../../languages/en/shapes.js';

/**
 * Chooses among the interviewer's wordings by the question's place in the plan alone, so that all candidates for a role
 * hear the same words.
 */

/** A dimension's question, and two other wordings of it. @param place the question's place in the plan, from 0 */
export const topicQuestion = (
  texts: InterviewTexts,
  { name, category }: Pick<Dimension, 'name' | 'category'>,
  place: number,
): { readonly text: string; readonly again: readonly [string, string] } => {
  const { process, correctness, other } = texts.topics;
  const wordings = category === 'process' ? process : category === 'correctness' ? correctness : other;
  const { ask, again } = pick(wordings, place);
  const title = titleOf(texts, name);
  return { text: ask(title), again: [again[0](title), again[1](title)] };
};

/** Asks for more. @param time number of follow-ups before this one to the same question, 0 or 1 */
export const followUp = (
  { followUps }: InterviewTexts,
  quality: 'short' | 'vague',
  place: number,
  time: number,
): string => pick(pick(followUps[quality], time), place);

/** What is said before the first question. */
export const prefaceOf = (texts: InterviewTexts, roleName: string): string => {
  const name = spokenName(texts, roleName);
  return texts.greeting(name === '' ? '' : texts.quote(name));
};

/** Whether a text can be spoken: words and ordinary punctuation, no markup, address or code block. */
export const isSpeakable = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  // Letters and digits in any script, and the punctuation of plain prose.
  /^[\p{L}\p{M}\p{N} .,;:!?'"’‘‚“”„«»‹›…()/&%+#€$£–—-]*$/u.test(text) &&
  !/https?:|www\.|(^| )#{1,6} |--|\/\//i.test(text);

/** The wording for a place: the wordings are used in turn. */
const pick = <T>(list: readonly T[], place: number): T => list[place % list.length] as T;

/** A name in quotation marks, with the end of a sentence. */
const titleOf = (texts: InterviewTexts, name: string): string => {
  const spoken = spokenName(texts, name);
  if (spoken === '') return texts.unnamedTopic;
  return texts.quote(spoken) + (/[?!]$/.test(spoken) ? '' : '.');
};

/** Longest name within a question, in characters. */
const MAX_NAME = 80;

/** A sex in job titles such as `m/w/d`, `f/m/x`, `h/f`, `w/m/div`. */
const SEX =
  '(?:m|w|f|d|x|h|v|i|n|u|t|gn|div|divers|diverse|mann|frau|male|female|männlich|weiblich|all|a|\\*)\\.?';
/** Tags of sex in job titles, which are not spoken. */
const SEX_TAGS: readonly RegExp[] = [
  // (m/w/d), [m|f|x], (w, m, d), (m-w-d), (m/w/d/*)
  new RegExp(`[([{]\\s*${SEX}(?:\\s*[/|,;·:*_-]\\s*${SEX})+\\s*[)\\]}]`, 'giu'),
  // The same without brackets; two letters only if they are common as a tag.
  new RegExp(
    `(?<![\\p{L}\\p{N}])[mwfdxhv](?:\\s?[/|]\\s?(?:[mwfdxhviu*]|div\\.?|divers|gn)){2,}(?![\\p{L}\\p{N}])`,
    'giu',
  ),
  /(?<![\p{L}\p{N}])(?:m\/w|w\/m|m\/f|f\/m|h\/f|f\/h|m\/v|v\/m)(?![\p{L}\p{N}/])/giu,
  // (all genders), (alle Geschlechter), (gn), (mwd), (gn*), (m*w*d), (*), (divers)
  /[([{]\s*(?:(?:all|any|every|alle|jedes)\s+(?:genders?|sexe?s?|geschlechte?r?|identities)(?:\s+welcome|\s+willkommen)?|gender[\s-]?neutral|geschlechtsneutral|gn\b[^)\]}]{0,30}|[mwfdxi]{3,4}|divers|div\.?|[mwfdx](?:\s?\*\s?[mwfdx])+|\*|human|mensch)\s*[)\]}]/giu,
  /(?<![\p{L}\p{N}])(?:all|alle) (?:genders|geschlechter)(?![\p{L}\p{N}])/giu,
];

/**
 * A name that staff wrote, in a form that can be spoken: without tags of sex and symbols. Empty if nothing is left.
 */
export const spokenName = ({ and, or }: Pick<InterviewTexts, 'and' | 'or'>, name: string): string => {
  // A name may have any length: only its beginning is spoken.
  let text = oneLine(name.slice(0, 4 * MAX_NAME).normalize('NFKC'));
  for (const tag of SEX_TAGS) text = text.replace(tag, ' ');
  text = text
    // Entwickler*in, Entwickler:innen, Entwickler/-in: become one word, as they are spoken.
    .replace(/(?<=\p{Ll})[*:_·/(]-?(in|innen)\)?(?!\p{L})/gu, (_, end: string) => `I${end.slice(1)}`)
    .replace(/ ?& ?/g, ` ${and} `)
    .replace(/\b(and|und)\/(or|oder)\b/gi, '$2')
    // CI/CD: short names in capitals are spoken one after the other.
    .replace(/(?<=(?<!\p{L})\p{Lu}{1,4})\/(?=\p{Lu}{1,4}(?!\p{L}))/gu, ' ')
    .replace(/(?<=[\p{L}\p{N}+#]) ?\/ ?(?=\p{L})/gu, ` ${or} `)
    // Text in brackets or after a dash becomes a part between commas.
    .replace(/ [-:] |[()[\]{}|–—;]/gu, ', ')
    .replace(/(?<![\p{L}+#])[+#]+/gu, ' ')
    .replace(/[^\p{L}\p{M}\p{N}\s.,'’+#?!-]/gu, ' ')
    .replace(/[?!](?=.*[\p{L}\p{N}?!])/gu, (_, at: number, all: string) =>
      /[\p{L}\p{N}]/u.test(all.slice(at)) ? ',' : '',
    );
  return truncateAtWord(calmed(tidied(text)), MAX_NAME);
};

/** Removes punctuation that is left after removals, and the `www` of addresses. */
const tidied = (text: string): string =>
  oneLine(text.replace(/-{2,}/g, ', ').replace(/w{3}[w ,.]{0,320}\./gi, ' '))
    .replace(/ (?=[.,?!] ?)(?!\.\p{L})/gu, '')
    .replace(/,(?=[,?!.] ?)(?!\.\p{L})/gu, '')
    .replace(/^(?:[ ,'’?!-]|\.(?!\p{L}))+/gu, '')
    .replace(/[ .,'’-]{1,320}$/u, '');

/** Longest word in capitals that counts as an abbreviation. */
const MAX_ABBREVIATION = 4;

/** Lower-cases all but the first letters of words if the whole name is in capitals: a synthesiser would spell them. */
const calmed = (text: string): string =>
  /\p{Ll}/u.test(text) || !/\p{Lu}{5}/u.test(text)
    ? text
    : text.replace(/\p{Lu}[\p{Lu}\p{M}]+/gu, (word) =>
        word.length <= MAX_ABBREVIATION ? word : word.slice(0, 1) + word.slice(1).toLowerCase(),
      );
