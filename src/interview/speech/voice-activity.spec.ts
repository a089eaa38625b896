import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { VoiceActivity } from './voice-activity.js';

type Signal = (ms: number) => number;

/** Random, and the same each time. */
const noise = (rms: number): Signal => {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state / 2 ** 31) * rms * Math.sqrt(3);
  };
};
const tone =
  (amplitude: number, hertz = 220): Signal =>
  (ms) =>
    amplitude * Math.sin((2 * Math.PI * hertz * ms) / 1_000);
/** Syllables of 180 ms with 60 ms between them. */
const speech =
  (amplitude: number): Signal =>
  (ms) =>
    ms % 240 < 180 ? tone(amplitude)(ms) : 0;
const silence: Signal = () => 0;
const both =
  (one: Signal, other: Signal): Signal =>
  (ms) =>
    one(ms) + other(ms);

const pcm = (...parts: readonly (readonly [Signal, number])[]): Buffer => {
  const samples = parts.flatMap(([signal, length]) =>
    Array.from({ length: length * 16 }, (_, at) => signal(at / 16)),
  );
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, at) =>
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(sample))), at * 2),
  );
  return bytes;
};

const heard = (audio: Uint8Array, frameMs = 20): VoiceActivity => {
  const activity = new VoiceActivity();
  for (let at = 0; at < audio.byteLength; at += frameMs * BYTES_PER_MS) {
    activity.push(audio.subarray(at, at + frameMs * BYTES_PER_MS));
  }
  return activity;
};
const state = ({ voicedMs, firstVoicedAtMs, speaking, ended, durationMs }: VoiceActivity) => ({
  voicedMs,
  firstVoicedAtMs,
  speaking,
  ended,
  durationMs,
});

describe('voice activity', () => {
  it('begins with nothing', () => {
    expect(state(new VoiceActivity())).toEqual({
      voicedMs: 0,
      firstVoicedAtMs: null,
      speaking: false,
      ended: false,
      durationMs: 0,
    });
  });

  it('is found where speech is, and over a second after it', () => {
    const said = [[noise(30), 1_000] as const, [both(speech(3_000), noise(30)), 2_400] as const];
    const during = heard(pcm(...said));
    expect(during.firstVoicedAtMs).toBe(1_000);
    expect(during).toMatchObject({ speaking: true, ended: false, durationMs: 3_400 });
    expect(during.voicedMs).toBeGreaterThanOrEqual(1_800);
    expect(during.voicedMs).toBeLessThanOrEqual(2_000);
    expect(heard(pcm(...said, [noise(30), 900]))).toMatchObject({ speaking: true, ended: false });
    const after = heard(pcm(...said, [noise(30), 1_100]));
    expect(after).toMatchObject({ speaking: false, ended: true, voicedMs: during.voicedMs });
  });

  it('goes on after a pause of breath, and once more after its end', () => {
    const said = [noise(30), 500] as const;
    const words = [both(speech(3_000), noise(30)), 1_200] as const;
    expect(heard(pcm(said, words, [noise(30), 800], words))).toMatchObject({ speaking: true, ended: false });
    const again = heard(pcm(said, words, [noise(30), 1_500], words));
    expect(again).toMatchObject({ speaking: true, ended: false, firstVoicedAtMs: 500 });
  });

  it.each<[string, Signal]>([
    ['digital silence', silence],
    ['a quiet room', noise(30)],
    ['a loud room', noise(250)],
    ['the whole range in constant offset', () => 32_767],
    ['a room with an offset', both(noise(30), () => -9_000)],
  ])('is not found in %s', (_, signal) => {
    expect(state(heard(pcm([signal, 10_000])))).toMatchObject({ voicedMs: 0, firstVoicedAtMs: null });
  });

  it('is not found in clicks, knocks and keys, and not kept alive by them', () => {
    const click: Signal = (ms) => (ms % 400 < 60 ? tone(20_000)(ms) : 0);
    expect(heard(pcm([click, 8_000])).firstVoicedAtMs).toBeNull();
    const key: Signal = (ms) => (ms % 300 < 15 ? tone(20_000)(ms) : 0);
    expect(heard(pcm([speech(3_000), 1_200], [both(key, noise(20)), 1_400])).ended).toBe(true);
  });

  it('is found where it is very quiet, from the first sample on, and where it is clipped', () => {
    expect(heard(pcm([silence, 500], [speech(150), 1_200])).firstVoicedAtMs).toBe(500);
    expect(heard(pcm([noise(8), 500], [both(speech(200), noise(8)), 1_200])).speaking).toBe(true);
    expect(heard(pcm([speech(3_000), 1_200])).firstVoicedAtMs).toBe(0);
    expect(heard(pcm([silence, 500], [speech(500_000), 1_200])).firstVoicedAtMs).toBe(500);
  });

  it('is found above the noise of the room, and ends in it', () => {
    const room = noise(600);
    const words = both(speech(6_000), room);
    const audio = pcm([room, 4_000], [words, 2_400], [room, 1_200]);
    const activity = heard(audio);
    expect(activity.ended).toBe(true);
    expect(activity.firstVoicedAtMs).toBe(4_000);
  });

  it('learns a noise that sets in: the turn ends all the same', () => {
    const audio = pcm([silence, 500], [speech(3_000), 1_200], [noise(800), 5_500]);
    expect(heard(audio).ended).toBe(true);
  });

  it('depends on the samples alone, however they are cut', () => {
    const parts = fc.array(
      fc.tuple(fc.constantFrom(silence, noise(30), noise(400), speech(200), speech(8_000)), fc.nat(1_500)),
      { maxLength: 5 },
    );
    const cuts = fc.array(fc.integer({ min: 20, max: 100 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(parts, cuts, (signal, lengths) => {
        const audio = pcm(...signal);
        const whole = new VoiceActivity();
        whole.push(audio);
        const cut = new VoiceActivity();
        let last = cut.voicedMs;
        for (let at = 0, n = 0; at < audio.byteLength; n += 1) {
          const next = at + (lengths[n % lengths.length] ?? 20) * BYTES_PER_MS;
          cut.push(audio.subarray(at, next));
          expect(cut.voicedMs).toBeGreaterThanOrEqual(last);
          last = cut.voicedMs;
          at = next;
        }
        expect(state(cut)).toEqual(state(whole));
        expect(cut.durationMs).toBe(Math.floor(audio.byteLength / BYTES_PER_MS));
        expect(cut.voicedMs).toBeLessThanOrEqual(cut.durationMs);
        expect(cut.speaking && cut.ended).toBe(false);
        if (cut.firstVoicedAtMs !== null) expect(cut.firstVoicedAtMs).toBeLessThan(cut.durationMs);
      }),
      { numRuns: 60 },
    );
  });

  it('costs a small part of the time that it is about', () => {
    const minute = pcm([both(speech(3_000), noise(30)), 60_000]);
    heard(minute);
    const before = performance.now();
    heard(minute);
    expect(performance.now() - before).toBeLessThan(600);
  });
});
