import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Resampler } from './resampler.js';

const RATES = [8_000, 16_000, 22_050, 24_000, 44_100, 48_000];

const pcmOf = (samples: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, at) => bytes.writeInt16LE(Math.round(sample), at * 2));
  return bytes;
};
const samplesOf = (pcm: Uint8Array): number[] => {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Array.from({ length: pcm.byteLength / 2 }, (_, at) => view.getInt16(at * 2, true));
};
const tone = (hertz: number, rate: number, seconds: number, amplitude = 10_000): number[] =>
  Array.from({ length: rate * seconds }, (_, at) => amplitude * Math.sin((2 * Math.PI * hertz * at) / rate));
const whole = (samples: readonly number[], rate: number): number[] => {
  const resampler = new Resampler(rate);
  return samplesOf(Buffer.concat([resampler.push(pcmOf(samples)), resampler.end()]));
};
const rms = (samples: readonly number[]): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

describe('a resampler', () => {
  it.each(RATES)('gives from %i Hz the same sound as long, in time and as loud', (rate) => {
    for (const hertz of [100, 440, 1_000, 3_000]) {
      const output = whole(tone(hertz, rate, 0.5), rate);
      expect(output).toHaveLength(8_000);
      const wanted = tone(hertz, 16_000, 0.5);
      const inner = (list: readonly number[]): number[] => list.slice(200, -200);
      const difference = inner(output).map((sample, at) => sample - inner(wanted)[at]!);
      expect(rms(difference)).toBeLessThan(10);
    }
  });

  it.each(RATES)('shifts no silence and no offset at %i Hz', (rate) => {
    expect(whole(new Array<number>(rate / 10).fill(0), rate).every((sample) => sample === 0)).toBe(true);
    const output = whole(new Array<number>(rate / 10).fill(5_000), rate).slice(200, -200);
    expect(output.every((sample) => Math.abs(sample - 5_000) <= 1)).toBe(true);
  });

  it.each([24_000, 44_100, 48_000])('leaves out at %i Hz what 16 kHz cannot hold', (rate) => {
    expect(rms(whole(tone(9_500, rate, 0.3), rate).slice(200, -200))).toBeLessThan(10);
  });

  it('clips what is too loud, and does not wrap it', () => {
    const square = Array.from({ length: 2_400 }, (_, at) => (at % 48 < 24 ? 32_767 : -32_768));
    const output = whole(square, 24_000);
    for (let at = 4; at < 12; at += 1) expect(output[320 + at]).toBeGreaterThan(20_000);
  });

  it('gives the same however its input is cut, in the middle of a sample too', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...RATES),
        fc.uint8Array({ maxLength: 500, size: 'max' }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 10 }),
        (rate, input, cuts) => {
          const one = new Resampler(rate);
          const expected = Buffer.concat([one.push(input), one.end()]);
          const other = new Resampler(rate);
          const pieces: Uint8Array[] = [];
          for (let at = 0, n = 0; at < input.byteLength; n += 1) {
            const next = at + cuts[n % cuts.length]!;
            pieces.push(other.push(input.subarray(at, next)));
            at = next;
          }
          const actual = Buffer.concat([...pieces, other.end()]);
          expect(actual.equals(expected)).toBe(true);
          const samples = input.byteLength >> 1;
          expect(actual.byteLength).toBe(2 * Math.ceil((samples * 16_000) / rate));
          expect(pieces.every((piece) => piece.byteLength % 2 === 0)).toBe(true);
        },
      ),
      // No shrinking: of noise it takes all memory, and the seed reproduces the failure.
      { numRuns: 25, endOnFailure: true },
    ));

  it('rounds once what has fractions, however quiet it is', () => {
    const quiet = tone(440, 48_000, 0.5, 3);
    const wanted = tone(440, 16_000, 0.5, 3).slice(200, -200);
    const resampler = new Resampler(48_000);
    const pieces = [resampler.pushSamples(Float32Array.from(quiet)), resampler.end()];
    const output = samplesOf(Buffer.concat(pieces)).slice(200, -200);
    expect(output).toHaveLength(wanted.length);
    output.forEach((sample, at) => expect(Math.abs(sample - wanted[at]!)).toBeLessThan(0.51));
  });

  it('outputs at once what it can', () => {
    const resampler = new Resampler(24_000);
    expect(resampler.push(pcmOf(tone(440, 24_000, 0.1))).byteLength).toBeGreaterThan(2 * 1_500);
  });
});
