import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AudioFrame,
  BYTES_PER_MS,
  encodeAudioFrame,
  HEADER_BYTES,
  parseAudioFrame,
  SPEAKER,
} from './audio-frame.js';

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const samples = (least: number, most: number) =>
  fc
    .integer({ min: least * BYTES_PER_MS, max: most * BYTES_PER_MS })
    .map((bytes) => bytes - (bytes % 2))
    .chain((bytes) => fc.uint8Array({ minLength: bytes, maxLength: bytes }));

const frames: fc.Arbitrary<AudioFrame> = fc
  .record({
    speaker: fc.constantFrom(SPEAKER.candidate, SPEAKER.interviewer),
    endOfTurn: fc.boolean(),
    turn: fc.integer({ min: 1, max: 0xffff }),
    seq: fc.integer({ min: 1, max: 0xffff_ffff }),
    timestampMs: u32,
    pcm: samples(20, 100),
  })
  .chain((frame) =>
    frame.endOfTurn
      ? fc.constantFrom<AudioFrame>(frame, { ...frame, pcm: new Uint8Array(0) })
      : fc.constant<AudioFrame>(frame),
  );

const frame = (change: Partial<AudioFrame> = {}): Uint8Array =>
  encodeAudioFrame({
    speaker: SPEAKER.candidate,
    endOfTurn: false,
    turn: 1,
    seq: 1,
    timestampMs: 0,
    pcm: new Uint8Array(20 * BYTES_PER_MS),
    ...change,
  });

describe('an audio frame', () => {
  it('comes back as it was encoded, wherever its bytes lie', () => {
    fc.assert(
      fc.property(frames, fc.nat({ max: 9 }), (one, offset) => {
        const encoded = encodeAudioFrame(one);
        const within = new Uint8Array(offset + encoded.length + 3).fill(0xff);
        within.set(encoded, offset);
        expect(parseAudioFrame(within.subarray(offset, offset + encoded.length), one.speaker)).toEqual(one);
      }),
      { numRuns: 50 },
    );
  });

  it('is laid out as it is documented', () => {
    const bytes = frame({ endOfTurn: true, turn: 0x0102, seq: 0x0304_0506, timestampMs: 0xfffe_fdfc });
    expect(Buffer.from(bytes.subarray(0, HEADER_BYTES)).toString('hex')).toBe('0101010203040506fffefdfc');
  });

  it('of any bytes is itself or a sentence, and never throws', () => {
    const header = fc.record({
      speaker: fc.nat({ max: 3 }),
      flags: fc.nat({ max: 3 }),
      rest: fc.uint8Array({ minLength: 10, maxLength: 10 }),
      pcm: fc.uint8Array({ maxLength: 3_300 }),
    });
    const likely = header.map(({ speaker, flags, rest, pcm }) =>
      Uint8Array.from([speaker, flags, ...rest, ...pcm]),
    );
    fc.assert(
      fc.property(fc.oneof(likely, fc.uint8Array({ maxLength: 40 })), (bytes) => {
        const parsed = parseAudioFrame(bytes, SPEAKER.candidate);
        if (typeof parsed === 'string') expect(parsed).toMatch(/^[A-Zs].*\.$/);
        else expect(encodeAudioFrame(parsed)).toEqual(bytes);
      }),
    );
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['of one byte', Uint8Array.of(1), /header of 12 bytes/],
    ['of no byte', new Uint8Array(0), /header of 12 bytes/],
    ['that cuts its header off', frame().subarray(0, HEADER_BYTES - 1), /header of 12 bytes/],
    ['of the other speaker', frame({ speaker: SPEAKER.interviewer }), /speaker of these frames is 1/],
    ['of turn 0', frame({ turn: 0 }), /Turns are counted from 1/],
    ['with seq 0', frame({ seq: 0 }), /seq is counted from 1/],
    ['with half a sample', frame({ pcm: new Uint8Array(641) }), /two bytes each/],
    ['of less than 20 ms', frame({ pcm: new Uint8Array(638) }), /20 to 100 ms/],
    ['of more than 100 ms', frame({ pcm: new Uint8Array(3_202) }), /20 to 100 ms/],
    ['without audio that ends nothing', frame({ pcm: new Uint8Array(0) }), /20 to 100 ms/],
    ['with flags of a later protocol', frame().fill(2, 1, 2), /Flags other than bit 0/],
  ])('%s is refused in a sentence', (_, bytes, sentence) => {
    expect(parseAudioFrame(bytes, SPEAKER.candidate)).toMatch(sentence);
  });

  it.each([640, 3_200])('holds %d bytes of audio', (length) => {
    const pcm = new Uint8Array(length);
    expect(parseAudioFrame(frame({ pcm }), SPEAKER.candidate)).toMatchObject({ endOfTurn: false, pcm });
  });
});
