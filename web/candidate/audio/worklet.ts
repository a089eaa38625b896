import { Resampler } from '../../../packages/interview-client/src/resampler.js';

// Globals of an AudioWorklet that TypeScript's DOM library lacks.
declare const sampleRate: number;
declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

const PIECE_SECONDS = 0.04;
/** The value of a sample of 1 in s16le. */
const FULL_SCALE = 32_767;

/** Converts the microphone's sound to PCM s16le, 16 kHz, mono, and posts it with its level, 25 times a second. */
class Capture extends AudioWorkletProcessor {
  private readonly resampler = new Resampler(sampleRate);
  private readonly taken = new Float32Array(Math.round(sampleRate * PIECE_SECONDS));
  private count = 0;

  process([channels]: readonly (readonly Float32Array[])[]): boolean {
    for (const sample of channels?.[0] ?? []) {
      this.taken[this.count] = sample * FULL_SCALE;
      this.count += 1;
      if (this.count === this.taken.length) this.post();
    }
    return true;
  }

  private post(): void {
    this.count = 0;
    const pcm = this.resampler.pushSamples(this.taken);
    this.port.postMessage({ pcm, level: levelOf(pcm) }, [pcm.buffer]);
  }
}

/** Root mean square, from 0 to 1. */
const levelOf = (pcm: Uint8Array): number => {
  // Every browser runs on a little-endian machine.
  const samples = new Int16Array(pcm.buffer);
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) / 32_768;
};

registerProcessor('capture', Capture);
