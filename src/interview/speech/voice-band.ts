import { SAMPLE_RATE } from '../../../packages/interview-client/src/protocol/audio-frame.js';

/** Lower end of the band. Below it are mains hum and rumble; a voice is recognised by its overtones in the band. */
const FROM_HERTZ = 200;
/** Order of the high-pass filter (Butterworth), which weakens a hum of 100 Hz by 36 dB. */
const ORDER = 6;

/** Each sample here is the mean of two of the audio's: half the work, and voices need nothing above 4 kHz. */
const AUDIO_SAMPLES = 2;
/** The search for a pitch halves them again: it needs nothing above 2 kHz. */
const DECIMATION = 2;
/** Shortest and longest period of a pitch, in decimated samples (4,000 a second): 77 to 700 Hz. */
const MIN_LAG = 5;
const MAX_LAG = 52;
/** Least autocorrelation of a pitch: noise has up to 0.4, a voice mostly above 0.6. */
const PITCHED = 0.5;
/** If a smaller share of all power is in the band, the sound is a hum with its overtones. */
const MIN_SHARE_IN_BAND = 0.01;

/**
 * Measures the sound in the band of voices, so that hum and noise do not count as speech (`voice-activity`). Call
 * `powerOf` for each window in order, since the filter keeps its state; `hasPitch` refers to the last call's window.
 */
export class VoiceBand {
  private readonly sections = highPass(FROM_HERTZ, ORDER);
  private readonly samples: Float64Array;
  /** The last two windows, decimated: the lowest pitches need more than one. */
  private readonly decimated: Float64Array;
  private shareInBand = 0;

  /** @param length the length of a window in samples of the audio, a multiple of 4 */
  constructor(length: number) {
    this.samples = new Float64Array(length / AUDIO_SAMPLES);
    this.decimated = new Float64Array((2 * length) / AUDIO_SAMPLES / DECIMATION);
  }

  /** Mean power of the next window in the band. @param window PCM s16le */
  powerOf(window: DataView): number {
    const { samples, sections } = this;
    const { length } = samples;
    let sum = 0;
    let sumOfSquares = 0;
    for (let at = 0; at < length; at += 1) {
      const sample = (window.getInt16(4 * at, true) + window.getInt16(4 * at + 2, true)) / AUDIO_SAMPLES;
      samples[at] = sample;
      sum += sample;
      sumOfSquares += sample * sample;
    }
    for (const section of sections) filter(section, samples);
    let inBand = 0;
    for (const sample of samples) inBand += sample * sample;
    const all = sumOfSquares - (sum * sum) / length;
    this.shareInBand = all > 0 ? inBand / all : 0;
    this.decimate();
    return inBand / length;
  }

  /** Whether the last window has a pitch, like a voice. Hum below the band does not count. */
  hasPitch(): boolean {
    if (this.shareInBand < MIN_SHARE_IN_BAND) return false;
    let former = 0;
    let current = 0;
    for (let lag = MIN_LAG; lag <= MAX_LAG + 1; lag += 1) {
      const next = this.autocorrelation(lag);
      // Only a peak counts: sound that changes slowly has a high autocorrelation at every short lag.
      if (lag > MIN_LAG + 1 && current >= PITCHED && current > former && current >= next) return true;
      former = current;
      current = next;
    }
    return false;
  }

  private decimate(): void {
    const { samples, decimated } = this;
    const half = decimated.length / 2;
    decimated.copyWithin(0, half);
    for (let at = 0; at < half; at += 1) {
      let sum = 0;
      for (let nth = 0; nth < DECIMATION; nth += 1) sum += samples[at * DECIMATION + nth] ?? 0;
      decimated[half + at] = sum;
    }
  }

  /** Autocorrelation at a lag of that many decimated samples, from -1 to 1. */
  private autocorrelation(lag: number): number {
    const { decimated } = this;
    let product = 0;
    let early = 0;
    let later = 0;
    for (let at = 0; at + lag < decimated.length; at += 1) {
      const one = decimated[at] ?? 0;
      const other = decimated[at + lag] ?? 0;
      product += one * other;
      early += one * one;
      later += other * other;
    }
    return early > 0 && later > 0 ? product / Math.sqrt(early * later) : 0;
  }
}

/** A section of the filter, of second order: its coefficients and its state. */
interface Section {
  readonly b0: number;
  readonly b1: number;
  readonly a1: number;
  readonly a2: number;
  z1: number;
  z2: number;
}

const highPass = (hertz: number, order: number): readonly Section[] =>
  Array.from({ length: order / 2 }, (_, place) => {
    const quality = 1 / (2 * Math.cos((Math.PI * (2 * place + 1)) / (2 * order)));
    const angle = (2 * Math.PI * hertz * AUDIO_SAMPLES) / SAMPLE_RATE;
    const cosine = Math.cos(angle);
    const alpha = Math.sin(angle) / (2 * quality);
    const a0 = 1 + alpha;
    const b0 = (1 + cosine) / 2 / a0;
    return { b0, b1: -2 * b0, a1: (-2 * cosine) / a0, a2: (1 - alpha) / a0, z1: 0, z2: 0 };
  });

const filter = (section: Section, samples: Float64Array): void => {
  const { b0, b1, a1, a2 } = section;
  let { z1, z2 } = section;
  for (let at = 0; at < samples.length; at += 1) {
    const sample = samples[at] ?? 0;
    const filtered = b0 * sample + z1;
    z1 = b1 * sample - a1 * filtered + z2;
    z2 = b0 * sample - a2 * filtered;
    samples[at] = filtered;
  }
  // Silence would leave denormal numbers, which slow processors down.
  section.z1 = Math.abs(z1) < 1e-9 ? 0 : z1;
  section.z2 = Math.abs(z2) < 1e-9 ? 0 : z2;
};
