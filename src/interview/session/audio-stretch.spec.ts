import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AudioFrame, SPEAKER } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { AudioStretch, MAX_STRETCH_BYTES } from './audio-intake.js';

const frame = (seq: number, pcm: Uint8Array, more: Partial<AudioFrame> = {}): AudioFrame => ({
  speaker: SPEAKER.candidate,
  endOfTurn: false,
  turn: 1,
  seq,
  timestampMs: 1_000 + seq,
  pcm,
  ...more,
});
const audio = fc.uint8Array({ minLength: 0, maxLength: 3_200 });

describe('a stretch of audio', () => {
  it('holds what its frames held, in their order, whatever becomes of what they came in', () => {
    fc.assert(
      fc.property(fc.array(audio, { minLength: 1, maxLength: 40 }), (parts) => {
        const [first] = parts;
        const stretch = new AudioStretch(frame(1, first!), true, []);
        const taken = parts.filter((part, at) => {
          const next = frame(at + 1, part.slice());
          if (!stretch.takes(next, true)) return false;
          stretch.add(next, null);
          next.pcm.fill(0);
          return true;
        });
        const { pcm, firstSeq } = stretch.chunk();
        expect(firstSeq).toBe(1);
        expect(Buffer.compare(pcm, Buffer.concat(taken))).toBe(0);
        expect(stretch.byteLength).toBe(pcm.byteLength);
      }),
    );
  });

  it('tells where it lies and where the answer begins', () => {
    const stretch = new AudioStretch(frame(5, new Uint8Array(640)), true, []);
    stretch.add(frame(5, new Uint8Array(640)), null);
    stretch.add(frame(6, new Uint8Array(640)), 700);
    stretch.add(frame(7, new Uint8Array(0), { endOfTurn: true }), null);
    expect(stretch.chunk()).toEqual({
      turn: 1,
      firstSeq: 5,
      lastSeq: 7,
      timestampMs: 1_005,
      endOfTurn: true,
      answerGapMs: 700,
      pcm: Buffer.alloc(1_280),
    });
  });

  it('keeps nothing of what is let go, and counts it', () => {
    const stretch = new AudioStretch(frame(1, new Uint8Array(640)), false, []);
    stretch.add(frame(1, new Uint8Array(640)), null);
    expect(stretch.chunk().pcm.byteLength).toBe(0);
    expect(stretch.byteLength).toBe(640);
  });

  it.each([
    ['of another turn', frame(2, new Uint8Array(640), { turn: 2 }), true],
    ['that is let go', frame(2, new Uint8Array(640)), false],
    ['that makes it too long', frame(2, new Uint8Array(MAX_STRETCH_BYTES)), true],
  ])('takes no frame %s', (_, next, kept) => {
    const stretch = new AudioStretch(frame(1, new Uint8Array(640)), true, []);
    stretch.add(frame(1, new Uint8Array(640)), null);
    expect(stretch.takes(frame(2, new Uint8Array(640)), true)).toBe(true);
    expect(stretch.takes(next, kept)).toBe(false);
  });

  it('ends with its turn', () => {
    const stretch = new AudioStretch(frame(1, new Uint8Array(640)), true, []);
    stretch.add(frame(1, new Uint8Array(640), { endOfTurn: true }), null);
    expect(stretch.takes(frame(2, new Uint8Array(640)), true)).toBe(false);
  });

  it('fills the block of one that is stored, and of no other', () => {
    const spare: Buffer[] = [];
    const stretchOf = (byte: number): AudioStretch => {
      const stretch = new AudioStretch(frame(byte, new Uint8Array(0)), true, spare);
      stretch.add(frame(byte, new Uint8Array(640).fill(byte)), null);
      return stretch;
    };
    const stored = stretchOf(1);
    const before = stored.chunk().pcm.buffer;
    const waiting = stretchOf(2);
    stored.release();
    const next = stretchOf(3);
    expect(next.chunk().pcm.buffer).toBe(before);
    expect(Buffer.compare(next.chunk().pcm, Buffer.alloc(640, 3))).toBe(0);
    expect(Buffer.compare(waiting.chunk().pcm, Buffer.alloc(640, 2))).toBe(0);
    expect(spare).toEqual([]);
  });
});
