import { describe, expect, it } from '@jest/globals';
import type { ViewReader } from '../engine/reads/reads.js';
import { checksHealth } from './checks-health.js';

const NOW = '2026-03-02T12:00:00.000Z';
const ago = (minutes: number): string => new Date(Date.parse(NOW) - minutes * 60_000).toISOString();

/** The part as it is with sessions whose checks wait, and failed, since so many minutes. */
const healthOf = (waiting: readonly number[], failed: readonly number[]) => {
  const sessions = {
    bySince: waiting.map((minutes) => ({ waiting: [{ askedAt: ago(minutes) }], failed: [] })),
    byFailure: failed.map((minutes) => ({ waiting: [], failed: [{ at: ago(9_999) }, { at: ago(minutes) }] })),
  };
  const reader = {
    page: async (_: object, { index, limit, reverse }: Parameters<ViewReader['page']>[1]) => {
      const all = sessions[index as keyof typeof sessions];
      const items = (reverse ? all.toReversed() : all).slice(0, limit);
      return { items: items.map((document) => ({ document })), nextCursor: null };
    },
  } as unknown as ViewReader;
  return checksHealth(reader, () => new Date(NOW)).check();
};

describe('the health of checks', () => {
  it('is all well where none waits long and none failed lately', async () => {
    const none = { waiting: 0, oldestWaitingSeconds: 0, failed: 0, lastFailedAt: null, notice: null };
    expect(await healthOf([], [])).toEqual([{ name: 'checks', ready: true, figures: none }]);
    expect(await healthOf([60, 2], [1_440])).toMatchObject([
      {
        ready: true,
        figures: {
          waiting: 2,
          oldestWaitingSeconds: 3_600,
          failed: 1,
          lastFailedAt: ago(1_440),
          notice: null,
        },
      },
    ]);
  });

  it('has a notice where one has waited for more than an hour, or failed within a day', async () => {
    const notice = async (...ages: Parameters<typeof healthOf>) =>
      String((await healthOf(...ages))[0]?.figures?.['notice']);
    expect(await notice([61], [])).toMatch(
      /^Work has waited for checks since 2026-03-02T10:59.*checks list` shows it\.$/,
    );
    expect(await notice([], [5_000, 1_439])).toMatch(
      /^A check of work failed at 2026-03-01T12:01.*shows why\.$/,
    );
    expect(await notice([61], [1])).toMatch(/waited.*failed/);
    expect((await healthOf([61], [1]))[0]?.ready).toBe(true);
  });

  it('counts up to a hundred sessions', async () => {
    const many = Array.from({ length: 150 }, (_, place) => 2_000 - place);
    expect(await healthOf(many, many)).toMatchObject([{ figures: { waiting: 100, failed: 100 } }]);
  });

  it('is left to the health of the view where it cannot be read', async () => {
    const reader = { page: () => Promise.reject(new Error('It is away.')) };
    expect(await checksHealth(reader).check()).toEqual([]);
  });
});
