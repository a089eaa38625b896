/**
 * A program that converts a stream of WAV (16 bits, mono, any rate) on standard input to PCM (s16le, 16 kHz, mono) on
 * standard output. It adapts a synthesiser that writes WAV:
 * `SYNTHESISER_COMMAND='espeak-ng --stdin --stdout | node dist/bin/wav-to-pcm.js'`.
 */

import { Resampler } from '../../../packages/interview-client/src/resampler.js';
import { readWavStart } from '../../clients/pcm.js';

/** Longest header: a synthesiser writes only a few short chunks before the samples. */
const MAX_HEADER_BYTES = 65_536;

const pcmOf = async function* (wav: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  let resampler: Resampler | null = null;
  let left = 0;
  for await (let piece of wav) {
    if (!resampler) {
      head = Buffer.concat([head, piece]);
      const start = readWavStart(head);
      if (typeof start === 'string') throw new Error(start);
      if (start === null && head.length > MAX_HEADER_BYTES) throw new Error('This WAV has no samples.');
      if (start === null) continue;
      resampler = new Resampler(start.sampleRate);
      left = start.bytes;
      piece = head.subarray(start.offset);
    }
    yield resampler.push(piece.subarray(0, left));
    left -= Math.min(left, piece.byteLength);
  }
  if (!resampler) throw new Error('This WAV ends before its samples.');
  yield resampler.end();
};

try {
  for await (const pcm of pcmOf(process.stdin as AsyncIterable<Uint8Array>)) {
    if (!process.stdout.write(pcm)) await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
