import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { readAhead } from './pace.js';
import {
  boundedText,
  SpeechFailed,
  type Synthesiser,
  type Transcriber,
  type Transcript,
} from '../../clients/speech.js';
import type { ShellCommand } from '../../clients/shell.js';

/** To start, and then twice as long as a slow speaker would take. */
const LEAST_SPEAKING_MS = 10_000;
const SPEAKING_MS_PER_CHARACTER = 200;
const MOST_SPEAKING_MS = 120_000;

/** A local program that gets the text on standard input and writes PCM on standard output. */
export class CommandSynthesiser implements Synthesiser {
  readonly name = 'command';

  constructor(private readonly command: ShellCommand) {}

  /** The program is not held up by the listener: it is through, and its place free, long before it has been heard. */
  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const speechMs = LEAST_SPEAKING_MS + SPEAKING_MS_PER_CHARACTER * text.length;
    const limits = { timeoutMs: Math.min(MOST_SPEAKING_MS, speechMs), mostBytes: speechMs * BYTES_PER_MS };
    const { title } = this.command;
    let bytes = 0;
    const run = (own: AbortSignal): AsyncIterable<Uint8Array> => this.command.run(text, limits, own);
    for await (const pcm of wholeSamples(readAhead(run, signal), title)) {
      bytes += pcm.byteLength;
      yield pcm;
    }
    if (bytes === 0 && text.trim() !== '') throw new SpeechFailed(`${title} wrote no audio.`);
  }
}

/** To start, and for short answers; beyond that as long as it takes to hear the answer twice. */
const LEAST_TRANSCRIBING_MS = 10_000;
const TIMES_REAL = 2;
const MOST_TRANSCRIBING_MS = 300_000;
/** More than anybody says, and less than a program that has gone wild writes. */
const OUTPUT_BYTES = 1_048_576;

/** A local program that gets all PCM of a turn on standard input and writes the text on standard output. */
export class CommandTranscriber implements Transcriber {
  readonly name = 'command';

  constructor(private readonly command: ShellCommand) {}

  async transcribe(pcm: Uint8Array, signal: AbortSignal): Promise<Transcript> {
    const timeoutMs = Math.min(
      MOST_TRANSCRIBING_MS,
      Math.ceil(LEAST_TRANSCRIBING_MS + TIMES_REAL * (pcm.byteLength / BYTES_PER_MS)),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.command.run(pcm, { timeoutMs, mostBytes: OUTPUT_BYTES }, signal)) {
      chunks.push(chunk);
    }
    return { text: boundedText(this.decode(Buffer.concat(chunks))) };
  }

  private decode(bytes: Uint8Array): string {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new SpeechFailed(`${this.command.title} must write UTF-8.`);
    }
  }
}

/** How files begin that hold audio in a form of their own. */
const CONTAINERS = ['RIFF', 'OggS', 'fLaC', 'ID3'];
const MAGIC_BYTES = 4;

/**
 * A program's output in pieces of whole samples.
 * @param title how sentences name the program
 * @throws {SpeechFailed} it is a file of another form, whose header would be heard as noise, or ends in half a sample
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
  if (rest.byteLength % 2 === 1) throw new SpeechFailed(`${title} ended in the middle of a sample.`);
  if (rest.byteLength > 0) yield rest;
}

const refuseContainer = (bytes: Buffer, title: string): void => {
  const container = CONTAINERS.find((magic) => bytes.toString('latin1', 0, magic.length) === magic);
  if (container === undefined) return;
  throw new SpeechFailed(
    `${title} writes ${container === 'RIFF' ? 'WAV' : 'a compressed file'}, and must write samples alone ` +
      '(s16le, 16 kHz, mono): convert it behind a pipe, as with "| sox -t wav - -t raw -r 16000 -e signed -b 16 -c 1 -", ' +
      '"| ffmpeg -i - -f s16le -ar 16000 -ac 1 -" or, for 16-bit mono WAV, ' +
      '"| node dist/bin/wav-to-pcm.js".',
  );
};
