import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import type { Stores } from '../process/stores.js';
import { registerReactorMetrics, workCountsOf } from './metrics.js';

/** A registry over a view in which evaluations have been pending since these moments, the oldest first. */
const arrange = (pending: () => Promise<readonly string[]>) => {
  const readStore = {} as Stores['readStore'];
  const reader = {
    page: async () => ({
      items: (await pending()).map((requestedAt) => ({ document: { requestedAt } })),
      nextCursor: null,
    }),
  } as unknown as Stores['reader'];
  const registry = new Registry();
  registerReactorMetrics(registry, { readStore, reader });
  const value = async (name: string, result?: string): Promise<number | undefined> =>
    (await registry.getMetricsAsJSON())
      .find((metric) => metric.name === name)
      ?.values.find(({ labels }) => result === undefined || labels['result'] === result)?.value;
  return { readStore, value };
};
const AGE = 'assay_evaluation_oldest_pending_seconds';

describe('the figures of evaluations', () => {
  it('say how long the oldest one has been waited for, 0 without any', async () => {
    let since: readonly string[] = [];
    const { value } = arrange(async () => since);
    expect(await value(AGE)).toBe(0);
    since = [new Date(Date.now() - 600_000).toISOString()];
    expect(await value(AGE)).toBeGreaterThanOrEqual(600);
    expect(await value(AGE)).toBeLessThan(900);
  });

  it('keep what was known where the view cannot be read', async () => {
    let away = false;
    const since = [new Date(Date.now() - 600_000).toISOString()];
    const { value } = arrange(() => (away ? Promise.reject(new Error('away')) : Promise.resolve(since)));
    expect(await value(AGE)).toBeGreaterThanOrEqual(600);
    away = true;
    expect(await value(AGE)).toBeGreaterThanOrEqual(600);
  });

  it('count what came of generations', async () => {
    const { readStore, value } = arrange(async () => []);
    expect(await value('assay_evaluations_ended_total', 'failed')).toBe(0);
    workCountsOf(readStore).evaluations.failed++;
    expect(await value('assay_evaluations_ended_total', 'failed')).toBe(1);
    expect(await value('assay_evaluations_ended_total', 'ready')).toBe(0);
  });
});
