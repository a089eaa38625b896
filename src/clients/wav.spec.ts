import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { readWavStart, WAV_HEADER_BYTES, wavHeader } from './pcm.js';

const wav = (pcm: Uint8Array, rate = 16_000): Buffer => {
  const file = Buffer.concat([wavHeader(pcm.byteLength), pcm]);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  return file;
};
const converted = (input: Uint8Array) =>
  spawnSync(process.execPath, ['dist/bin/wav-to-pcm.js'], { input, timeout: 60_000 });

describe('a WAV header', () => {
  it('is read as it was written, and wants all of itself', () => {
    const header = wavHeader(1_280);
    expect(header).toHaveLength(WAV_HEADER_BYTES);
    expect(readWavStart(header)).toEqual({ sampleRate: 16_000, offset: 44, bytes: 1_280 });
    for (let bytes = 0; bytes < 44; bytes += 1) expect(readWavStart(header.subarray(0, bytes))).toBeNull();
  });

  it('may have other chunks before the samples', () => {
    const header = Buffer.from(wavHeader(1_280));
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const longer = Buffer.concat([header.subarray(0, 36), list, header.subarray(36)]);
    expect(readWavStart(longer)).toEqual({ sampleRate: 16_000, offset: 56, bytes: 1_280 });
  });

  it.each<[string, number, number, string]>([
    ['stereo', 22, 2, 'This WAV is not mono with 16 bits a sample.'],
    ['8 bits', 34, 8, 'This WAV is not mono with 16 bits a sample.'],
    ['no rate', 24, 0, 'This WAV has 0 samples a second: 4,000 to 192,000 are possible.'],
    ['no RIFF', 0, 0, 'This is not a WAV file.'],
    ['no fmt', 12, 0, 'This WAV has no format chunk before its samples.'],
  ])('with %s is refused', (_, at, value, sentence) => {
    const header = Buffer.from(wavHeader(1_280));
    header.writeUInt16LE(value, at);
    expect(readWavStart(header)).toBe(sentence);
  });

  it('may be anything, and does no harm', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (tail) => {
        const bytes = Buffer.concat([wavHeader(0).subarray(0, 12), tail]);
        const start = readWavStart(bytes);
        if (start !== null && typeof start !== 'string')
          expect(start.offset).toBeLessThanOrEqual(bytes.byteLength);
      }),
    ));
});

describe('the program that makes PCM of WAV', () => {
  it('keeps what is 16 kHz already, and ends with the samples', () => {
    const pcm = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251);
    const { status, stdout } = converted(Buffer.concat([wav(pcm), Buffer.from('LIST')]));
    expect(status).toBe(0);
    expect(stdout.equals(Buffer.from(pcm))).toBe(true);
  });

  it('converts what is not, also where the header cannot know its length', () => {
    const streamed = wav(new Uint8Array(44_100), 22_050);
    streamed.writeUInt32LE(0x7ffff000, 40);
    const { status, stdout } = converted(streamed);
    expect([status, stdout.byteLength]).toEqual([0, 32_000]);
  });

  it.each([
    ['', 'This WAV ends before its samples.'],
    ['not a WAV at all', 'This is not a WAV file.'],
  ])('fails on %p', (input, sentence) => {
    const { status, stderr, stdout } = converted(Buffer.from(input));
    expect([status, stderr.toString(), stdout.byteLength]).toEqual([1, `${sentence}\n`, 0]);
  });
});
