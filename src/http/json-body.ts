import { ApiError } from './api-error.js';

/** Deepest nesting of lists and objects that a body may have. */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Whether the text nests deeper than `limit`: one pass over the bytes, before anything is parsed. Brackets inside
 * strings do not count. No byte of a multi-byte UTF-8 character equals one of those looked for.
 */
export const nestsDeeper = (bytes: Uint8Array, limit: number): boolean => {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (quoted) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
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
export const parseJsonBody = (bytes: Uint8Array): unknown => {
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
