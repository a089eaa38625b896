import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getEventListeners } from 'node:events';
import { paced, type SpeechFrame } from './pace.js';

const FRAME_MS = 40;
const FRAME_BYTES = FRAME_MS * 32;
/** A last frame is at least this long, so that much is held back. */
const HELD_BYTES = FRAME_BYTES / 2;
const never = new AbortController().signal;

async function* of(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* pieces;
}
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const all = async (frames: AsyncIterable<SpeechFrame>): Promise<SpeechFrame[]> => {
  const list: SpeechFrame[] = [];
  for await (const frame of frames) list.push(frame);
  return list;
};

describe('paced speech', () => {
  it('comes in frames of 40 ms, every sample in order, the last one marked and of 20 to 60 ms', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 5_000, size: 'max' }), { maxLength: 8 }),
        async (pieces) => {
          const frames = await all(paced(of(...pieces), never));
          const said = Buffer.concat(pieces);
          const whole = said.byteLength - (said.byteLength % 2);
          const last = frames.at(-1);
          expect(frames.slice(0, -1).every(({ pcm }) => pcm.byteLength === FRAME_BYTES)).toBe(true);
          expect(frames.map(({ isLast }) => isLast)).toEqual(frames.map((one) => one === last));
          expect(last === undefined).toBe(whole === 0);
          if (last === undefined) return;
          expect(last.pcm.byteLength).toBeGreaterThanOrEqual(HELD_BYTES);
          expect(last.pcm.byteLength).toBeLessThan(FRAME_BYTES + HELD_BYTES);
          const sent = Buffer.concat(frames.map(({ pcm }) => pcm));
          expect(sent.subarray(0, whole).equals(said.subarray(0, whole))).toBe(true);
          // Only speech that is shorter than any frame is filled up.
          expect(sent.byteLength).toBe(Math.max(whole, HELD_BYTES));
          expect(sent.subarray(whole).every((byte) => byte === 0)).toBe(true);
        },
      ),
      { numRuns: 40 },
    ));

  it('hands each frame out once, also where the pieces share their memory', async () => {
    const shared = new Uint8Array(FRAME_BYTES);
    async function* again(): AsyncGenerator<Uint8Array, void, undefined> {
      for (const byte of [1, 2, 3]) yield shared.fill(byte);
    }
    expect((await all(paced(again(), never))).map(({ pcm }) => pcm[0])).toEqual([1, 2, 3]);
  });

  it('is at most two seconds ahead of its listener, and no more behind than it must', async () => {
    const began = performance.now();
    const times: number[] = [];
    for await (const { pcm } of paced(of(new Uint8Array(60 * FRAME_BYTES)), never)) {
      expect(pcm).toHaveLength(FRAME_BYTES);
      times.push(performance.now() - began);
    }
    expect(times).toHaveLength(60);
    times.forEach((at, n) => expect(at).toBeGreaterThanOrEqual(n * FRAME_MS - 2_000 - 2));
    expect(times[49]).toBeLessThan(300);
    expect(times[59]).toBeLessThan(1_500);
  });

  it('counts from when the listener went on, after it had nothing to hear', async () => {
    async function* halting(): AsyncGenerator<Uint8Array, void, undefined> {
      yield new Uint8Array(FRAME_BYTES + HELD_BYTES);
      await wait(500);
      yield new Uint8Array(58 * FRAME_BYTES);
    }
    const began = performance.now();
    await all(paced(halting(), never));
    expect(performance.now() - began).toBeGreaterThanOrEqual(500 + 57 * FRAME_MS - 2_000 - 2);
  });

  it('ends at once when aborted: before, between two frames, in a piece that hangs', async () => {
    expect(await all(paced(of(new Uint8Array(FRAME_BYTES)), AbortSignal.abort()))).toEqual([]);

    const early = new AbortController();
    const frames = paced(of(new Uint8Array(100 * FRAME_BYTES)), early.signal);
    setTimeout(() => early.abort(), 30);
    const began = performance.now();
    const sent = await all(frames);
    expect(sent.length).toBeLessThanOrEqual(52);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(getEventListeners(early.signal, 'abort')).toEqual([]);

    const hanging = new AbortController();
    async function* hangs(): AsyncGenerator<Uint8Array, void, undefined> {
      yield new Uint8Array(FRAME_BYTES + HELD_BYTES);
      await new Promise(() => undefined);
    }
    setTimeout(() => hanging.abort(), 30);
    expect(await all(paced(hangs(), hanging.signal))).toHaveLength(1);
    expect(getEventListeners(hanging.signal, 'abort')).toEqual([]);
  });

  it('hands on what fails, after what came before it, and tells the source when it is left', async () => {
    async function* fails(): AsyncGenerator<Uint8Array, void, undefined> {
      yield new Uint8Array(2 * FRAME_BYTES + HELD_BYTES);
      throw new Error('The voice broke.');
    }
    let frames = 0;
    const read = async (): Promise<void> => {
      for await (const { pcm } of paced(fails(), never)) frames += pcm.byteLength / FRAME_BYTES;
    };
    await expect(read()).rejects.toThrow('The voice broke.');
    expect(frames).toBe(2);

    let isClosed = false;
    async function* closes(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        for (;;) yield new Uint8Array(FRAME_BYTES);
      } finally {
        isClosed = true;
      }
    }
    for await (const { pcm } of paced(closes(), never)) if (pcm.byteLength > 0) break;
    await wait(0);
    expect(isClosed).toBe(true);
  });
});
