import { BYTES_PER_MS } from '../../../../packages/interview-client/src/protocol/audio-frame.js';
import { boundedText } from '../bounded-text.js';
import { SpeechFailed, type Transcriber, type Transcript } from '../../../clients/speech.js';
import type { ShellCommand } from '../../../clients/command/shell.js';

/** To start, and for short answers; beyond that as long as it takes to hear the answer twice. */
const LEAST_MS = 10_000;
const TIMES_REAL = 2;
const MOST_MS = 300_000;
/** More than anybody says, and less than a program that has gone wild writes. */
const OUTPUT_BYTES = 1_048_576;

/** A local program that gets all PCM of a turn on standard input and writes the text on standard output. */
export class CommandTranscriber implements Transcriber {
  readonly name = 'command';

  constructor(private readonly command: ShellCommand) {}

  async transcribe(pcm: Uint8Array, signal: AbortSignal): Promise<Transcript> {
    const timeoutMs = Math.min(MOST_MS, Math.ceil(LEAST_MS + TIMES_REAL * (pcm.byteLength / BYTES_PER_MS)));
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
