import { randomUUID } from 'node:crypto';

/**
 * Data for a model between two equal lines that are new with every call, so that no text within can end the block: it
 * contains neither line, and is on one line itself.
 */
export const fenced = (data: unknown): string => {
  const fence = `=====${randomUUID()}=====`;
  return [fence, inert(data), fence].join('\n');
};

/**
 * What can steer a model: control and invisible characters, marks of chat templates (`<|im_start|>`, `</s>`,
 * `[INST]`).
 */
const STEERING = /[<>\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]|\[(?=\/?[A-Z])/gu;

/** JSON on one line of plain characters, in which everything that could steer a model's reader is escaped. */
export const inert = (data: unknown): string => JSON.stringify(data).replace(STEERING, escaped);

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Every repetition is bounded, so that no text of a candidate makes the match slow. */
const ADDRESS = /[^\s@<>()[\],;:"']{1,64}[@＠﹫][\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;

/** A candidate's text as a model may be shown it: without e-mail addresses, each replaced by "(e-mail address)". */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, '(e-mail address)');

/** The longest text of a question, in UTF-16 units. */
export const MAX_QUESTION = 4_000;

/** A text on one line: white space and control characters become one blank, other invisible characters are removed. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trim();

/** Whether a text can be spoken: words and ordinary punctuation, no markup, address or code block. */
export const isSpeakable = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  // Letters and digits in any script, and the punctuation of plain prose.
  /^[\p{L}\p{M}\p{N} .,;:!?'"’‘‚“”„«»‹›…()/&%+#€$£–—-]*$/u.test(text) &&
  !/https?:|www\.|(^| )#{1,6} |--|\/\//i.test(text);
