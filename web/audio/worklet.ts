import { Resampler } from '../../packages/interview-client/src/resampler.js';

// What an AudioWorklet has, and the library of the DOM lacks.
declare const sampleRate: number;
declare const registerProcessor: (name: string, processor: new () => AudioWorkletProcessor) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

const TAKEN_AT_ONCE = 1_024;
/** 40 ms of 16 kHz, two bytes each. */
const SENT_BYTES = 1_280;

/** Brings the microphone's sound to PCM s16le, 16 kHz, mono, and posts it with its level in pieces of 40 ms. */
class Capture extends AudioWorkletProcessor {
  private readonly resampler = new Resampler(sampleRate);
  private taken = new Int16Array(TAKEN_AT_ONCE);
  private count = 0;
  private ready: Uint8Array = new Uint8Array(0);

  process([channels]: readonly (readonly Float32Array[])[]): boolean {
    for (const sample of channels?.[0] ?? []) {
      this.taken[this.count] = Math.max(-1, Math.min(1, sample)) * 32_767;
      this.count += 1;
      if (this.count === TAKEN_AT_ONCE) this.pass();
    }
    return true;
  }

  private pass(): void {
    // Every browser runs on a little-endian machine.
    const pcm = this.resampler.push(new Uint8Array(this.taken.buffer));
    this.count = 0;
    const joined = new Uint8Array(this.ready.length + pcm.length);
    joined.set(this.ready);
    joined.set(pcm, this.ready.length);
    let at = 0;
    for (; at + SENT_BYTES <= joined.length; at += SENT_BYTES) {
      const piece = joined.slice(at, at + SENT_BYTES);
      this.port.postMessage({ pcm: piece, level: levelOf(piece) }, [piece.buffer]);
    }
    this.ready = joined.slice(at);
  }
}

/** Root mean square, from 0 to 1. */
const levelOf = (pcm: Uint8Array): number => {
  const samples = new Int16Array(pcm.buffer);
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) / 32_768;
};

registerProcessor('capture', Capture);
