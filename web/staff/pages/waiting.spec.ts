import { describe, expect, it } from '@jest/globals';
import type { ApplicationCounts, EvaluationCounts } from '../../../packages/client/src/index.js';
import { countText } from '../../shared/sizes.js';
import { waitingOf } from './waiting.js';

const applications = {
  waiting: { outcome: 3, expiring: 0, accommodation: 2, erasure: 1 },
} as ApplicationCounts;
const evaluations = { waiting: { failed: 0, contested: 4, overdue: 1 } } as EvaluationCounts;

describe('what waits', () => {
  it('is each kind that there is, with its list', () => {
    expect(waitingOf(applications, evaluations, () => true)).toEqual([
      { kind: 'outcome', count: 3, page: 'candidates?waiting=outcome' },
      { kind: 'contested', count: 4, page: 'evaluations?waiting=contested' },
      { kind: 'accommodation', count: 2, page: 'candidates?waiting=accommodation' },
      { kind: 'overdue', count: 1, page: 'evaluations?waiting=overdue' },
      { kind: 'erasure', count: 1, page: 'candidates?waiting=erasure' },
    ]);
  });

  it('is nothing that the reader may not do', () => {
    expect(waitingOf(applications, evaluations, (one) => one === 'candidates.erase')).toMatchObject([
      { kind: 'erasure' },
    ]);
    expect(waitingOf(applications, evaluations, () => false)).toEqual([]);
  });

  it('is counted as far as the service counts', () => {
    expect([countText(1_234, 'en'), countText(1_234, 'de'), countText(100_000, 'en')]).toEqual([
      ...['1,234', '1.234', '100,000+'],
    ]);
  });
});
