import { BYTES_PER_MS, SAMPLE_RATE } from '../../packages/interview-client/src/protocol/audio-frame.js';

/** A sine tone as PCM. @param ms its length @param amplitude 0 to 32,767 */
export const tone = (ms: number, hertz: number, amplitude: number): Uint8Array => {
  const pcm = Buffer.alloc((SAMPLE_RATE / 1000) * ms * 2);
  for (let at = 0; at < pcm.length / 2; at++)
    pcm.writeInt16LE(Math.round(amplitude * Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE)), at * 2);
  return pcm;
};

/** PCM frames of 20 ms each, of speech or of silence. */
export const spoken = (ms: number, loud = true): Uint8Array[] =>
  Array.from({ length: ms / 20 }, (_, at) =>
    loud ? tone(20, 300 + (at % 5) * 120, 8_000) : new Uint8Array(20 * BYTES_PER_MS),
  );
