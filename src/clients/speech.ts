import { MAX_TEXT_BYTES } from '../../packages/interview-client/src/protocol/messages.js';

/** PCM everywhere: signed 16-bit little-endian, 16 kHz, mono. */

/** What a spoken turn came to. */
export interface Transcript {
  /** Empty where nothing was understood. */
  readonly text: string;
}

/** Turns a whole turn's speech into text. */
export interface Transcriber {
  /** What transcribes, in a few words for the evidence: `command`, `openai whisper-1`. */
  readonly name: string;
  /** @throws {SpeechFailed} it could not be transcribed now; the message is for the log */
  transcribe(pcm: Uint8Array, signal: AbortSignal): Promise<Transcript>;
}

/** Speaks a question. */
export interface Synthesiser {
  readonly name: string;
  /** PCM in pieces of any even length as they are made. @throws {SpeechFailed} also in the middle of it */
  speak(text: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Who transcribes and who speaks: `client` where the candidate's browser does. */
export interface Speech {
  readonly transcriber: Transcriber | 'client';
  readonly synthesiser: Synthesiser | 'client';
}

/** A provider of speech failed, timed out or answered nonsense. */
export class SpeechFailed extends Error {
  override readonly name = 'SpeechFailed';
}

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
