import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountText, durationText, linesOn, RateEstimate, rateText } from './progress.js';

describe('lines of progress', () => {
  const watched = () => {
    const clock = { ms: 0 };
    const lines: string[] = [];
    const progress = linesOn(
      (line) => lines.push(line),
      () => clock.ms,
    );
    return { clock, lines, progress };
  };

  it('tell each tenth once, how fast it goes and how long it will take', () => {
    const { clock, lines, progress } = watched();
    progress.begin('signal.v1.g2', 1_000, 'events');
    for (let done = 0; done <= 1_000; done += 50) {
      progress.update(done);
      clock.ms += 500;
    }
    progress.end();
    expect(lines).toHaveLength(10);
    expect([lines[0], lines[3], lines[9]]).toEqual([
      'signal.v1.g2: 100 of 1000 events · 100/s · 9 s left',
      'signal.v1.g2: 400 of 1000 events · 100/s · 6 s left',
      'signal.v1.g2: 1000 of 1000 events · 100/s',
    ]);
  });

  it('come every half minute, however slow it is', () => {
    const { clock, lines, progress } = watched();
    progress.begin('Events', 1_000_000);
    for (; clock.ms <= 90_000; clock.ms += 250) progress.update(clock.ms / 1000);
    expect(lines.map((line) => line.split(' ·')[0])).toEqual(
      [30, 60, 90].map((done) => `Events: ${done} of 1000000`),
    );
  });

  it('count what was there at the beginning for no work done', () => {
    const { clock, lines, progress } = watched();
    progress.begin('signal.v1.g2', 1_000, 'events');
    progress.update(500);
    clock.ms += 1_000;
    progress.update(600);
    expect(lines.at(-1)).toBe('signal.v1.g2: 600 of 1000 events · 100/s · 4 s left');
  });

  it('follow an end that moves on', () => {
    const { clock, lines, progress } = watched();
    progress.begin('signal.v1.g2', 3_000_000, 'bytes');
    progress.update(0);
    clock.ms += 2_000;
    progress.update(1_000_000, 4_000_000);
    expect(lines).toEqual(['signal.v1.g2: 1.0 MB of 4.0 MB · 500.0 kB/s · 6 s left']);
  });
});

describe('a pace', () => {
  it('is that of the last seconds, whatever was before', () => {
    let ms = 0;
    const pace = new RateEstimate(() => ms);
    for (; ms < 60_000; ms += 100) pace.update(ms < 30_000 ? ms : 30_000 + (ms - 30_000) / 10);
    expect(pace.rate).toBeCloseTo(100, 0);
  });

  it('begins anew where it goes back', () => {
    let ms = 0;
    const pace = new RateEstimate(() => ms);
    pace.update(1_000);
    ms = 1_000;
    pace.update(0);
    expect(pace.rate).toBeNull();
    ms = 2_000;
    pace.update(50);
    expect([pace.rate, pace.secondsTo(100)]).toEqual([50, 1]);
  });

  it('is a steady one’s own, however often it is looked at', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 60 }),
        fc.integer({ min: 1, max: 1_000 }),
        (steps, perMs) => {
          let ms = 0;
          const pace = new RateEstimate(() => ms);
          pace.update(0);
          for (const step of steps) {
            ms += step;
            pace.update(ms * perMs);
          }
          if (pace.rate !== null) expect(pace.rate).toBeCloseTo(perMs * 1000, 3);
        },
      ),
    );
  });
});

describe('amounts', () => {
  it.each([
    [amountText(1234, 'events'), '1234'],
    [amountText(999, 'bytes'), '999 B'],
    [amountText(12_345_678, 'bytes'), '12.3 MB'],
    [rateText(0.44, 'events'), '0.4/s'],
    [rateText(0, 'events'), '0/s'],
    [rateText(21_345.6, 'events'), '21346/s'],
    [durationText(0), '0 s'],
    [durationText(0.4), '0.4 s'],
    [durationText(9.96), '10 s'],
    [durationText(59.6), '1 min'],
    [durationText(185), '3 min 5 s'],
    [durationText(7_800), '2 h 10 min'],
    [durationText(100 * 3_600), '4 d 4 h'],
  ])('%s', (text, expected) => expect(text).toBe(expected));
});
