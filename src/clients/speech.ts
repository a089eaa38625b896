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
