import { randomUUID } from 'node:crypto';

/**
 * Data for a model between two equal lines that are new with every call, so that no text within can end the block: it
 * knows neither line, and has no line of its own.
 */
export const fenced = (data: unknown): string => {
  const fence = `=====${randomUUID()}=====`;
  return [fence, inert(data), fence].join('\n');
};

/** What steers: control and invisible characters, marks of chat templates (`<|im_start|>`, `</s>`, `[INST]`). */
const STEERING = /[<>\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]|\[(?=\/?[A-Z])/gu;

/** JSON on one line of plain characters, in which everything that could steer a model's reader is escaped. */
export const inert = (data: unknown): string => JSON.stringify(data).replace(STEERING, escaped);

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Bounded in every part: candidates choose the text. */
const ADDRESS = /[^\s@<>()[\],;:"']{1,64}[@＠﹫][\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;

/** A candidate's text as a model may be shown it: without e-mail addresses, each replaced by "(e-mail address)". */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, '(e-mail address)');
