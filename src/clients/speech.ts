import { MAX_TEXT_BYTES } from '../../packages/interview-client/src/protocol/messages.js';
import type { Language } from '../languages/languages.js';

/**
 * A turn's speech, as PCM: signed 16-bit little-endian, 16 kHz, mono. It may last an hour, so it is read a piece at a
 * time, as often as needed, and is never in memory as a whole.
 */
export interface TurnAudio {
  readonly bytes: number;
  /** The speech from its beginning. @throws {VaultUnavailable} it cannot be read completely now */
  pieces(): AsyncIterable<Uint8Array>;
}

/** Makes a `TurnAudio` of speech in memory. */
export const audioOfPieces = (pieces: readonly Uint8Array[]): TurnAudio => ({
  bytes: pieces.reduce((sum, { byteLength }) => sum + byteLength, 0),
  async *pieces() {
    yield* pieces;
  },
});

/** Transcribes the speech of a whole turn. */
export interface Transcriber {
  /** The transcriber's name in the evidence, such as `command` or `openai whisper-1`. */
  readonly name: string;
  /**
   * @param language the language of the interview
   * @returns the text; empty: no words were recognised
   * @throws {ProviderFailed} it could not be transcribed; the message is for the log
   * @throws what reading the speech throws
   */
  transcribe(audio: TurnAudio, signal: AbortSignal, language: Language): Promise<string>;
}

/** Speaks a question. */
export interface Synthesiser {
  /** Such as `command` or `openai tts-1`. */
  readonly name: string;
  /**
   * Yields PCM as in `TurnAudio`, in pieces of any even length, as they are made.
   * @throws {ProviderFailed} also after some pieces
   */
  speak(text: string, signal: AbortSignal, language: Language): AsyncIterable<Uint8Array>;
}

/** The configured transcriber and synthesiser; `client`: the candidate's browser. */
export interface Speech {
  readonly transcriber: Transcriber | 'client';
  readonly synthesiser: Synthesiser | 'client';
}

/** A command or an API failed, timed out, or returned an unusable answer. The message is for the log. */
export class ProviderFailed extends Error {
  override readonly name: string = 'ProviderFailed';
}

const MIN_SPEAKING_MS = 10_000;
const SPEAKING_MS_PER_CHARACTER = 200;

/** Longest speech that a synthesiser may make of a text, in milliseconds: that of a slow speaker, with a reserve. */
export const speechLimitMs = (text: string): number =>
  MIN_SPEAKING_MS + SPEAKING_MS_PER_CHARACTER * text.length;

/** Control characters except line breaks and tabs, which an answer contains only by accident. */
// eslint-disable-next-line no-control-regex -- control characters are removed here
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * Makes an answer of a transcriber's output: trimmed, well-formed, without control characters, and cut at a blank if it
 * is longer than an answer may be. Losing the end of an hour's speech is better than losing all of it.
 */
export const boundedText = (transcribed: string): string => {
  const bytes = Buffer.from(transcribed.replace(CONTROLS, '').trim());
  const text = bytes.toString('utf8');
  if (bytes.byteLength <= MAX_TEXT_BYTES) return text;
  const cut = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES), { stream: true });
  const blank = cut.search(/\s\S*$/);
  return (blank > 0 ? cut.slice(0, blank) : cut).trimEnd();
};
