import { buffer } from 'node:stream/consumers';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import type { RunParameters, ShellCommand } from '../../clients/shell.js';
import {
  boundedText,
  ProviderFailed,
  speechLimitMs,
  type Synthesiser,
  type Transcriber,
  type TurnAudio,
} from '../../clients/speech.js';
import type { Language } from '../../languages/languages.js';
import { readAhead } from './pace.js';

const MAX_SPEAKING_MS = 120_000;

/** The environment variable with the language of the interview. */
export const LANGUAGE_VARIABLE = 'ASSAY_LANGUAGE';

const inLanguage = (language: Language): RunParameters => ({
  variables: { [LANGUAGE_VARIABLE]: language },
});

/** Speaks by a local program, which reads the text from standard input and writes PCM to standard output. */
export class CommandSynthesiser implements Synthesiser {
  readonly name = 'command';

  constructor(private readonly command: ShellCommand) {}

  /** Reads the output as fast as it comes, so that the program ends long before its speech has been played. */
  async *speak(
    text: string,
    signal: AbortSignal,
    language: Language,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const speechMs = speechLimitMs(text);
    const limits = { timeoutMs: Math.min(MAX_SPEAKING_MS, speechMs), maxBytes: speechMs * BYTES_PER_MS };
    const { title } = this.command;
    let bytes = 0;
    const run = (own: AbortSignal): AsyncIterable<Uint8Array> =>
      this.command.run(text, limits, own, inLanguage(language));
    for await (const pcm of wholeSamples(readAhead(run, signal), title)) {
      bytes += pcm.byteLength;
      yield pcm;
    }
    if (bytes === 0 && text.trim() !== '') throw new ProviderFailed(`${title} wrote no audio.`);
  }
}

/** Time limit for an answer of no length, in milliseconds; it includes the program's start. */
const MIN_TRANSCRIBING_MS = 10_000;
/** How many times the answer's length is added to the limit. */
const TIMES_REAL = 2;
const MAX_TRANSCRIBING_MS = 300_000;
/** Longest output: more than any answer needs, little enough to stop a faulty program. */
const MAX_OUTPUT_BYTES = 1_048_576;

/** Transcribes by a local program, which reads PCM from standard input and writes the text to standard output. */
export class CommandTranscriber implements Transcriber {
  readonly name = 'command';

  constructor(private readonly command: ShellCommand) {}

  async transcribe(audio: TurnAudio, signal: AbortSignal, language: Language): Promise<string> {
    const timeoutMs = Math.min(
      MAX_TRANSCRIBING_MS,
      Math.ceil(MIN_TRANSCRIBING_MS + TIMES_REAL * (audio.bytes / BYTES_PER_MS)),
    );
    const limits = { timeoutMs, maxBytes: MAX_OUTPUT_BYTES };
    const output = await buffer(this.command.run(audio.pieces(), limits, signal, inLanguage(language)));
    try {
      return boundedText(new TextDecoder('utf-8', { fatal: true }).decode(output));
    } catch {
      throw new ProviderFailed(`${this.command.title} must write UTF-8.`);
    }
  }
}

/** First bytes of audio files that are not raw PCM. */
const CONTAINERS = ['RIFF', 'OggS', 'fLaC', 'ID3'];
const MAGIC_BYTES = 4;

/**
 * A program's output in pieces of whole samples.
 * @param title the program's name in sentences
 * @throws {ProviderFailed} the output is a file of another format, which would sound as noise, or ends in half a sample
 */
async function* wholeSamples(
  output: AsyncIterable<Uint8Array>,
  title: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest = Buffer.alloc(0);
  let isKnown = false;
  for await (const chunk of output) {
    const bytes = Buffer.concat([rest, chunk]);
    rest = bytes;
    if (!isKnown && bytes.byteLength < MAGIC_BYTES) continue;
    if (!isKnown) refuseContainer(bytes, title);
    isKnown = true;
    const whole = bytes.byteLength - (bytes.byteLength % 2);
    rest = bytes.subarray(whole);
    if (whole > 0) yield bytes.subarray(0, whole);
  }
  if (rest.byteLength % 2 === 1) throw new ProviderFailed(`${title} ended in the middle of a sample.`);
  if (rest.byteLength > 0) yield rest;
}

const refuseContainer = (bytes: Buffer, title: string): void => {
  const container = CONTAINERS.find((magic) => bytes.toString('latin1', 0, magic.length) === magic);
  if (container === undefined) return;
  throw new ProviderFailed(
    `${title} writes ${container === 'RIFF' ? 'WAV' : 'a compressed file'}, and must write samples alone ` +
      '(s16le, 16 kHz, mono): convert it behind a pipe, as with "| sox -t wav - -t raw -r 16000 -e signed -b 16 -c 1 -", ' +
      '"| ffmpeg -i - -f s16le -ar 16000 -ac 1 -" or, for 16-bit mono WAV, ' +
      '"| node dist/bin/wav-to-pcm.js".',
  );
};
