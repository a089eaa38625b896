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

/** The variable that tells a program the language of the interview. */
export const LANGUAGE_VARIABLE = 'ASSAY_LANGUAGE';

const inLanguage = (language: Language): RunParameters => ({
  variables: { [LANGUAGE_VARIABLE]: language },
});

/** A local program that gets the text on standard input and writes PCM on standard output. */
export class CommandSynthesiser implements Synthesiser {
  readonly name = 'command';

  constructor(private readonly command: ShellCommand) {}

  /** Output is read at once, so that the program ends and frees its place long before its speech was played. */
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

/** Time limit for short answers, the program's start included. Longer answers get twice their length. */
const MIN_TRANSCRIBING_MS = 10_000;
/** How many times an answer's length is added to that. */
const TIMES_REAL = 2;
const MAX_TRANSCRIBING_MS = 300_000;
/** More than any answer has, less than a program writes that runs wild. */
const MAX_OUTPUT_BYTES = 1_048_576;

/** A local program that gets all PCM of a turn on standard input and writes the text on standard output. */
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

/** First bytes of audio files in a format of their own. */
const CONTAINERS = ['RIFF', 'OggS', 'fLaC', 'ID3'];
const MAGIC_BYTES = 4;

/**
 * A program's output in pieces of whole samples.
 * @param title how sentences name the program
 * @throws {ProviderFailed} it is a file of another format, whose header would sound as noise, or ends in half a sample
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
