import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Speech, Transcriber, TurnAudio } from '../../src/clients/speech.js';
import { createSpeech } from '../../src/interview/create.js';
import type { Configuration } from '../../src/process/config.js';
import { sourceFile } from '../../src/process/installation.js';

/** The speech of each recorded answer, by the answer's text: PCM s16le, 16 kHz, mono. */
export type Recordings = ReadonlyMap<string, Uint8Array>;

/** The text of each recording. espeak-ng made the files once: mu-law (G.711), 8 kHz, mono, without a header. */
const FILES: Readonly<Record<string, string>> = {
  'large-input.ulaw':
    'A file that does not fit into memory, because I read all of standard input first. For 10 million lines I would read line by line.',
  'whole-numbers.ulaw':
    'I decided against a library for decimals. Whole numbers of tenths of a cent are enough here, and they are exact.',
};

/** Reads the recordings from the installation's files. */
export const readRecordings = async (): Promise<Recordings> =>
  new Map(
    await Promise.all(
      Object.entries(FILES).map(async ([file, text]) => {
        const content = await readFile(sourceFile('tools', 'demo', 'voice', file));
        return [text, pcmOf(content)] as const;
      }),
    ),
  );

/** PCM at 16 kHz: each sample is followed by the mean of it and the next. @param mulaw at 8 kHz */
const pcmOf = (mulaw: Uint8Array): Uint8Array => {
  const pcm = new Uint8Array(mulaw.length * 4);
  const view = new DataView(pcm.buffer);
  mulaw.forEach((code, at) => {
    const sample = sampleOf(code);
    view.setInt16(at * 4, sample, true);
    view.setInt16(at * 4 + 2, (sample + sampleOf(mulaw[at + 1] ?? code)) >> 1, true);
  });
  return pcm;
};

/** G.711: sign, exponent and mantissa, all bits inverted. */
const sampleOf = (code: number): number => {
  const bits = ~code & 0xff;
  const size = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 0x07)) - 0x84;
  return (bits & 0x80) === 0 ? size : -size;
};

/** Returns the text of a recording of the demo, if the audio is the same to the byte; '' for any other audio. */
class RecordingTranscriber implements Transcriber {
  readonly name = 'demo';
  readonly #texts: ReadonlyMap<string, string>;

  constructor(recordings: Recordings) {
    this.#texts = new Map([...recordings].map(([text, pcm]) => [digestOf([pcm]), text]));
  }

  async transcribe(audio: TurnAudio): Promise<string> {
    const pieces: Uint8Array[] = [];
    for await (const piece of audio.pieces()) pieces.push(piece);
    return this.#texts.get(digestOf(pieces)) ?? '';
  }
}

const digestOf = (pieces: readonly Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
};

/** Transcribes only the demo's recordings until `endHistory`. After that, the configured speech is used. */
export class HistorySpeech implements Speech {
  #speech: Speech;
  readonly #configured: Speech;

  constructor(recordings: Recordings, configuration: Pick<Configuration, 'transcriber' | 'synthesiser'>) {
    this.#configured = createSpeech(configuration, { debug: () => undefined });
    this.#speech = { transcriber: new RecordingTranscriber(recordings), synthesiser: 'client' };
  }

  get transcriber(): Speech['transcriber'] {
    return this.#speech.transcriber;
  }

  get synthesiser(): Speech['synthesiser'] {
    return this.#speech.synthesiser;
  }

  endHistory(): void {
    this.#speech = this.#configured;
  }
}
