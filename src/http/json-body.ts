import { ApiError } from './api-error.js';

/** Deepest nesting of lists and objects that a body may have. */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** So many bytes of a string are compared one by one: for most strings that is faster than a call of `indexOf`. */
const NEAR = 32;

/** @returns where the string that `from` is in ends; the text's length: it does not end */
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
 * Whether a text nests deeper than `limit`. Reads the bytes once, before the text is parsed. Brackets within strings do
 * not count. Comparing bytes is safe: no byte of a multi-byte UTF-8 character is in the ASCII range.
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
 * Parses a request's body as JSON. Keys such as `__proto__` become own keys of plain objects.
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
