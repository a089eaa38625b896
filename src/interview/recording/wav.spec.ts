import { expect, it } from '@jest/globals';
import { WAV_HEADER_BYTES, wavHeader } from './wav.js';

it('says what the PCM behind it is', () => {
  const header = wavHeader(64_000);
  expect(header).toHaveLength(WAV_HEADER_BYTES);
  const words = [0, 8, 12, 36].map((at) => header.toString('latin1', at, at + 4));
  expect(words).toEqual(['RIFF', 'WAVE', 'fmt ', 'data']);
  expect(header.readUInt32LE(4)).toBe(64_036);
  expect(header.readUInt32LE(16)).toBe(16);
  // PCM, mono, samples and bytes a second, bytes a sample, bits a sample.
  expect([20, 22, 32, 34].map((at) => header.readUInt16LE(at))).toEqual([1, 1, 2, 16]);
  expect([24, 28, 40].map((at) => header.readUInt32LE(at))).toEqual([16_000, 32_000, 64_000]);
});
