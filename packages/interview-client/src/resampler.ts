import { SAMPLE_RATE } from './protocol/audio-frame.js';

/** Zero crossings of the filter on each side: they attenuate what is not kept by about 80 dB. */
const CROSSINGS = 24;
/** Share of the lower rate's bandwidth that is kept; the filter's slope is above it. */
const KEPT = 0.92;

/**
 * Converts mono sound from one sample rate to s16le PCM of 16 kHz (or another rate), piece by piece, by a windowed-sinc
 * filter for each position that an output sample can have between two input samples. It adds no delay and no offset; the
 * output is as long as the input, rounded up to a whole sample.
 */
export class Resampler {
  private readonly up: number;
  private readonly down: number;
  /** Input samples on each side of an output sample. */
  private readonly half: number;
  /** Input that an output sample needs after its position, in samples: `half`, and one since it is between two of them. */
  private readonly ahead: number;
  /** By the output's position between two input samples, in steps of 1 / `up`. */
  private readonly filters: readonly Float64Array[];

  /** Input from sample `first` on; samples before the beginning are silence. */
  private input: Float32Array;
  private first: number;
  private received = 0;
  private produced = 0;
  /** The first byte of a sample that was cut in two. */
  private odd: number | null = null;

  constructor(from: number, to: number = SAMPLE_RATE) {
    const divisor = greatestDivisor(from, to);
    this.up = to / divisor;
    this.down = from / divisor;
    const cutoff = from === to ? 1 : KEPT * Math.min(1, to / from);
    this.half = from === to ? 0 : Math.ceil(CROSSINGS / cutoff);
    this.ahead = this.half === 0 ? 0 : this.half + 1;
    this.filters = Array.from({ length: this.up }, (_, phase) => filter(phase / this.up, this.half, cutoff));
    this.input = new Float32Array(this.half);
    this.first = -this.half;
  }

  /** @param pcm s16le, of any length @returns the output for the input so far */
  push(pcm: Uint8Array): Uint8Array {
    return this.pushSamples(this.read(pcm));
  }

  /** @param samples from -32,768 to 32,767, fractions included @returns the output for the input so far */
  pushSamples(samples: Float32Array): Uint8Array {
    this.received += samples.length;
    this.append(samples);
    return this.produce(this.received - this.ahead);
  }

  /** Call it after the last input. @returns the rest of the output; half a sample at the end of the input is left out */
  end(): Uint8Array {
    this.append(new Float32Array(this.half));
    return this.produce(this.received);
  }

  private read(pcm: Uint8Array): Float32Array {
    const joined = this.odd === null ? pcm : Uint8Array.from([this.odd, ...pcm]);
    const samples = new Float32Array(joined.byteLength >> 1);
    const view = new DataView(joined.buffer, joined.byteOffset, joined.byteLength);
    for (let at = 0; at < samples.length; at += 1) samples[at] = view.getInt16(at * 2, true);
    this.odd = joined.byteLength % 2 === 1 ? (joined.at(-1) ?? null) : null;
    return samples;
  }

  private append(samples: Float32Array): void {
    const firstNeeded = Math.floor((this.produced * this.down) / this.up) - this.half;
    const kept = this.input.subarray(Math.max(0, firstNeeded - this.first));
    this.first = Math.max(this.first, firstNeeded);
    const input = new Float32Array(kept.length + samples.length);
    input.set(kept);
    input.set(samples, kept.length);
    this.input = input;
  }

  /** The output samples before that input sample. */
  private produce(before: number): Uint8Array {
    const until = Math.max(this.produced, Math.ceil((before * this.up) / this.down));
    const output = new Uint8Array((until - this.produced) * 2);
    const view = new DataView(output.buffer);
    for (let at = 0; at < output.byteLength; at += 2) {
      view.setInt16(at, this.sample(), true);
      this.produced += 1;
    }
    return output;
  }

  private sample(): number {
    const position = this.produced * this.down;
    const taps = this.filters[position % this.up] ?? this.filters[0];
    const from = Math.floor(position / this.up) - this.half - this.first;
    let value = 0;
    if (taps)
      for (let at = 0; at < taps.length; at += 1) value += (taps[at] ?? 0) * (this.input[from + at] ?? 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(value)));
  }
}

/**
 * The weights of the input samples around an output sample that is `offset` (0 to 1) after one of them; their sum is
 * 1.
 */
const filter = (offset: number, half: number, cutoff: number): Float64Array => {
  const taps = new Float64Array(2 * half + (half === 0 ? 1 : 2));
  for (let at = 0; at < taps.length; at += 1) {
    const distance = at - half - offset;
    const x = Math.PI * cutoff * distance;
    taps[at] = (x === 0 ? 1 : Math.sin(x) / x) * blackman(distance / (half + 1));
  }
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
};

/** A Blackman window from -1 to 1; 0 outside. */
const blackman = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));
