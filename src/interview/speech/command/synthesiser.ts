import { BYTES_PER_MS } from '../../../../packages/interview-client/src/protocol/audio-frame.js';
import { readAhead } from '../read-ahead.js';
import { SpeechFailed, type Synthesiser } from '../../../clients/speech.js';
import { wholeSamples } from './whole-samples.js';
import type { ShellCommand } from '../../../clients/command/shell.js';

/** To start, and then twice as long as a slow speaker would take. */
const LEAST_MS = 10_000;
const MS_PER_CHARACTER = 200;
const MOST_MS = 120_000;

/** A local program that gets the text on standard input and writes PCM on standard output. */
export class CommandSynthesiser implements Synthesiser {
  readonly name = 'command';

  constructor(private readonly command: ShellCommand) {}

  /** The program is not held up by the listener: it is through, and its place free, long before it has been heard. */
  async *speak(text: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const speechMs = LEAST_MS + MS_PER_CHARACTER * text.length;
    const limits = { timeoutMs: Math.min(MOST_MS, speechMs), mostBytes: speechMs * BYTES_PER_MS };
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
