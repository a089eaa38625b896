import { describe, expect, it } from '@jest/globals';
import type { EvaluationGenerated } from '../../domain/evaluation/events.js';
import type { Recomputed } from '../../scoring/recompute.js';
import { recomputeLines } from './command.js';
import { Tally } from './report.js';

const made = (evaluationId: string, ruleSet = 'r1'): EvaluationGenerated['data'] =>
  ({ organisationId: 'o', evaluationId, generation: 2, ruleSet }) as EvaluationGenerated['data'];

const outcomes: readonly Recomputed[] = [
  { kind: 'recomputed', differences: [] },
  {
    kind: 'recomputed',
    differences: [
      { figure: 'score', dimensionId: 'd1', from: 66.547619, to: 70 },
      { figure: 'passed', dimensionId: 'd1', from: null, to: true },
      { figure: 'terms', dimensionId: 'd2' },
      { figure: 'score', dimensionId: 'd3', from: 1, to: 2 },
      { figure: 'overall', from: null, to: 71.5 },
      { figure: 'passed', dimensionId: null, from: false, to: true },
      { figure: 'findings', kind: 'focus_lost', from: 2, to: 2 },
      { figure: 'findings', kind: 'paste_burst', from: 0, to: 1 },
    ],
  },
  { kind: 'recomputed', differences: [{ figure: 'failure' }] },
  { kind: 'recomputed', differences: [{ figure: 'findings', kind: 'paste_burst', from: 1, to: 0 }] },
  { kind: 'erased' },
  { kind: 'unusable', reason: 'It is too short.' },
];

const tallied = (most: number, of = outcomes) => {
  const tally = new Tally('r9', most);
  of.forEach((outcome, n) => tally.add(made(`e${n}`, n === 0 ? 'r0' : 'r1'), outcome));
  return tally;
};

describe('the report of a recompute', () => {
  it('counts evaluations, each once for a figure', () => {
    const tally = tallied(2);
    tally.addUnreadable('e9', 'It is damaged.');
    const { examples, ...counts } = tally.report;
    expect(counts).toEqual({
      ruleSet: 'r9',
      evaluations: 7,
      madeUnder: { r0: 1, r1: 5 },
      recomputed: 4,
      changed: 3,
      byFigure: { score: 1, terms: 1, overall: 1, passed: 1, findings: 2, failure: 1 },
      findingsByKind: { focus_lost: 1, paste_burst: 2 },
      erased: 1,
      unusable: 2,
      unusableExamples: [
        { evaluationId: 'e5', reason: 'It is too short.' },
        { evaluationId: 'e9', reason: 'It is damaged.' },
      ],
    });
    expect(examples.map(({ evaluationId, ruleSet }) => [evaluationId, ruleSet])).toEqual([
      ['e1', 'r1'],
      ['e2', 'r1'],
    ]);
  });

  it('says in words what would change', () => {
    expect(recomputeLines(tallied(2).report)).toEqual([
      '4 results recomputed under r9 (made: 1 under r0, 5 under r1): 3 would change.',
      '  1 in the score of a dimension',
      '  1 in only the terms of a score',
      '  1 in the overall score',
      '  1 in pass or fail',
      '  2 in findings: focus_lost 1, paste_burst 2',
      '  1 in the existence of a result',
      'The first 2 of them:',
      '  e1  generation 2, made under r1',
      '    score of d1: 66.547619 → 70',
      '    passed of d1: none → true',
      '    terms of d2',
      '    score of d3: 1 → 2',
      '    overall: none → 71.5',
      '    passed: false → true',
      '    focus_lost: 2, with other figures',
      '    paste_burst: 0 → 1',
      '  e2  generation 2, made under r1',
      '    no result',
      '1 result could not be recomputed: the candidate was erased.',
      '1 result could not be recomputed:',
      '  e5  It is too short.',
      'Nothing was written.',
    ]);
  });

  it('names the examples by how many they are', () => {
    expect(recomputeLines(tallied(1).report)).toContain('The first of them:');
    expect(recomputeLines(tallied(3).report)).toContain('They are:');
    expect(recomputeLines(tallied(0).report).join()).not.toMatch(/They are|of them/);
  });

  it('is short where nothing would change, and where there is nothing', () => {
    expect(recomputeLines(tallied(2, outcomes.slice(0, 1)).report)).toEqual([
      '1 result recomputed under r9 (made: 1 under r0): none would change.',
      'Nothing was written.',
    ]);
    expect(recomputeLines(tallied(2, []).report)).toEqual([
      'There is no ready result to recompute.',
      'Nothing was written.',
    ]);
  });
});
