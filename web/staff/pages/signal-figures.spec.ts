import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../../packages/client/src/index.js';
import {
  binsOf,
  type Counts,
  dayIn,
  daysBetween,
  durationOf,
  endOfDay,
  funnelOf,
  outcomesOf,
  outcomeStatusOf,
  percentOf,
} from './signal-figures.js';

const counts: Counts = {
  ...{ trialCompletedCount: 12, outcomeRecordedCount: 9, awaitingOutcomeCount: 3 },
  ...{ humanRound: { passed: 5, failed: 3 }, disposition: { hired: 2, declined: 4 } },
};
const outcome = (humanRound: Outcome['humanRound'], disposition: Outcome['disposition']): Outcome => ({
  ...{ humanRound, disposition },
  ...{ reason: null, recordedAt: '2026-01-05T09:00:00.000Z', recordedBy: 'ada' },
});

describe('a duration', () => {
  it('is written in whole units, to the second', () => {
    expect(durationOf(0, 'en')).toBe('0 sec');
    expect(durationOf(59, 'en')).toBe('59 sec');
    expect(durationOf(3_600, 'en')).toBe('1 hr');
    expect(durationOf(2 * 86_400 + 3 * 3_600 + 4 * 60 + 5, 'en')).toBe('2 days 3 hr 4 min 5 sec');
    expect(durationOf(86_461, 'de')).toBe('1 Tg. 1 Min. 1 Sek.');
  });

  it('is cut to its largest units where there is no room', () => {
    expect(durationOf(86_400 + 3_600 + 61, 'en', 2)).toBe('1 day 1 hr');
    expect(durationOf(0, 'en', 2)).toBe('0 sec');
  });
});

describe('the figures of the signal', () => {
  it('are the counts of the service, digit by digit', () => {
    expect(funnelOf(counts)).toEqual({ completed: 12, recorded: 9, passed: 5, hired: 2 });
    expect(outcomesOf(counts)).toEqual({ awaiting: 3, passed: 5, failed: 3, hired: 2, declined: 4 });
  });

  it('have a part only of something', () => {
    expect([percentOf(1, 3), percentOf(3, 3), percentOf(0, 4), percentOf(0, 0)]).toEqual([
      33.3,
      100,
      0,
      null,
    ]);
  });

  it('count each score once, by the outcome as the service tells it', () => {
    const bins = binsOf([
      { overallScore: 0, outcome: null },
      { overallScore: 9, outcome: outcome('failed', null) },
      { overallScore: 10, outcome: outcome('passed', 'hired') },
      { overallScore: 100, outcome: outcome(null, 'declined') },
      { overallScore: 90, outcome: outcome('passed', null) },
      { overallScore: null, outcome: null },
    ]);
    expect(bins.map(({ from, to, total }) => [from, to, total])).toEqual([
      ...[
        [0, 9, 2],
        [10, 19, 1],
        [20, 29, 0],
        [30, 39, 0],
        [40, 49, 0],
      ],
      ...[
        [50, 59, 0],
        [60, 69, 0],
        [70, 79, 0],
        [80, 89, 0],
        [90, 100, 2],
      ],
    ]);
    expect(bins[0]?.by).toEqual({ none: 1, passed: 0, failed: 1, hired: 0, declined: 0 });
    expect(bins[9]?.by).toMatchObject({ passed: 1, declined: 1 });
    expect(outcomeStatusOf(null)).toBe('none');
  });

  it('go by days of the calendar', () => {
    const first = new Date(2026, 2, 27, 23, 59);
    expect(daysBetween(first, new Date(2026, 2, 30, 0, 1))).toBe(3);
    expect(daysBetween(first, first)).toBe(0);
    expect(daysBetween(first, new Date(2026, 2, 1))).toBe(0);
    expect(endOfDay(first, 5)).toEqual(new Date(2026, 3, 2));
    expect([dayIn('2', 5), dayIn('9', 5), dayIn('x', 5), dayIn(undefined, 5), dayIn('-1', 5)]).toEqual([
      ...[2, 5, 5, 5, 5],
    ]);
  });
});
