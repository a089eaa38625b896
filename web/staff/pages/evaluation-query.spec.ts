import { describe, expect, it } from '@jest/globals';
import { evaluationParams, filterOf, filtersAfter, isCounted, queryOf } from './evaluation-query.js';

describe('a list of evaluations', () => {
  it.each([
    [{}, { sort: '-completedAt' }],
    [
      { role: 'r', status: 'ready', passed: 'no', after: 'c', sort: 'completedAt' },
      { roleId: 'r', status: 'ready', passed: false, cursor: 'c', sort: 'completedAt' },
    ],
    [{ status: 'no such', passed: 'maybe', sort: 'role' }, { sort: '-completedAt' }],
    [
      { min: '0', sort: '-completedAt' },
      { minScore: 0, sort: '-overallScore' },
    ],
    [
      { min: '55', max: '100', sort: 'overallScore' },
      { minScore: 55, maxScore: 100, sort: 'overallScore' },
    ],
    [{ min: '101', max: '5.5' }, { sort: '-completedAt' }],
    [
      { waiting: 'contested', role: 'r', status: 'ready', min: '5' },
      { waiting: 'contested', roleId: 'r' },
    ],
  ])('is asked for by the address: %j', (query, params) => {
    expect(evaluationParams(query)).toEqual(params);
  });

  it('is narrowed by what waits and the role alone, or by anything else', () => {
    expect(filtersAfter({ waiting: 'failed' })).toEqual({
      ...{ waiting: 'failed', status: null, passed: null, min: null, max: null, sort: null, after: null },
      ...{ from: null, to: null },
    });
    const ended = { waiting: null, after: null };
    expect(filtersAfter({ min: '5' })).toEqual({ ...ended, min: '5', from: null, to: null });
    expect(filtersAfter({ to: '2026-01-31', from: '' })).toEqual({
      ...{ ...ended, min: null, max: null, from: '', to: '2026-01-31' },
    });
    expect(filtersAfter({ passed: 'yes' })).toEqual({ passed: 'yes', waiting: null, after: null });
    expect(filtersAfter({ role: 'r' })).toEqual({ role: 'r', after: null });
    expect(filtersAfter({ waiting: '' })).toEqual({ waiting: '', after: null });
  });

  it('has as many as the service counts by one choice if it is narrowed by no other', () => {
    const counted = (query: Readonly<Record<string, string>>) =>
      (['status', 'passed'] as const).filter((by) => isCounted(filterOf(query), by));
    expect(counted({ role: 'r', status: 'ready' })).toEqual(['status']);
    expect(counted({ passed: 'no' })).toEqual(['passed']);
    expect(counted({ waiting: 'failed' })).toEqual(['status', 'passed']);
    for (const query of [{ min: '5' }, { from: '2026-01-01T00:00:00.000Z' }])
      expect(counted(query)).toEqual([]);
  });

  it.each([
    [{}, {}],
    [
      { sort: 'overallScore', role: 'r' },
      { sort: 'overallScore', roleId: 'r' },
    ],
    [
      { min: '60', passed: 'no' },
      { minScore: 60, passed: false },
    ],
    [{ waiting: 'contested' }, { waiting: 'contested' }],
    [
      { from: '2026-01-01T00:00:00.000Z', status: 'ready', sort: 'completedAt' },
      { from: '2026-01-01T00:00:00.000Z', status: 'ready', sort: 'completedAt' },
    ],
  ])('is saved as what the address shows, and comes back as that: %j', (query, filter) => {
    expect(filterOf({ ...query, after: 'c', view: 'v' })).toMatchObject(filter);
    expect(filterOf(queryOf(filterOf(query)))).toEqual(filterOf(query));
  });

  it('is by date alone within dates', () => {
    const dates = { from: '2026-01-01T00:00:00.000Z' };
    expect(evaluationParams({ ...dates, sort: 'overallScore' })).toEqual({ ...dates, sort: '-completedAt' });
    // The service takes no dates beside a range of scores.
    expect(evaluationParams({ ...dates, max: '60' })).toEqual({ maxScore: 60, sort: '-overallScore' });
  });
});
