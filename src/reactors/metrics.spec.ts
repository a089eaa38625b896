import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { pendingChecks } from '../../projections/pending-checks.js';
import type { Stores } from '../process/stores.js';
import { registerReactorMetrics, workCountsOf } from './metrics.js';

/** A registry over views in which evaluations and checks have been pending since these moments, the oldest first. */
const arrange = (
  pending: () => Promise<readonly string[]>,
  waiting: readonly { readonly requestedAt: string; readonly until: string }[] = [],
  checks: readonly string[] = [],
) => {
  const readStore = {} as Stores['readStore'];
  const documents = waiting.map(({ requestedAt, until }) => ({
    requestedAt,
    awaited: [{ kind: 'hand_in', until }],
  }));
  const reader = {
    page: async (view: object, { index, prefix }: { index: string; prefix: readonly string[] }) => {
      if (view === pendingChecks)
        return {
          items: checks.map((askedAt) => ({ document: { waiting: [{ askedAt }] } })),
          nextCursor: null,
        };
      const isPending = index === 'byState' && prefix[0] === 'requested';
      const found = isPending ? (await pending()).map((requestedAt) => ({ requestedAt })) : documents;
      return { items: found.map((document) => ({ document })), nextCursor: null };
    },
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

  it('say how long one has waited for work, and for how long it should not have', async () => {
    const figures = async (...waiting: { readonly requestedAt: string; readonly until: string }[]) => {
      const { value } = arrange(async () => [], waiting);
      const names = ['assay_evaluation_oldest_waiting_seconds', 'assay_evaluation_wait_overdue_seconds'];
      return Promise.all(names.map(async (name) => Math.round((await value(name))! / 60)));
    };
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect(await figures()).toEqual([0, 0]);
    expect(await figures({ requestedAt: at(-4), until: at(6) })).toEqual([4, 0]);
    expect(await figures({ requestedAt: at(-17), until: at(-7) })).toEqual([17, 7]);
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

  it('say how long the oldest check has waited, and count what came of checks', async () => {
    const waits = 'assay_check_oldest_waiting_seconds';
    const { readStore, value } = arrange(async () => [], [], []);
    expect(await value(waits)).toBe(0);
    const since = new Date(Date.now() - 300_000).toISOString();
    const waiting = arrange(async () => [], [], [since, new Date().toISOString()]);
    expect(Math.round((await waiting.value(waits))! / 60)).toBe(5);
    workCountsOf(readStore).checks.error++;
    expect(await value('assay_checks_ended_total', 'error')).toBe(1);
    expect(await value('assay_checks_ended_total', 'checked')).toBe(0);
  });
});
