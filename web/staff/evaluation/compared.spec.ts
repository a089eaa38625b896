import { describe, expect, it } from '@jest/globals';
import type { EvaluationSummary, Score } from '../../../packages/client/src/index.js';
import { compareDimensions, compareGenerations, segmentsOf, shareOf } from './compared.js';

const score = (dimensionId: string, points: number, dimensionName = dimensionId): Score => ({
  ...{ dimensionId, dimensionName, dimensionCategory: 'process', weight: 1, threshold: null },
  ...{ score: points, passed: null, rationale: null, unchecked: null, evidenceEventIds: [] },
});
const term = (dimensionId: string, weight: number, contribution: number) => ({
  ...{ dimensionId, weight, contribution, score: 0 },
});

describe('the overall score as a picture', () => {
  it('is its contributions one after the other, on a scale of 100', () => {
    const terms = [term('a', 60, 45), term('b', 40, 10)];
    expect(segmentsOf(terms)).toEqual([
      { dimensionId: 'a', number: 1, from: 0, to: 45 },
      { dimensionId: 'b', number: 2, from: 45, to: 55 },
    ]);
    expect(terms.map((one) => shareOf(one, terms))).toEqual([60, 40]);
    expect(shareOf(term('a', 0, 0), [term('a', 0, 0)])).toBe(0);
  });
});

describe('two generations', () => {
  it('are compared figure by figure, also if a dimension or a result is missing', () => {
    const figures = compareGenerations(
      { overallScore: 60, scores: [score('a', 50), score('b', 70)] },
      { overallScore: 75, scores: [score('a', 80), score('c', 70)] },
      'Overall',
    );
    expect(figures.map(({ name, from, to, difference }) => [name, from, to, difference])).toEqual([
      ['Overall', 60, 75, 15],
      ['a', 50, 80, 30],
      ['b', 70, null, null],
      ['c', null, 70, null],
    ]);
    const [overall] = compareGenerations(
      { overallScore: 60, scores: [] },
      { overallScore: null, scores: [] },
      'x',
    );
    expect(overall).toMatchObject({ from: 60, to: null, difference: null });
  });
});

describe('evaluations side by side', () => {
  it('have a row for each dimension of any of them, with gaps where a version of the role lacks it', () => {
    const evaluation = (id: string, scores?: readonly Score[]) =>
      ({ id, ...(scores && { scores }) }) as Pick<EvaluationSummary, 'id' | 'scores'>;
    const rows = compareDimensions([
      evaluation('one', [score('a', 50, 'Testing'), score('b', 70)]),
      evaluation('two', [score('a', 40, 'Tests')]),
      evaluation('three'),
    ]);
    expect(rows.map(({ name, cells }) => [name, cells.map((cell) => cell?.score ?? null)])).toEqual([
      ['Testing', [50, 40, null]],
      ['b', [70, null, null]],
    ]);
  });
});
