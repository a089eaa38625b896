/*
 * Data within a model's prompt, such as what a candidate said or wrote. `fenced` makes a separate block, `inert` is for
 * data in the middle of other text. Remove addresses by `withoutAddresses` before.
 */
import { randomUUID } from 'node:crypto';

/**
 * A block of data between two equal lines, which are random in each call. No text in the data can end the block, since
 * the data is on one line and cannot contain the random one.
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

/** A candidate's text for a model: each e-mail address is replaced by "(e-mail address)". */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, '(e-mail address)');

/** Matches an e-mail address. All repetitions are bounded, so that no text makes the match slow. */
const ADDRESS = /[^\s@<>()[\],;:"']{1,64}[@＠﹫][\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
