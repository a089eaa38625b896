import { randomBytes } from 'node:crypto';
import {
  BYTES_PER_MS,
  encodeAudioFrame,
  SPEAKER,
} from '../../../packages/interview-client/src/protocol/audio-frame.js';

const FRAME_MS = 20;
const PCM_BYTES = FRAME_MS * BYTES_PER_MS;

/** Noise that pauses as speech does, so that it is one utterance; no two frames of it are alike. */
const noise = (frames: number): Buffer => {
  const pcm = randomBytes(frames * PCM_BYTES);
  for (let frame = 0; frame < frames; frame++) {
    const quiet = frame % 25 < 10;
    for (let at = frame * PCM_BYTES; at < (frame + 1) * PCM_BYTES; at += 2)
      pcm.writeInt16LE(pcm.readInt16LE(at) >> (quiet ? 11 : 3), at);
  }
  return pcm;
};

/** An answer's audio, ready to be sent: what it costs to make it is no part of what is measured. */
export interface Burst {
  readonly turn: number;
  readonly lastSeq: number;
  readonly pcm: Buffer;
  readonly frames: readonly Uint8Array[];
}

/** @param turn from 1; every turn before it had as many frames */
export const burst = (turn: number, count: number): Burst => {
  const pcm = noise(count);
  const firstSeq = (turn - 1) * count + 1;
  const frames = Array.from({ length: count }, (_, index) =>
    encodeAudioFrame({
      speaker: SPEAKER.candidate,
      endOfTurn: index === count - 1,
      turn,
      seq: firstSeq + index,
      timestampMs: index * FRAME_MS,
      pcm: pcm.subarray(index * PCM_BYTES, (index + 1) * PCM_BYTES),
    }),
  );
  return { turn, lastSeq: firstSeq + count - 1, pcm, frames };
};
