import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { processorMs } from '../../../test/support/processor-time.js';
import { hasVoice, VoiceActivity } from './voice-activity.js';

/** Once: Jest looks a global up in a context of its own at each use, which is most of the time for a million samples. */
const { imul, max, min, PI, round, sin, sqrt } = Math;

/** Silence that ends a speech. */
const PAUSE_MS = 1_000;

type Signal = (ms: number) => number;

/** Random, and the same each time. */
const noise = (rms: number): Signal => {
  let state = 12_345;
  return () => {
    state = (imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state / 2 ** 31) * rms * sqrt(3);
  };
};
/** Low frequencies above all, as of a fan. */
const rumble = (rms: number): Signal => {
  const white = noise(1);
  let value = 0;
  return (ms) => (value = value * 0.98 + white(ms)) * rms * 0.2;
};
const tone =
  (amplitude: number, hertz = 220): Signal =>
  (ms) =>
    amplitude * sin((2 * PI * hertz * ms) / 1_000);
/** Syllables of 180 ms with 60 ms between them. */
const speech =
  (amplitude: number): Signal =>
  (ms) =>
    ms % 240 < 180 ? tone(amplitude)(ms) : 0;
const during =
  (signal: Signal, when: (ms: number) => boolean): Signal =>
  (ms) =>
    when(ms) ? signal(ms) : 0;
const silence: Signal = () => 0;
const both =
  (one: Signal, other: Signal): Signal =>
  (ms) =>
    one(ms) + other(ms);

const pcm = (...parts: readonly (readonly [Signal, number])[]): Buffer => {
  const samples = new Int16Array(parts.reduce((sum, [, length]) => sum + length * 16, 0));
  let begin = 0;
  for (const [signal, length] of parts) {
    for (let at = 0; at < length * 16; at += 1)
      samples[begin + at] = max(-32_768, min(32_767, round(signal(at / 16))));
    begin += length * 16;
  }
  return Buffer.from(samples.buffer);
};

const heard = (audio: Uint8Array, frameMs = 20): VoiceActivity => {
  const activity = new VoiceActivity(PAUSE_MS);
  for (let at = 0; at < audio.byteLength; at += frameMs * BYTES_PER_MS) {
    activity.push(audio.subarray(at, at + frameMs * BYTES_PER_MS));
  }
  return activity;
};
const state = ({ heardVoice, firstVoicedAtMs, speaking, ended, durationMs }: VoiceActivity) => ({
  heardVoice,
  firstVoicedAtMs,
  speaking,
  ended,
  durationMs,
});

describe('voice activity', () => {
  it('begins with nothing', () => {
    expect(state(new VoiceActivity(PAUSE_MS))).toEqual({
      heardVoice: false,
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
    expect(during).toMatchObject({ heardVoice: true, speaking: true, ended: false, durationMs: 3_400 });
    expect(heard(pcm(...said, [noise(30), 900]))).toMatchObject({ speaking: true, ended: false });
    const after = heard(pcm(...said, [noise(30), 1_100]));
    expect(after).toMatchObject({ speaking: false, ended: true, heardVoice: true });
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
    expect(state(heard(pcm([signal, 10_000])))).toMatchObject({ heardVoice: false, firstVoicedAtMs: null });
  });

  it.each<[string, Signal]>([
    ...[100, 300, 600, 850, 1_000, 3_000, 9_000].map((rms): [string, Signal] => [
      `white noise of ${rms}`,
      noise(rms),
    ]),
    ...[600, 3_000, 9_000].map((rms): [string, Signal] => [`rumbling noise of ${rms}`, rumble(rms)]),
    ...[50, 60, 100, 120].flatMap((hertz) =>
      [300, 3_000, 9_000].map((loud): [string, Signal] => [
        `a hum of ${hertz} Hz, ${loud}`,
        tone(loud, hertz),
      ]),
    ),
    ['a hum with overtones', both(tone(8_000, 50), both(tone(800, 150), tone(200, 250)))],
    ['single impulses', (ms) => (ms % 300 < 0.1 ? 30_000 : 0)],
    ['keys', during(noise(5_000), (ms) => ms % 150 < 30)],
  ])(
    'is not heard in %s, from the beginning or setting in, and no transcriber is asked',
    async (_, signal) => {
      for (const audio of [pcm([signal, 4_000]), pcm([silence, 700], [signal, 4_000], [silence, 700])]) {
        expect(await hasVoice([audio])).toBe(false);
        expect(heard(audio)).toMatchObject({ heardVoice: false, firstVoicedAtMs: null, ended: false });
      }
    },
  );

  it.each<[string, Signal]>([
    ['noise', noise(6_000)],
    ['rumble', rumble(6_000)],
    ['a tone', tone(8_000, 440)],
  ])('is not begun by %s of 200 ms in silence, wherever windows begin', (_, signal) => {
    for (const before of [500, 507, 513, 1_019]) {
      const activity = heard(pcm([silence, before], [signal, 200], [silence, 1_500]));
      expect(activity).toMatchObject({ speaking: false, ended: false, firstVoicedAtMs: null });
    }
  });

  it('is heard in a short, soft "yes", after silence and in a quiet room', async () => {
    // A voice of 180 ms with overtones that swells and fades, then a hiss of 120 ms.
    const hiss = noise(0.15);
    const yes: Signal = (ms) =>
      ms < 180 ? sin((PI * ms) / 180) * both(tone(1, 130), both(tone(1, 390), tone(0.6, 520)))(ms) : hiss(ms);
    for (const loud of [8_000, 2_000, 500, 250])
      for (const room of [silence, noise(8)]) {
        const quiet: Signal = (ms) => loud * yes(ms) + room(ms);
        expect([loud, await hasVoice([pcm([room, 700], [quiet, 300], [room, 900])])]).toEqual([loud, true]);
      }
  });

  it('is heard in a whisper, which has no pitch', () => {
    const whisper = during(noise(400), (ms) => ms % 300 < 200);
    const audio = pcm([noise(8), 700], [both(whisper, noise(8)), 2_400], [noise(8), 1_200]);
    expect(heard(audio)).toMatchObject({ heardVoice: true, ended: true });
  });

  it('is heard above a hum', () => {
    const hum = tone(3_000, 50);
    const audio = pcm([hum, 700], [both(speech(1_000), hum), 1_200], [hum, 1_200]);
    expect(heard(audio)).toMatchObject({ firstVoicedAtMs: 700, ended: true });
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

  it('depends on the samples alone, however they are cut', async () => {
    const parts = fc.array(
      fc.tuple(fc.constantFrom(silence, noise(30), noise(400), speech(200), speech(8_000)), fc.nat(1_500)),
      { maxLength: 5 },
    );
    const cuts = fc.array(fc.integer({ min: 20, max: 100 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(parts, cuts, async (signal, lengths) => {
        const audio = pcm(...signal);
        const whole = new VoiceActivity(PAUSE_MS);
        whole.push(audio);
        const cut = new VoiceActivity(PAUSE_MS);
        let last = cut.heardVoice;
        const pieces: Uint8Array[] = [];
        for (let at = 0, n = 0; at < audio.byteLength; n += 1) {
          const next = at + (lengths[n % lengths.length] ?? 20) * BYTES_PER_MS;
          pieces.push(audio.subarray(at, next));
          cut.push(audio.subarray(at, next));
          if (last) expect(cut.heardVoice).toBe(true);
          last = cut.heardVoice;
          at = next;
        }
        expect(state(cut)).toEqual(state(whole));
        expect(cut.durationMs).toBe(Math.floor(audio.byteLength / BYTES_PER_MS));
        expect(await hasVoice(pieces)).toBe(cut.heardVoice || cut.mayBeVoice);
        if (cut.firstVoicedAtMs !== null) expect(cut.heardVoice).toBe(true);
        expect(cut.speaking && cut.ended).toBe(false);
        if (cut.firstVoicedAtMs !== null) expect(cut.firstVoicedAtMs).toBeLessThan(cut.durationMs);
      }),
      { numRuns: 60 },
    );
  });

  it('costs a small part of the time that it is about', () => {
    const minute = pcm([both(speech(3_000), noise(30)), 60_000]);
    heard(minute);
    expect(processorMs(() => void heard(minute))).toBeLessThan(600);
  });
});
