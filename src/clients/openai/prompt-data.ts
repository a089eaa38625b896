/*
 * Data within a model's prompt, such as what a candidate said or wrote. `fenced` is for a block of its own, `inert` for
 * data in the middle of other text; take out addresses with `withoutAddresses` first.
 */
import { randomUUID } from 'node:crypto';

/**
 * A block of data between two equal lines that are new with every call. No text in the data can end the block: it
 * contains neither line, and is on one line itself.
 */
export const fenced = (data: unknown): string => {
  const fence = `=====${randomUUID()}=====`;
  return [fence, inert(data), fence].join('\n');
};

/** JSON on one line, in which every character that could steer a model is escaped. */
export const inert = (data: unknown): string => JSON.stringify(data).replace(STEERING, escaped);

/**
 * What can steer a model: control and invisible characters, marks of chat templates (`<|im_start|>`, `</s>`,
 * `[INST]`).
 */
const STEERING = /[<>\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]|\[(?=\/?[A-Z])/gu;

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** A candidate's text as a model may be shown it: each e-mail address replaced by "(e-mail address)". */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, '(e-mail address)');

/** Every repetition is bounded, so that no text of a candidate makes the match slow. */
const ADDRESS = /[^\s@<>()[\],;:"']{1,64}[@＠﹫][\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
