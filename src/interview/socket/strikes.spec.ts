import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALL_FRAMES, BadMessageLimit, FrameRate, TEXT_FRAMES } from './limits.js';

/** Times that grow, from gaps. */
const times = (max: number) =>
  fc.array(fc.integer({ min: 0, max }), { maxLength: 300 }).map((gaps) => {
    let now = 5;
    return gaps.map((gap) => (now += gap));
  });

describe('bad messages', () => {
  it('are too many exactly where the last minute holds ten', () => {
    fc.assert(
      fc.property(times(20_000), (all) => {
        const faults = new BadMessageLimit();
        all.forEach((now, at) => {
          const lately = all.slice(0, at + 1).filter((one) => now - one < 60_000).length;
          expect(faults.exceeded(now)).toBe(lately >= 10);
        });
      }),
    );
  });
});

describe('frames', () => {
  it('are never too many where no second holds more than 100', () => {
    fc.assert(
      fc.property(times(30), (all) => {
        const rate = new FrameRate(TEXT_FRAMES);
        const max = Math.max(
          0,
          ...all.map((now) => all.filter((one) => one <= now && now - one < 1_000).length),
        );
        const exceeded = all.some((now) => rate.exceeded(now));
        if (max <= 100) expect(exceeded).toBe(false);
      }),
    );
  });

  it.each([TEXT_FRAMES, ALL_FRAMES])(
    'are too many at the one beyond $max of a moment, and fine again $inMs ms later',
    ({ max, inMs }) => {
      const rate = new FrameRate({ max, inMs });
      const outcomes = Array.from({ length: max + 1 }, () => rate.exceeded(7));
      expect(outcomes.indexOf(true)).toBe(max);
      expect(rate.exceeded(7 + inMs)).toBe(false);
    },
  );

  it('that waited while nothing was read do not count, however often that is: as many as could be sent then', () => {
    const rate = new FrameRate(TEXT_FRAMES);
    for (let count = 0; count < 60; count += 1) rate.exceeded(5);
    for (let held = 0; held < 10; held += 1) rate.allowAfterPause(100);
    const outcomes = Array.from({ length: 141 }, () => rate.exceeded(6));
    expect(outcomes.indexOf(true)).toBe(140);
  });
});
