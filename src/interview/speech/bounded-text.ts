import { MAX_TEXT_BYTES } from '../../../packages/interview-client/src/protocol/messages.js';

/** What no answer holds but by accident; line breaks and tabs are blanks. */
// eslint-disable-next-line no-control-regex -- these are what it is about
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * What a transcriber wrote, as an answer: trimmed, well-formed, without control characters, and cut at a blank where it is longer
 * than any answer may be. That an hour of talk is cut is better than that all of it is lost.
 */
export const boundedText = (written: string): string => {
  const bytes = Buffer.from(written.replace(CONTROLS, '').trim());
  const text = bytes.toString('utf8');
  if (bytes.byteLength <= MAX_TEXT_BYTES) return text;
  const cut = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES), { stream: true });
  const blank = cut.search(/\s\S*$/);
  return (blank > 0 ? cut.slice(0, blank) : cut).trimEnd();
};
