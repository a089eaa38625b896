import { describe, expect, it, jest } from '@jest/globals';

interface Piece {
  readonly pcm: Uint8Array;
  readonly level: number;
}
interface Processor {
  process(inputs: readonly (readonly Float32Array[])[]): boolean;
}

/** What an AudioWorklet posts of a tone of 1 kHz, which comes 128 samples at a time as browsers hand it out. */
const captured = async (sampleRate: number, amplitude: number): Promise<readonly Piece[]> => {
  const pieces: Piece[] = [];
  const made: (new () => Processor)[] = [];
  Object.assign(globalThis, {
    sampleRate,
    AudioWorkletProcessor: class {
      readonly port = { postMessage: (piece: Piece) => pieces.push(piece) };
    },
    registerProcessor: (_: string, processor: new () => Processor) => made.push(processor),
  });
  jest.resetModules();
  await import('./worklet.js');
  const capture = new made[0]!();
  for (let from = 0; from < sampleRate; from += 128) {
    const block = Float32Array.from(
      { length: 128 },
      (_, at) => amplitude * Math.sin((2 * Math.PI * 1_000 * (from + at)) / sampleRate),
    );
    capture.process([[block]]);
  }
  return pieces;
};

describe('the microphone’s sound', () => {
  it.each([16_000, 44_100, 48_000])('comes 25 times a second at %i Hz, as it was heard', async (rate) => {
    const pieces = await captured(rate, 0.5);
    expect(pieces).toHaveLength(25);
    for (const { pcm } of pieces.slice(1)) expect(pcm.byteLength).toBe(1_280);
    const samples = pieces.flatMap(({ pcm }) => [...new Int16Array(pcm.buffer)]);
    samples.slice(200).forEach((sample, at) => {
      const wanted = 0.5 * 32_767 * Math.sin((2 * Math.PI * (at + 200)) / 16);
      expect(Math.abs(sample - wanted)).toBeLessThan(20);
    });
    expect(pieces.at(-1)?.level).toBeCloseTo(0.5 / Math.SQRT2, 2);
  });

  it('has no level where only zeros come, and is not wrapped where it is too loud', async () => {
    expect((await captured(48_000, 0)).every(({ level }) => level === 0)).toBe(true);
    const [, loud] = await captured(48_000, 2);
    expect(loud!.level).toBeGreaterThan(0.8);
  });
});
