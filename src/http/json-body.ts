import { ApiError } from './api-error.js';

/** Deepest nesting of lists and objects that a body may have. */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Bytes of a string that are compared one by one: most strings are shorter, and a call of `indexOf` takes longer. */
const NEAR = 32;

/** @returns where the string ends that `at` is in, or the text's length if it does not end */
const endOfString = (bytes: Buffer, from: number): number => {
  for (let at = from; ;) {
    for (const end = Math.min(at + NEAR, bytes.length); at < end; at += 1) {
      if (bytes[at] === BACKSLASH) at += 1;
      else if (bytes[at] === QUOTE) return at;
    }
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let escapes = quote;
    while (escapes > at && bytes[escapes - 1] === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote;
    at = quote + 1;
  }
};

/**
 * Whether the text nests deeper than `limit`: one pass over the bytes, before anything is parsed. Brackets inside
 * strings do not count. No byte of a multi-byte UTF-8 character equals one of those looked for.
 */
export const nestsDeeper = (bytes: Buffer, limit: number): boolean => {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return false;
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

const malformed = (message: string): ApiError => new ApiError('malformed_json', message);

/**
 * A request's body as JSON. Keys such as `__proto__` stay what they are: own keys of plain data.
 * @returns `undefined` for an empty body
 * @throws {ApiError} `malformed_json`
 */
export const parseJsonBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined;
  if (nestsDeeper(bytes, MAX_JSON_DEPTH)) {
    throw malformed(`The body nests lists and objects more than ${MAX_JSON_DEPTH} levels deep.`);
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('The body is not UTF-8 text.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw malformed('The body is not valid JSON.');
  }
};
