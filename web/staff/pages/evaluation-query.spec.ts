import { describe, expect, it } from '@jest/globals';
import { evaluationParams, filtersAfter, isNarrowed } from './evaluation-query.js';

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
    });
    expect(filtersAfter({ passed: 'yes' })).toEqual({ passed: 'yes', waiting: null, after: null });
    expect(filtersAfter({ role: 'r' })).toEqual({ role: 'r', after: null });
    expect(filtersAfter({ waiting: '' })).toEqual({ waiting: '', after: null });
    expect([isNarrowed({ sort: 'x', after: 'y' }), isNarrowed({ min: '5' })]).toEqual([false, true]);
  });
});
