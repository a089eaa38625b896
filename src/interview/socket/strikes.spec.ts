import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Faults, TextRate } from './strikes.js';

/** Times that grow, from gaps. */
const times = (most: number) =>
  fc.array(fc.integer({ min: 0, max: most }), { maxLength: 300 }).map((gaps) => {
    let now = 5;
    return gaps.map((gap) => (now += gap));
  });

describe('bad messages', () => {
  it('are too many exactly where the last minute holds ten', () => {
    fc.assert(
      fc.property(times(20_000), (all) => {
        const faults = new Faults();
        all.forEach((now, at) => {
          const lately = all.slice(0, at + 1).filter((one) => now - one < 60_000).length;
          expect(faults.exceeded(now)).toBe(lately >= 10);
        });
      }),
    );
  });
});

describe('text frames', () => {
  it('are never too many where no second holds more than 100', () => {
    fc.assert(
      fc.property(times(30), (all) => {
        const rate = new TextRate();
        const most = Math.max(
          0,
          ...all.map((now) => all.filter((one) => one <= now && now - one < 1_000).length),
        );
        const exceeded = all.some((now) => rate.exceeded(now));
        if (most <= 100) expect(exceeded).toBe(false);
      }),
    );
  });

  it('are too many at the 101st of a moment, and fine again a second later', () => {
    const rate = new TextRate();
    const outcomes = Array.from({ length: 101 }, () => rate.exceeded(7));
    expect(outcomes.indexOf(true)).toBe(100);
    expect(rate.exceeded(1_007)).toBe(false);
  });
});
