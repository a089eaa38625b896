import { describe, expect, it } from '@jest/globals';
import { stageTimesOf } from './stages.js';

const START = Date.parse('2026-03-01T09:00:00.000Z');
const after = (ms: number | null): string | null => (ms === null ? null : new Date(START + ms).toISOString());
const application = (
  startedMs: number | null,
  completedMs: number | null = null,
  evaluatedMs: number | null = null,
  decidedMs: number | null = null,
) => ({
  roleId: 'r',
  invitedAt: after(0) ?? '',
  startedAt: after(startedMs),
  completedAt: after(completedMs),
  evaluatedAt: after(evaluatedMs),
  decidedAt: after(decidedMs),
});
const started = (...ms: readonly (number | null)[]) =>
  stageTimesOf(ms.map((one) => application(one))).started;

describe('the time in each stage', () => {
  it('is none without an application that has come through it', () => {
    expect(started()).toEqual({ count: 0, medianSeconds: null, p90Seconds: null });
    expect(started(null, null)).toEqual({ count: 0, medianSeconds: null, p90Seconds: null });
  });

  it('is the median and the ninth tenth, in whole seconds rounded half up', () => {
    expect(started(7_000)).toEqual({ count: 1, medianSeconds: 7, p90Seconds: 7 });
    expect(started(3_000, null, 1_000, 2_000)).toEqual({ count: 3, medianSeconds: 2, p90Seconds: 3 });
    expect(started(1_000, 2_000)).toMatchObject({ count: 2, medianSeconds: 2, p90Seconds: 2 });
    expect(started(499)).toMatchObject({ medianSeconds: 0 });
    expect(started(500)).toMatchObject({ medianSeconds: 1 });
    const ten = Array.from({ length: 10 }, (_, index) => (index + 1) * 1_000);
    expect(started(...ten.reverse())).toEqual({ count: 10, medianSeconds: 6, p90Seconds: 9 });
    expect(started(...ten, 11_000)).toEqual({ count: 11, medianSeconds: 6, p90Seconds: 10 });
  });

  it('is counted of each stage by itself', () => {
    expect(
      stageTimesOf([application(60_000, 180_000, 190_000, 3_790_000), application(120_000, 180_000)]),
    ).toEqual({
      started: { count: 2, medianSeconds: 90, p90Seconds: 120 },
      completed: { count: 2, medianSeconds: 90, p90Seconds: 120 },
      evaluated: { count: 1, medianSeconds: 10, p90Seconds: 10 },
      decided: { count: 1, medianSeconds: 3_600, p90Seconds: 3_600 },
    });
  });

  it('is never less than nothing, if an outcome came before the evaluation', () => {
    const { decided } = stageTimesOf([application(1_000, 2_000, 9_000, 5_000)]);
    expect(decided).toEqual({ count: 1, medianSeconds: 0, p90Seconds: 0 });
  });
});
